// Executes a replay: threads begin ready nodes, by the rules of OpenMP.
#include <stdlib.h>

#include "analysis/replay/replay_state.h"
#include "graph/numbers.h"

// ---- what a thread does next

// Returns whether the context may begin tasks at these positions while the task on top of it waits.
static bool range_of(const struct otter_replay_schedule *schedule,
                     const struct otter_replay_context *context, uint32_t *first, uint32_t *end)
{
    uint32_t task = context->top;
    const struct otter_replay *replay = schedule->replay;
    bool is_recorded = task < schedule->graph->n_tasks;
    *first = is_recorded ? replay->position[task] + 1 : 0;
    *end = is_recorded ? replay->position_end[task] : 0;
    if (schedule->reach[task] == OTTER_REACH_TEAM && context->team != OTTER_NONE) {
        *first = replay->teams[context->team].first;
        *end = replay->teams[context->team].end;
    }
    return schedule->reach[task] == OTTER_REACH_TEAM ||
           schedule->reach[task] == OTTER_REACH_DESCENDANTS;
}

// Returns the position of the task, or OTTER_NONE if no ready task is in the range.
static uint32_t take(struct otter_replay_schedule *schedule, struct otter_replay_thread *thread,
                     uint32_t first, uint32_t end)
{
    while (thread->newest != OTTER_NONE &&
           !otter_pool_has(&schedule->pool, otter_replay_position_of(schedule, thread->newest))) {
        thread->newest = schedule->older[thread->newest];
    }
    if (schedule->policy == OTTER_REPLAY_STEALING && thread->newest != OTTER_NONE) {
        uint32_t own = otter_replay_position_of(schedule, thread->newest);
        if (first <= own && own < end) {
            return otter_pool_take(&schedule->pool, own, own + 1);
        }
    }
    return first < end ? otter_pool_take(&schedule->pool, first, end) : OTTER_NONE;
}

static bool begin_task(struct otter_replay_schedule *schedule, uint32_t index, uint32_t first,
                       uint32_t end)
{
    struct otter_replay_context *context = &schedule->contexts[index];
    uint32_t position = take(schedule, &schedule->threads[context->thread], first, end);
    if (position == OTTER_NONE) {
        return false;
    }
    uint32_t task = schedule->task_at[position];
    schedule->below[task] = context->top;
    schedule->context_of[task] = index;
    context->top = task;
    otter_replay_start(schedule, index, task);
    return true;
}

static uint32_t child_of(const struct otter_replay_schedule *schedule, uint32_t task)
{
    return schedule->child && task < schedule->graph->n_tasks ? schedule->child[task] : OTTER_NONE;
}

// An untied task leaves its context when it waits.
static void detach(struct otter_replay_schedule *schedule, struct otter_replay_context *context)
{
    while (context->top != OTTER_NONE && schedule->pending[context->top] == OTTER_NONE &&
           schedule->reach[context->top] == OTTER_REACH_DESCENDANTS &&
           child_of(schedule, context->top) == OTTER_NONE &&
           otter_replay_is_untied(schedule, context->top)) {
        schedule->context_of[context->top] = OTTER_NO_CONTEXT;
        context->top = schedule->below[context->top];
    }
}

// Returns whether the context continues.
static bool go_on(struct otter_replay_schedule *schedule, uint32_t index)
{
    struct otter_replay_context *context = &schedule->contexts[index];
    if (context->can_resume) {
        context->can_resume = false;
        otter_replay_begin_running(schedule, index);
        otter_replay_advance(schedule, index);
        return true;
    }
    if (context->is_blocked || context->top == OTTER_NONE || schedule->is_free) {
        return false;
    }
    detach(schedule, context);
    uint32_t child = child_of(schedule, context->top);
    if (child != OTTER_NONE) {
        schedule->child[context->top] = OTTER_NONE;
        schedule->below[child] = context->top;
        schedule->context_of[child] = index;
        context->top = child;
    }
    if (schedule->pending[context->top] == OTTER_NONE) {
        return false;
    }
    otter_replay_start(schedule, index, context->top);
    return true;
}

