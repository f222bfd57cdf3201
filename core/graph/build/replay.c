// Executes the steps of untied tasks in order of time, after the last location.
#include "graph/build/internal.h"

static int compare(const void *a, const void *b)
{
    const struct otter_step *left = a, *right = b;
    if (left->task != right->task) {
        return left->task < right->task ? -1 : 1;
    }
    if (left->time != right->time) {
        return left->time < right->time ? -1 : 1;
    }
    return left->order < right->order ? -1 : left->order > right->order;
}

// The recorder leaves the constructs of a task that moves to another thread, and enters them again
// there. The program did neither. steps[i] leaves a thread. This function marks the leaves right
// before it, and the enters right after the next OTTER_STEP_BACK. Constructs that changed in a
// pause are not marked.
static void drop_copies(struct otter_step *steps, size_t n, size_t i)
{
    size_t back = i + 1;
    while (back < n && steps[back].kind != OTTER_STEP_BACK) {
        back++;
    }
    if (back == n) {
        return;
    }
    // Leaves begin with the innermost construct, enters with the outermost.
    size_t left = i, entered = back + 1;
    while (left > 0 && entered < n && steps[left - 1].time == steps[i].time &&
           steps[left - 1].kind == OTTER_STEP_LEAVE && steps[entered].time == steps[back].time &&
           steps[entered].kind == OTTER_STEP_ENTER &&
           steps[left - 1].index == steps[entered].index) {
        steps[--left].is_copy = true;
        steps[entered++].is_copy = true;
    }
}

static void replay_task(struct otter_builder *builder, struct otter_step *steps, size_t n)
{
    struct otter_context context;
    uint32_t task = steps[0].task;
    otter_context_init(&context, task, builder->tasks.items[task].first_node);
    context.is_untied = true;
    context.is_serial = steps[0].is_serial;
    context.first_open = builder->open.n;
    for (size_t i = 0; i < n; i++) {
        if (steps[i].kind == OTTER_STEP_AWAY) {
            drop_copies(steps, n, i);
        }
    }
    for (size_t i = 0; i < n; i++) {
        if (!steps[i].is_copy) {
            otter_step_do(builder, &context, &steps[i]);
        }
    }
    otter_context_finish(builder, &context, steps[n - 1].time);
}

void otter_build_replay(struct otter_builder *builder)
{
    struct otter_step *steps = builder->log.items;
    size_t n = builder->log.n;
    if (n == 0 || builder->has_failed) {
        return;
    }
    qsort(steps, n, sizeof *steps, compare);
    for (size_t first = 0, i = 1; i <= n; i++) {
        if (i == n || steps[i].task != steps[first].task) {
            replay_task(builder, steps + first, i - first);
            first = i;
        }
    }
    free(builder->log.items);
    builder->log.items = NULL;
    builder->log.n = builder->log.room = 0;
}
