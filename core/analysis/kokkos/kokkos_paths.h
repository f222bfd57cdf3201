// The tree of Kokkos' regions, kernels, copies and fences: each path of labels from the outside in.
#pragma once

#include "base/vector.h"
#include "trace/read/reader.h"

// Times are ticks, sums over all threads.
struct otter_kokkos_path {
    uint32_t parent; // index of the path around it; OTTER_KOKKOS_ROOT: none
    uint32_t region;
    uint64_t n;         // starts
    uint64_t inclusive; // from start to end
    uint64_t exclusive; // without Kokkos' constructs inside
};

enum { OTTER_KOKKOS_ROOT = 0 }; // index of the path without a label

struct otter_kokkos_paths {
    OTTER_VECTOR(struct otter_kokkos_path); // each after its parent
    uint32_t *slots;                        // indexes, by hash; 0: free
    uint32_t n_slots;                       // a power of 2
    uint64_t n_left_out; // starts beyond the limit of paths, which no path counts
};

// Returns the index of the path `parent` > `region`, and creates it if necessary. Returns
// OTTER_NONE if `parent` is OTTER_NONE, there are too many paths, or memory has run out.
uint32_t otter_kokkos_path(struct otter_kokkos_paths *paths, uint32_t parent, uint32_t region);
// Returns the indexes of all *n paths: each path before the paths inside it, and the children of
// each parent in descending order of time. The caller frees the list. NULL: out of memory.
uint32_t *otter_kokkos_paths_order(const struct otter_kokkos_paths *paths, uint32_t *n);
void otter_kokkos_paths_finish(struct otter_kokkos_paths *paths);