static void begin_any(struct otter_replay_schedule *schedule, uint32_t index)
{
    const struct otter_replay_thread *thread = &schedule->threads[index];
    if (schedule->is_free) {
        begin_task(schedule, schedule->n_contexts + index, 0, schedule->n_tasks);
        return;
    }
    for (uint32_t i = thread->first; i != OTTER_NONE && schedule->pool.n > 0;) {
        const struct otter_replay_context *context = &schedule->contexts[i];
        uint32_t first, end, next = context->next;
        if (!context->is_blocked && context->top != OTTER_NONE &&
            range_of(schedule, context, &first, &end) && begin_task(schedule, i, first, end)) {
            return;
        }
        i = next;
    }
}

static void find_work(struct otter_replay_schedule *schedule, uint32_t index)
{
    const struct otter_replay_thread *thread = &schedule->threads[index];
    for (uint32_t i = thread->first; i != OTTER_NONE && thread->running == OTTER_NONE;
         i = schedule->contexts[i].next) {
        if (go_on(schedule, i)) {
            return;
        }
    }
    if (thread->running == OTTER_NONE) {
        begin_any(schedule, index);
    }
}

// ---- time

// Lets every idle thread begin the next node that it may execute.
static void settle(struct otter_replay_schedule *schedule)
{
    do {
        otter_replay_sort(schedule->touched.items, schedule->touched.n);
        for (uint32_t i = 0; i < schedule->touched.n; i++) {
            uint32_t thread = schedule->touched.items[i];
            schedule->threads[thread].is_touched = false;
            if (schedule->threads[thread].running == OTTER_NONE) {
                find_work(schedule, thread);
            }
        }
        schedule->touched.n = 0;
        bool has_new = schedule->has_new && schedule->pool.n > 0;
        schedule->has_new = false;
        for (uint32_t i = 0; i < schedule->replay->n_threads && has_new; i++) {
            if (schedule->threads[i].running == OTTER_NONE) {
                otter_replay_touch(schedule, i);
            }
        }
    } while (schedule->touched.n > 0 && !schedule->is_short_of_memory);
}

static void handle(struct otter_replay_schedule *schedule, uint64_t what)
{
    uint32_t n_threads = schedule->replay->n_threads;
    if (what < n_threads) {
        uint32_t context = schedule->threads[what].running;
        if (schedule->contexts[context].action == OTTER_NONE) {
            otter_replay_end_piece(schedule, context);
        } else {
            otter_replay_advance(schedule, context);
        }
    } else if (what < n_threads + (uint64_t)schedule->n_nodes) {
        otter_replay_end_node(schedule, (uint32_t)(what - n_threads));
    } else {
        otter_replay_make_ready(schedule, (uint32_t)(what - n_threads - schedule->n_nodes));
    }
}

// Resolves a standstill: a lock whose owner waits for a waiter, or a damaged archive. Returns false
// if nothing is left to do.
static bool go_on_after_stop(struct otter_replay_schedule *schedule)
{
    for (uint32_t i = 0; i < schedule->replay->locks.n; i++) {
        if (schedule->locks[i].first != OTTER_NONE) {
            otter_replay_release(schedule, &schedule->locks[i]);
            return true;
        }
    }
    for (uint32_t i = 0; i < schedule->replay->analysis->exclusions.n; i++) {
        if (schedule->exclusions[i].first != OTTER_NONE) {
            otter_replay_free(schedule, &schedule->exclusions[i]);
            return true;
        }
    }
    bool was_free = schedule->is_free;
    schedule->is_free = true;
    for (uint32_t i = 0; i < schedule->n_tasks && !was_free; i++) {
        uint32_t node = schedule->pending[i];
        if (node != OTTER_NONE &&
            !otter_pool_has(&schedule->pool, otter_replay_position_of(schedule, i))) {
            otter_replay_put(schedule, i, node);
        }
    }
    schedule->has_new = !was_free && schedule->pool.n > 0;
    return schedule->has_new;
}

