// Adds the edges between the iterations of doacross loops and between ordered regions.
#include "graph/build/edges/doacross.h"

static uint64_t mix(uint64_t value)
{
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9); // splitmix64
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

uint64_t otter_doacross_iteration(const struct otter_entry *entries, uint32_t n)
{
    uint64_t iteration = n;
    for (uint32_t i = 0; i < n; i++) {
        iteration = mix(iteration ^ entries[i].value) + i;
    }
    return iteration;
}

void otter_doacross_add(struct otter_doacross *doacross, struct otter_store *store,
                        const struct otter_context *context, uint64_t iteration, bool is_source)
{
    OTTER_APPEND(store, &doacross->points,
                 (struct otter_doacross_point){.iteration = iteration,
                                               .node = context->position,
                                               .member = context->member,
                                               .loop = context->n_loops,
                                               .is_source = is_source});
}

// ---- after the last location

static int compare_points(const void *a, const void *b)
{
    const struct otter_doacross_point *left = a, *right = b;
    int order = otter_compare(left->team, right->team);
    order = order ? order : otter_compare(left->loop, right->loop);
    order = order ? order : otter_compare(left->iteration, right->iteration);
    return order ? order : otter_compare(right->is_source, left->is_source);
}

static bool is_same_iteration(const struct otter_doacross_point *a,
                              const struct otter_doacross_point *b)
{
    return a->team == b->team && a->loop == b->loop && a->iteration == b->iteration;
}

void otter_doacross_link(struct otter_doacross *doacross, struct otter_store *store,
                         const struct otter_teams *teams)
{
    struct otter_doacross_point *points = doacross->points.items;
    uint32_t n = doacross->points.n;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t member = points[i].member;
        points[i].team = member == OTTER_NONE ? OTTER_NONE : teams->members.items[member].fork;
    }
    if (n > 0) {
        qsort(points, n, sizeof *points, compare_points);
    }
    for (uint32_t i = 1, source = 0; i < n; i++) {
        if (points[i].is_source) {
            source = i;
        } else if (points[source].is_source && is_same_iteration(&points[source], &points[i])) {
            otter_store_edge(store, points[source].node, points[i].node, OTTER_EDGE_DOACROSS);
        }
    }
}
