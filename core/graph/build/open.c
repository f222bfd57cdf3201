// Begins and ends the waits of a task, and divides its operations on device data into parts.
#include "graph/build/chain.h"

// *Returns* the operation in which the task is now, possibly inside scopes of the operation. NULL
// if there is none, or if the view has no parts of operations.
static struct otter_open_construct *innermost_operation(struct otter_builder *builder,
                                                        const struct otter_context *context)
{
    if (otter_is_structure(builder) || context->n_waits == 0) {
        return NULL;
    }
    for (uint32_t i = builder->open.n; i > context->first_open; i--) {
        struct otter_open_construct *open = &builder->open.items[i - 1];
        if (otter_is_wait(open->class)) {
            bool is_own = open->class == OTTER_CLASS_OPERATION && open->n_waits == context->n_waits;
            return is_own ? open : NULL;
        }
    }
    return NULL;
}

void otter_chain_interrupt(struct otter_builder *builder, struct otter_context *context,
                           uint64_t time)
{
    struct otter_open_construct *open = innermost_operation(builder, context);
    if (open && !open->is_interrupted) {
        otter_chain_add(builder, context, OTTER_NODE_OPERATION, open->region, open->start, time);
        open->is_interrupted = true;
    }
}

void otter_chain_go_on(struct otter_builder *builder, const struct otter_context *context,
                       uint64_t time)
{
    struct otter_open_construct *open = innermost_operation(builder, context);
    if (open && open->is_interrupted) {
        open->start = time;
        open->is_interrupted = false;
    }
}

void otter_chain_begin_wait(struct otter_builder *builder, struct otter_context *context,
                            uint64_t time)
{
    otter_chain_cut(builder, context, time);
    context->n_waits++;
}

void otter_chain_end_wait(struct otter_builder *builder, struct otter_context *context,
                          uint64_t time)
{
    context->n_waits -= context->n_waits > 0;
    if (!builder->closing_flags) {
        otter_chain_go_on(builder, context, time);
        otter_chain_run(builder, context, time);
    }
}