static void run(struct otter_replay_schedule *schedule)
{
    do {
        settle(schedule);
        while (schedule->events.n > 0 && !schedule->is_short_of_memory) {
            otter_replay_pass(schedule, schedule->events.items[0].time);
            while (schedule->events.n > 0 && schedule->events.items[0].time == schedule->time) {
                handle(schedule, otter_replay_pop(schedule).what);
            }
            settle(schedule);
        }
    } while (!schedule->is_short_of_memory && go_on_after_stop(schedule));
}

// ---- begin and end

// A node without predecessors begins at the time at which it began in the run.
static void prepare_nodes(struct otter_replay_schedule *schedule)
{
    const struct otter_replay *replay = schedule->replay;
    const struct otter_graph *graph = schedule->graph;
    for (uint32_t e = 0; e < replay->first_edge[graph->n_nodes]; e++) {
        schedule->n_waiting_for[replay->edge_to[e]] += otter_replay_has_edge(replay, e);
    }
    for (uint32_t i = 0; i < replay->phases.n; i++) {
        const struct otter_phase *phase = &replay->phases.items[i];
        for (uint32_t k = 0; k < phase->n_extra; k++) {
            uint32_t extra = phase->first_extra + k;
            schedule->phase_of[extra] = i;
            schedule->n_waiting_for[graph->n_nodes + extra] = 1 + (phase->before != OTTER_NONE);
        }
        if (phase->end != OTTER_NONE) {
            schedule->n_waiting_for[phase->end] += phase->n_extra;
        }
    }
    uint64_t begin = replay->analysis->timeline.begin;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        if (schedule->n_waiting_for[i] == 0 && !otter_replay_drops_node(replay, i)) {
            uint64_t start = graph->nodes[i].start;
            otter_replay_push(schedule, start > begin ? start - begin : 0,
                              replay->n_threads + (uint64_t)schedule->n_nodes + i);
        }
    }
}

static void prepare_contexts(struct otter_replay_schedule *schedule)
{
    const struct otter_replay *replay = schedule->replay;
    for (uint32_t i = 0; i < schedule->n_contexts + schedule->n_spare; i++) {
        bool is_spare = i >= schedule->n_contexts;
        schedule->contexts[i] = (struct otter_replay_context){
            .thread = is_spare ? i - schedule->n_contexts : replay->thread_of[i],
            .next = OTTER_NONE,
            .team = OTTER_NONE,
            .top = OTTER_NONE,
            .node = OTTER_NONE,
            .loop = OTTER_NONE,
        };
    }
    for (uint32_t i = 0; i < replay->n_contexts; i++) {
        schedule->contexts[i].team = replay->team[i];
    }
}

static void prepare_teams(struct otter_replay_schedule *schedule)
{
    const struct otter_replay *replay = schedule->replay;
    for (uint32_t i = 0; i < schedule->graph->n_teams; i++) {
        const struct otter_graph_team *team = &schedule->graph->teams[i];
        const struct otter_replay_team *own = &replay->teams[i];
        for (uint32_t k = team->n_members; k < own->n_threads; k++) {
            schedule->contexts[own->first_extra + k - team->n_members].team = i;
        }
    }
    for (uint32_t i = 0; i < schedule->n_tasks; i++) {
        schedule->task_at[otter_replay_position_of(schedule, i)] = i;
    }
    for (uint32_t i = 0; i < replay->n_threads; i++) {
        schedule->threads[i] = (struct otter_replay_thread){
            .running = OTTER_NONE, .first = OTTER_NONE, .newest = OTTER_NONE};
    }
    for (uint32_t i = 0; i < replay->locks.n; i++) {
        schedule->locks[i] = (struct otter_replay_lock){.first = OTTER_NONE, .last = OTTER_NONE};
    }
    for (uint32_t i = 0; i < replay->analysis->exclusions.n; i++) {
        schedule->exclusions[i] = (struct otter_replay_lock){.first = OTTER_NONE};
    }
}

