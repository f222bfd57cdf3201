// Names of kernels that no person wrote: a type, in a way that depends on the compiler and on the version of Kokkos.
#pragma once

#include "otter/record.h"

// Before Kokkos 4.5 an unnamed kernel has the mangled name of its functor's type. Called before the first event.
void names_set_version(uint64_t interface_version);

// An otter_namer: `raw` itself, or something short in `room`. A label that a person gave is never changed, as far as it can be told.
otter_namer names_show;

// Kokkos hands texts over, other callers of its hooks may hand over NULL.
static inline const char *text_of(const char *name)
{
    return name ? name : "";
}
