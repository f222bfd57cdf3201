// Begins and ends the waits of a task, and divides its operations on device data into parts.
#include "graph/build/edges/open.h"
#include "graph/build/edges/region.h"

// *Returns* the operation that the task executes, even if the task is in a scope inside the
// operation. NULL: there is none, or the view has no parts of operations.
static struct otter_open_construct *innermost_operation(const struct otter_open_constructs *open,
                                                        const struct otter_store *store,
                                                        const struct otter_context *context)
{
    if (otter_is_structure(store) || context->n_waits == 0) {
        return NULL;
    }
    for (uint32_t i = open->n; i > context->first_open; i--) {
        struct otter_open_construct *inner = &open->items[i - 1];
        if (otter_is_wait(inner->class)) {
            bool is_own =
                inner->class == OTTER_CLASS_OPERATION && inner->n_waits == context->n_waits;
            return is_own ? inner : NULL;
        }
    }
    return NULL;
}

void otter_open_interrupt(struct otter_open_constructs *open, struct otter_store *store,
                          struct otter_context *context, uint64_t time)
{
    struct otter_open_construct *operation = innermost_operation(open, store, context);
    if (operation && !operation->is_interrupted) {
        otter_chain_add(store, context, OTTER_NODE_OPERATION, operation->region, operation->start,
                        time);
        operation->is_interrupted = true;
    }
}

void otter_open_resume(struct otter_open_constructs *open, const struct otter_store *store,
                       const struct otter_context *context, uint64_t time)
{
    struct otter_open_construct *operation = innermost_operation(open, store, context);
    if (operation && operation->is_interrupted) {
        operation->start = time;
        operation->is_interrupted = false;
    }
}

void otter_open_begin_wait(struct otter_store *store, struct otter_context *context, uint64_t time)
{
    otter_chain_cut(store, context, time);
    context->n_waits++;
}

void otter_open_end_wait(struct otter_open_constructs *open, struct otter_store *store,
                         struct otter_context *context, uint64_t time)
{
    context->n_waits -= context->n_waits > 0;
    if (!store->closing_flags) {
        otter_open_resume(open, store, context, time);
        otter_chain_run(store, context, time);
    }
}
