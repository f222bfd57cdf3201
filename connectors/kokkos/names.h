// Readable names for kernels without a label. Kokkos names such a kernel after its functor's type,
// in a form that depends on the compiler and on the Kokkos version.
#pragma once

#include "otter/record.h"

// Sets the Kokkos version. Runs before the first event.
void names_set_version(uint64_t interface_version);

// An otter_namer. *Returns* `raw`, or a short name in `room`. A label that it recognises as the
// user's own is returned unchanged.
otter_namer names_show;
