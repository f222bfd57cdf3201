// Executes the steps of untied tasks sorted by time, after the last location.
#include "graph/build/replay.h"

#include "base/free.h"
#include "base/order.h"

// A stored step, in the list of its task's steps.
struct logged {
    uint64_t time;
    uint32_t next;    // the task's next step, or OTTER_NONE
    uint32_t index;   // of struct otter_step
    uint32_t entries; // index in `entries` of struct otter_log, or OTTER_NONE
    uint16_t location;
    uint8_t kind : 5; // enum otter_step_kind
    bool is_at_once : 1, is_adopted : 1, is_serial : 1;
};
_Static_assert(sizeof(struct logged) == 24, "large recordings have many steps");
_Static_assert(OTTER_STEP_OPERATION < 32, "`kind` has 5 bits");

// Sizes of blocks, in steps. A whole block is large enough for base/large/large.h. The first block
// starts small, since most programs have few untied tasks.
enum { BLOCK = 1 << 20, SMALL_BLOCK = 1 << 8 };

struct otter_log_block {
    uint32_t n_left; // steps that have not been executed
    struct logged steps[];
};

static struct logged *step_at(const struct otter_log *log, uint32_t place)
{
    return &log->blocks.items[place / BLOCK]->steps[place % BLOCK];
}

static size_t size_of_block(uint64_t n_steps)
{
    return sizeof(struct otter_log_block) + n_steps * sizeof(struct logged);
}

static bool add_block(struct otter_log *log)
{
    uint32_t room = log->blocks.n == 0 ? SMALL_BLOCK : BLOCK;
    struct otter_log_block *block = malloc(size_of_block(room));
    if (!block || !OTTER_VECTOR_ADD(&log->blocks, block)) {
        free(block);
        return false;
    }
    block->n_left = 0;
    log->room += room;
    return true;
}

// The first block has `room` steps.
static bool double_first_block(struct otter_log *log)
{
    struct otter_log_block *block = realloc(log->blocks.items[0], size_of_block(2 * log->room));
    if (!block) {
        return false;
    }
    log->blocks.items[0] = block;
    log->room *= 2;
    return true;
}

static bool reserve_step(struct otter_log *log)
{
    if (log->n_steps < log->room) {
        return true;
    }
    return log->room % BLOCK == 0 ? add_block(log) : double_first_block(log);
}

// *Returns* the place of a new step, or OTTER_NONE if out of memory or numbers.
static uint32_t add_step(struct otter_log *log)
{
    if (log->n_steps == OTTER_NONE - 1 || !reserve_step(log)) {
        return OTTER_NONE;
    }
    log->blocks.items[log->blocks.n - 1]->n_left++;
    return log->n_steps++;
}

static void free_if_executed(struct otter_log *log, uint32_t place)
{
    struct otter_log_block **block = &log->blocks.items[place / BLOCK];
    if (--(*block)->n_left == 0) {
        free(*block);
        *block = NULL;
    }
}

// *Returns* the list of the task's steps, or NULL if out of memory.
static struct otter_logged_task *list_of(struct otter_log *log, uint32_t task)
{
    while (log->tasks.n <= task) {
        if (!OTTER_VECTOR_ADD(&log->tasks, (struct otter_logged_task){OTTER_NONE, OTTER_NONE})) {
            return NULL;
        }
    }
    return &log->tasks.items[task];
}

// *Returns* the index of the step's entries.
static uint32_t add_entries(struct otter_log *log, struct otter_parts *parts,
                            const struct otter_step *step)
{
    if (step->n_entries == 0) {
        return OTTER_NONE;
    }
    OTTER_APPEND(&parts->store, &log->entries,
                 (struct otter_logged_entries){step->first_entry, step->n_entries});
    return log->entries.n - 1;
}

void otter_log_add(struct otter_log *log, struct otter_parts *parts, const struct otter_step *step)
{
    struct otter_logged_task *list = list_of(log, step->task);
    uint32_t place = list ? add_step(log) : OTTER_NONE;
    if (place == OTTER_NONE) {
        parts->store.has_failed = true;
        return;
    }
    parts->dependences.is_logged = true;
    *(list->first == OTTER_NONE ? &list->first : &step_at(log, list->last)->next) = place;
    list->last = place;
    *step_at(log, place) = (struct logged){.time = step->time,
                                           .next = OTTER_NONE,
                                           .index = step->index,
                                           .entries = add_entries(log, parts, step),
                                           .location = step->location,
                                           .kind = step->kind & 31,
                                           .is_at_once = step->is_at_once,
                                           .is_adopted = step->is_adopted,
                                           .is_serial = step->is_serial};
}

static int compare(const void *a, const void *b)
{
    const struct otter_step *left = a, *right = b;
    int order = otter_compare(left->time, right->time);
    return order ? order : otter_compare(left->order, right->order);
}

// When a task moves to another thread, the recorder leaves its constructs on the old thread and
// enters them on the new one. The program did neither. steps[i] is the step that leaves the thread.
// Marks the leaves right before steps[i], and the enters right after the next OTTER_STEP_BACK,
// except for constructs that changed during a pause.
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

// The steps of one task.
struct steps {
    OTTER_VECTOR(struct otter_step);
};

// Removes the task's steps from the log. *Returns* false if out of memory.
static bool gather(struct steps *steps, struct otter_log *log, uint32_t task)
{
    bool is_sorted = true;
    steps->n = 0;
    for (uint32_t i = log->tasks.items[task].first, n = 0; i != OTTER_NONE; n++) {
        const struct logged *step = step_at(log, i);
        struct otter_logged_entries entries = {0};
        if (step->entries != OTTER_NONE) {
            entries = log->entries.items[step->entries];
        }
        is_sorted = is_sorted && (n == 0 || steps->items[n - 1].time <= step->time);
        if (!OTTER_VECTOR_ADD(steps, (struct otter_step){.time = step->time,
                                                         .task = task,
                                                         .index = step->index,
                                                         .first_entry = entries.first,
                                                         .n_entries = entries.n,
                                                         .order = n,
                                                         .location = step->location,
                                                         .kind = step->kind,
                                                         .is_at_once = step->is_at_once,
                                                         .is_adopted = step->is_adopted,
                                                         .is_serial = step->is_serial})) {
            return false;
        }
        uint32_t next = step->next;
        free_if_executed(log, i);
        i = next;
    }
    if (!is_sorted) {
        OTTER_SORT(steps, compare);
    }
    return true;
}

void otter_log_replay(struct otter_log *log, struct otter_parts *parts)
{
    struct steps steps = {0};
    for (uint32_t i = 0; i < log->tasks.n && !parts->store.has_failed; i++) {
        if (!gather(&steps, log, i)) {
            parts->store.has_failed = true;
        } else if (steps.n > 0) {
            replay_task(parts, steps.items, steps.n);
        }
    }
    free(steps.items);
    otter_log_finish(log);
}

void otter_log_finish(struct otter_log *log)
{
    for (uint32_t i = 0; i < log->blocks.n; i++) {
        free(log->blocks.items[i]);
    }
    OTTER_FREE(log->blocks.items, log->tasks.items, log->entries.items);
    *log = (struct otter_log){0};
}