static bool has_undeferred(const struct otter_graph *graph)
{
    uint32_t i = 0;
    while (i < graph->n_tasks && !(graph->tasks[i].flags & OTTER_NODE_UNDEFERRED)) {
        i++;
    }
    return i < graph->n_tasks;
}

static bool allocate(struct otter_replay_schedule *schedule)
{
    const struct otter_replay *replay = schedule->replay;
    size_t n_tasks = schedule->n_tasks + (size_t)1, n_nodes = schedule->n_nodes + (size_t)1;
    schedule->n_waiting_for = calloc(n_nodes, sizeof *schedule->n_waiting_for);
    schedule->phase_of = otter_numbers_create(replay->n_extra_nodes);
    schedule->pending = otter_numbers_create(n_tasks);
    schedule->context_of = otter_numbers_create(n_tasks);
    schedule->below = otter_numbers_create(n_tasks);
    bool has_child = replay->cut || has_undeferred(schedule->graph);
    schedule->child = has_child ? otter_numbers_create(n_tasks) : NULL;
    schedule->older = otter_numbers_create(schedule->policy == OTTER_REPLAY_STEALING ? n_tasks : 0);
    schedule->task_at = otter_numbers_create(n_tasks);
    schedule->reach = calloc(n_tasks, 1);
    schedule->next_chunk = calloc(replay->loops.n + (size_t)1, sizeof *schedule->next_chunk);
    schedule->contexts =
        malloc((schedule->n_contexts + (size_t)schedule->n_spare + 1) * sizeof *schedule->contexts);
    schedule->threads = malloc((replay->n_threads + (size_t)1) * sizeof *schedule->threads);
    schedule->locks = malloc((replay->locks.n + (size_t)1) * sizeof *schedule->locks);
    schedule->exclusions =
        malloc((replay->analysis->exclusions.n + (size_t)1) * sizeof *schedule->exclusions);
    return schedule->n_waiting_for && schedule->phase_of && schedule->pending &&
           schedule->context_of && schedule->below && (schedule->child || !has_child) &&
           schedule->older && schedule->task_at && schedule->reach && schedule->next_chunk &&
           schedule->contexts && schedule->threads && schedule->locks && schedule->exclusions &&
           !otter_pool_init(&schedule->pool, schedule->n_tasks);
}

static void finish(struct otter_replay_schedule *schedule)
{
    void *const parts[] = {schedule->n_waiting_for, schedule->phase_of,     schedule->pending,
                           schedule->context_of,    schedule->below,        schedule->child,
                           schedule->older,         schedule->task_at,      schedule->reach,
                           schedule->next_chunk,    schedule->contexts,     schedule->threads,
                           schedule->locks,         schedule->events.items, schedule->done.items,
                           schedule->touched.items, schedule->made.items,   schedule->exclusions};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        free(parts[i]);
    }
    otter_pool_finish(&schedule->pool);
}

enum otter_status otter_replay_execute(const struct otter_replay *replay,
                                       enum otter_replay_policy policy, uint64_t *ticks)
{
    const struct otter_graph *graph = replay->analysis->graph;
    struct otter_replay_schedule schedule = {
        .replay = replay,
        .graph = graph,
        .policy = policy,
        .n_nodes = graph->n_nodes + replay->n_extra_nodes,
        .n_tasks = graph->n_tasks + replay->n_extra_contexts,
        .n_contexts = replay->n_contexts + replay->n_extra_contexts,
        .n_spare = replay->n_threads,
        .at_thread = OTTER_NONE,
        .takes_locks = otter_replay_takes_locks(replay, replay->n_threads),
    };
    schedule.is_short_of_memory = !allocate(&schedule);
    if (!schedule.is_short_of_memory) {
        prepare_contexts(&schedule);
        prepare_teams(&schedule);
        prepare_nodes(&schedule);
        run(&schedule);
    }
    *ticks = schedule.time;
    finish(&schedule);
    return schedule.is_short_of_memory ? OTTER_NO_MEMORY : OTTER_OK;
}
