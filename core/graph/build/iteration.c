// Adds the edges between the iterations of doacross loops and between ordered regions.
#include "graph/build/chain.h"

static uint64_t mix(uint64_t value)
{
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9); // splitmix64
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

void otter_chain_order_iteration(struct otter_builder *builder, const struct otter_context *context,
                                 uint64_t iteration, bool is_source)
{
    if (!OTTER_VECTOR_RESERVE(&builder->doacross)) {
        builder->has_failed = true;
        return;
    }
    builder->doacross.items[builder->doacross.n++] =
        (struct otter_doacross){.iteration = iteration,
                                .node = context->position,
                                .member = context->member,
                                .loop = context->n_loops,
                                .is_source = is_source};
}

void otter_chain_pass_iteration(struct otter_builder *builder, struct otter_context *context,
                                const struct otter_step *step)
{
    bool is_source = step->kind == OTTER_STEP_SOURCE;
    uint32_t region = builder->open.n > context->first_open
                          ? builder->open.items[builder->open.n - 1].region
                          : OTTER_NONE;
    otter_chain_cut(builder, context, step->time);
    otter_chain_add(builder, context, is_source ? OTTER_NODE_SOURCE : OTTER_NODE_SINK, region,
                    step->time, step->time);
    uint64_t iteration = step->n_entries;
    for (uint32_t i = 0; i < step->n_entries; i++) {
        iteration = mix(iteration ^ builder->entries.items[step->first_entry + i].value) + i;
    }
    otter_chain_order_iteration(builder, context, iteration, is_source);
    otter_chain_run(builder, context, step->time);
    otter_build_trim_entries(builder, step->first_entry, step->n_entries);
}

// ---- after the last location

static int compare_points(const void *a, const void *b)
{
    const struct otter_doacross *left = a, *right = b;
    if (left->team != right->team) {
        return left->team < right->team ? -1 : 1;
    }
    if (left->loop != right->loop) {
        return left->loop < right->loop ? -1 : 1;
    }
    if (left->iteration != right->iteration) {
        return left->iteration < right->iteration ? -1 : 1;
    }
    return (int)right->is_source - (int)left->is_source;
}

static bool is_same_iteration(const struct otter_doacross *a, const struct otter_doacross *b)
{
    return a->team == b->team && a->loop == b->loop && a->iteration == b->iteration;
}

void otter_build_link_iterations(struct otter_builder *builder)
{
    struct otter_doacross *points = builder->doacross.items;
    uint32_t n = builder->doacross.n;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t member = points[i].member;
        points[i].team = member == OTTER_NONE ? OTTER_NONE : builder->members.items[member].fork;
    }
    if (n > 0) {
        qsort(points, n, sizeof *points, compare_points);
    }
    for (uint32_t i = 1, source = 0; i < n; i++) {
        if (points[i].is_source) {
            source = i;
        } else if (points[source].is_source && is_same_iteration(&points[source], &points[i])) {
            otter_build_edge(builder, points[source].node, points[i].node, OTTER_EDGE_DOACROSS);
        }
    }
}
