// Prints Kokkos' costs for `otter info`, as text and as JSON.
#pragma once

#include <jansson.h>

#include "analysis/kokkos/kokkos.h"

#define OTTER_KOKKOS_PREFIX "OTTER::KOKKOS::" // of properties that contain metadata

// - `seconds`: time span of all events; negative: unknown
// - `all`: no list or label is shortened
// - `width`: columns of the terminal; a narrow one shows no mean, min and max
void otter_kokkos_print(FILE *out, const struct otter_archive *archive,
                        const struct otter_kokkos *kokkos, double seconds, bool all,
                        unsigned width);

// NULL: out of memory.
json_t *otter_kokkos_json(const struct otter_archive *archive, const struct otter_kokkos *kokkos);

// Returns the name of the default device, such as "OpenMP". A mangled class name is demangled. The
// caller frees the text. NULL: unknown, or memory has run out.
char *otter_kokkos_device(const struct otter_archive *archive);

// Returns `ticks` in seconds, or a negative number if the clock has no resolution.
double otter_kokkos_seconds(const struct otter_kokkos *kokkos, double ticks);
