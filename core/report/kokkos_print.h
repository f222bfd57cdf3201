// What `otter info` shows of Kokkos.
#pragma once

#include <jansson.h>

#include "report/kokkos.h"

// `seconds`: the time span of all events, negative when it is not known. With `all`, nothing is left out.
void otter_kokkos_print(FILE *out, const struct otter_archive *archive,
                        const struct otter_kokkos *kokkos, double seconds, bool all);

// NULL when memory is short.
json_t *otter_kokkos_json(const struct otter_archive *archive, const struct otter_kokkos *kokkos);

// "OpenMP", also where the archive has the name that the compiler gave that class. For free(); NULL when memory is short or nothing is told.
char *otter_kokkos_device(const struct otter_archive *archive);

// The number of seconds that so many ticks are, or a negative number when it is not known.
double otter_kokkos_seconds(const struct otter_kokkos *kokkos, double ticks);
