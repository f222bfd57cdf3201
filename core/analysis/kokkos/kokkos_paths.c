// Finds the paths of labels by a hash of the parent and the region.
#include "analysis/kokkos/kokkos_paths.h"

#include <stdlib.h>

#include "base/free.h"
#include "base/order.h"

enum { MAX_PATHS = 1 << 18 }; // normal programs have a few hundred

static uint32_t slot_of(const struct otter_kokkos_paths *paths, uint32_t parent, uint32_t region)
{
    uint64_t key = ((uint64_t)parent << 32 | region) * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t slot = (uint32_t)(key >> 32) & (paths->n_slots - 1);
    for (uint32_t at; (at = paths->slots[slot]) != 0; slot = (slot + 1) & (paths->n_slots - 1)) {
        if (paths->items[at].parent == parent && paths->items[at].region == region) {
            break;
        }
    }
    return slot;
}

// Ensures that there are at least twice as many slots as paths.
static bool grow(struct otter_kokkos_paths *paths)
{
    if (paths->n * 2 < paths->n_slots) {
        return true;
    }
    uint32_t n_slots = paths->n_slots ? paths->n_slots * 2 : 64;
    uint32_t *slots = calloc(n_slots, sizeof *slots);
    if (!slots) {
        return false;
    }
    free(paths->slots);
    paths->slots = slots;
    paths->n_slots = n_slots;
    for (uint32_t i = 1; i < paths->n; i++) {
        slots[slot_of(paths, paths->items[i].parent, paths->items[i].region)] = i;
    }
    return true;
}

static bool reserve(struct otter_kokkos_paths *paths)
{
    if (!grow(paths) || !OTTER_VECTOR_RESERVE(paths)) {
        return false;
    }
    if (paths->n == 0) {
        paths->items[paths->n++] = (struct otter_kokkos_path){0}; // the root
        return OTTER_VECTOR_RESERVE(paths);
    }
    return true;
}

uint32_t otter_kokkos_path(struct otter_kokkos_paths *paths, uint32_t parent, uint32_t region)
{
    if (parent == OTTER_NONE || !reserve(paths)) {
        paths->n_left_out++;
        return OTTER_NONE;
    }
    uint32_t slot = slot_of(paths, parent, region);
    if (paths->slots[slot]) {
        return paths->slots[slot];
    }
    if (paths->n == MAX_PATHS) {
        paths->n_left_out++;
        return OTTER_NONE;
    }
    paths->slots[slot] = paths->n;
    paths->items[paths->n] = (struct otter_kokkos_path){.parent = parent, .region = region};
    return paths->n++;
}

// ---- order

struct child {
    uint64_t inclusive;
    uint32_t parent, region, index;
};

// Sorts by parent. The longest of a parent's children comes last, since the stack reverses their
// order.
static int compare_children(const void *a, const void *b)
{
    const struct child *x = a, *y = b;
    return otter_order(OTTER_BY_2(x, y, parent, inclusive), OTTER_BY_1(y, x, region));
}

// `first`: for each path, the index of its first child, or n.
static void sort_children(const struct otter_kokkos_paths *paths, struct child *children,
                          uint32_t *first)
{
    uint32_t n = paths->n - 1;
    for (uint32_t i = 0; i < n; i++) {
        const struct otter_kokkos_path *path = &paths->items[i + 1];
        children[i] = (struct child){path->inclusive, path->parent, path->region, i + 1};
    }
    qsort(children, n, sizeof *children, compare_children);
    for (uint32_t i = 0; i <= n; i++) {
        first[i] = n;
    }
    for (uint32_t i = n; i-- > 0;) {
        first[children[i].parent] = i;
    }
}

static void list(const struct child *children, const uint32_t *first, uint32_t n, uint32_t *stack,
                 uint32_t *order)
{
    uint32_t n_listed = 0, n_stack = 0, path = OTTER_KOKKOS_ROOT;
    for (;;) {
        for (uint32_t i = first[path]; i < n && children[i].parent == path; i++) {
            stack[n_stack++] = children[i].index;
        }
        if (n_stack == 0) {
            return;
        }
        path = stack[--n_stack];
        order[n_listed++] = path;
    }
}

uint32_t *otter_kokkos_paths_order(const struct otter_kokkos_paths *paths, uint32_t *n)
{
    *n = paths->n ? paths->n - 1 : 0;
    uint32_t *order = malloc((*n + (size_t)1) * sizeof *order);
    uint32_t *first = malloc((*n + (size_t)1) * sizeof *first);
    uint32_t *stack = malloc((*n + (size_t)1) * sizeof *stack);
    struct child *children = malloc((*n + (size_t)1) * sizeof *children);
    bool is_good = order && first && stack && children;
    if (is_good && *n > 0) {
        sort_children(paths, children, first);
        list(children, first, *n, stack, order);
    }
    OTTER_FREE(first, stack, children);
    if (!is_good) {
        free(order);
        return NULL;
    }
    return order;
}

void otter_kokkos_paths_finish(struct otter_kokkos_paths *paths)
{
    free(paths->items);
    free(paths->slots);
    *paths = (struct otter_kokkos_paths){0};
}
