// What Kokkos did, as tables. What is made here points into the archive, and is freed with free().
#pragma once

#include "report/kokkos.h"

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

// The regions of a table of which something is recorded: by their time, events by their first; *n: how many. NULL when memory is short.
uint32_t *otter_kokkos_rows(const struct otter_kokkos *kokkos, enum otter_kokkos_table table,
                            size_t *n);

// What was done between the same spaces, or for the same reason.
struct otter_kokkos_group {
    const char *name; // no text of its own: `length` bytes
    size_t length;
    uint64_t n, total, bytes;
};

// Copies by "Host <- Cuda", fences by "user", "Kokkos", "tool". NULL when memory is short.
struct otter_kokkos_group *otter_kokkos_groups(const struct otter_kokkos *kokkos,
                                               enum otter_kokkos_table table, size_t *n);

struct otter_kokkos_space {
    const char *name;
    uint64_t n_allocated, n_deallocated, bytes_allocated, bytes_deallocated;
    const struct otter_kokkos_level *level; // NULL: none is recorded
};

// NULL when memory is short.
struct otter_kokkos_space *otter_kokkos_spaces(const struct otter_kokkos *kokkos, size_t *n);
