// Executes the steps of untied tasks sorted by time, after the last location.
#include "graph/build/replay.h"

void otter_log_add(struct otter_log *log, struct otter_parts *parts, const struct otter_step *step)
{
    if (!OTTER_VECTOR_RESERVE(log)) {
        parts->store.has_failed = true;
        return;
    }
    parts->dependences.is_logged = true;
    log->items[log->n] = *step;
    log->items[log->n].order = log->n;
    log->n++;
}

static int compare(const void *a, const void *b)
{
    const struct otter_step *left = a, *right = b;
    int order = otter_compare(left->task, right->task);
    order = order ? order : otter_compare(left->time, right->time);
    return order ? order : otter_compare(left->order, right->order);
}

// When a task moves to another thread, the recorder leaves its constructs on the old thread and
// enters them on the new one. The program did neither. steps[i] is the step that leaves the thread.
// Marks the leaves right before steps[i], and the enters right after the next OTTER_STEP_BACK,
// except for constructs that changed in a pause.
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

static void replay_task(struct otter_parts *parts, struct otter_step *steps, size_t n)
{
    struct otter_context context;
    uint32_t task = steps[0].task;
    otter_context_init(&context, task, parts->store.tasks.items[task].first_node);
    context.is_serial = steps[0].is_serial;
    context.first_open = parts->open.n;
    for (size_t i = 0; i < n; i++) {
        if (steps[i].kind == OTTER_STEP_AWAY) {
            drop_copies(steps, n, i);
        }
    }
    for (size_t i = 0; i < n; i++) {
        if (!steps[i].is_copy) {
            otter_step_do(parts, &context, &steps[i]);
        }
    }
    otter_step_finish(parts, &context, steps[n - 1].time);
}

void otter_log_replay(struct otter_log *log, struct otter_parts *parts)
{
    struct otter_step *steps = log->items;
    size_t n = log->n;
    if (n == 0 || parts->store.has_failed) {
        return;
    }
    qsort(steps, n, sizeof *steps, compare);
    for (size_t first = 0, i = 1; i <= n; i++) {
        if (i == n || steps[i].task != steps[first].task) {
            replay_task(parts, steps + first, i - first);
            first = i;
        }
    }
    free(log->items);
    log->items = NULL;
    log->n = log->room = 0;
}
