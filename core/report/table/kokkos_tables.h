// Tables of Kokkos' costs. The results refer to the archive, and the caller frees them with free().
#pragma once

#include "analysis/kokkos/kokkos.h"

enum otter_kokkos_table {
    OTTER_KOKKOS_KERNELS = 0,
    OTTER_KOKKOS_REGIONS,
    OTTER_KOKKOS_COPIES,
    OTTER_KOKKOS_FENCES,
    OTTER_KOKKOS_SECTIONS,
    OTTER_KOKKOS_EVENTS,
    OTTER_KOKKOS_SYNCS,
    OTTER_KOKKOS_MODIFIES,
};

// Returns the *n regions of a table that occurred: the longest time first, events by their first
// time. NULL: out of memory.
uint32_t *otter_kokkos_rows(const struct otter_kokkos *kokkos, enum otter_kokkos_table table,
                            size_t *n);

// Copies between the same memory spaces, or fences with the same cause.
struct otter_kokkos_group {
    const char *name; // `length` bytes, not terminated
    size_t length;
    uint64_t n, total, bytes;
};

// Groups copies by "Host <- Cuda", fences by "user", "Kokkos", "tool". NULL: out of memory.
struct otter_kokkos_group *otter_kokkos_groups(const struct otter_kokkos *kokkos,
                                               enum otter_kokkos_table table, size_t *n);

struct otter_kokkos_space {
    const char *name;
    uint64_t n_allocated, n_deallocated, bytes_allocated, bytes_deallocated;
    const struct otter_kokkos_level *level; // NULL: not recorded
};

// NULL: out of memory.
struct otter_kokkos_space *otter_kokkos_spaces(const struct otter_kokkos *kokkos, size_t *n);
