// The open Kokkos constructs on one thread. Private to core/analysis.
#pragma once

#include "analysis/kokkos/kokkos.h"

void otter_kokkos_begin(struct otter_kokkos *kokkos, uint32_t region, uint64_t time);
// Ends the innermost construct of this region, and all regions that are still open inside it.
void otter_kokkos_end(struct otter_kokkos *kokkos, uint32_t region, uint64_t time);

// The thread enters or leaves an OpenMP team.
void otter_kokkos_begin_team(struct otter_kokkos *kokkos, uint64_t time);
void otter_kokkos_end_team(struct otter_kokkos *kokkos, uint64_t time);
// The Enter of a region that does not belong to Kokkos.
void otter_kokkos_enter_other(struct otter_kokkos *kokkos, uint32_t region);
