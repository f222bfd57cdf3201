// Untied tasks: their steps, kept while the locations were read, played in the order of time.
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

// Where a task leaves a thread its constructs are left, and where it comes back they are entered again, in the same call: the
// program did neither. `i` is a step away; the steps before it at its time, and those after the next step back at that one's time, go.
// While recording was paused the task may have left some and entered others: these stay.
static void drop_copies(struct otter_step *steps, size_t n, size_t i)
{
    size_t back = i + 1;
    while (back < n && steps[back].kind != OTTER_STEP_BACK) {
        back++;
    }
    if (back == n) {
        return;
    }
    size_t left = i, entered = back + 1; // from the outside to the inside: backwards and forwards
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
