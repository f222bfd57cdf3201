// Tracks which nodes of a replay are ready, and where they may be executed.
#include <stdlib.h>
#include <string.h>

#include "analysis/replay/replay_state.h"
#include "base/order.h"

// ---- events

static bool is_before(const struct otter_replay_entry *a, const struct otter_replay_entry *b)
{
    return a->time != b->time ? a->time < b->time : a->what < b->what;
}

void otter_replay_push(struct otter_replay_schedule *schedule, uint64_t time, uint64_t what)
{
    if (!OTTER_VECTOR_RESERVE(&schedule->events)) {
        schedule->is_short_of_memory = true;
        return;
    }
    struct otter_replay_entry entry = {time, what}, *items = schedule->events.items;
    uint32_t at = schedule->events.n++;
    while (at > 0 && is_before(&entry, &items[(at - 1) / 2])) {
        items[at] = items[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    items[at] = entry;
}

struct otter_replay_entry otter_replay_pop(struct otter_replay_schedule *schedule)
{
    struct otter_replay_entry *items = schedule->events.items;
    uint32_t n = --schedule->events.n, at = 0;
    struct otter_replay_entry first = items[0], last = items[n];
    for (uint32_t child = 1; child < n; child = 2 * at + 1) {
        child += child + 1 < n && is_before(&items[child + 1], &items[child]);
        if (!is_before(&items[child], &last)) {
            break;
        }
        items[at] = items[child];
        at = child;
    }
    items[at] = last;
    return first;
}

static void append_done(struct otter_replay_schedule *schedule, uint32_t node)
{
    schedule->is_short_of_memory |= !OTTER_VECTOR_ADD(&schedule->done, node);
}

void otter_replay_touch(struct otter_replay_schedule *schedule, uint32_t thread)
{
    if (schedule->threads[thread].is_touched) {
        return;
    }
    if (!OTTER_VECTOR_RESERVE(&schedule->touched)) {
        schedule->is_short_of_memory = true;
        return;
    }
    schedule->threads[thread].is_touched = true;
    schedule->touched.items[schedule->touched.n++] = thread;
}

// ---- nodes and tasks

static bool is_piece(const struct otter_replay_schedule *schedule, uint32_t node)
{
    return node >= schedule->graph->n_nodes || otter_node_is_piece(&schedule->graph->nodes[node]);
}

// Returns the number of an additional member among those of its team.
static uint32_t extra_of(const struct otter_replay_schedule *schedule, uint32_t node)
{
    uint32_t index = node - schedule->graph->n_nodes;
    return index - schedule->replay->phases.items[schedule->phase_of[index]].first_extra;
}

static uint32_t extra_context(const struct otter_replay_schedule *schedule, uint32_t node)
{
    uint32_t phase = schedule->phase_of[node - schedule->graph->n_nodes];
    uint32_t team = schedule->replay->phases.items[phase].team;
    return schedule->replay->teams[team].first_extra + extra_of(schedule, node);
}

// Additional members have tasks of their own.
uint32_t otter_replay_task_of(const struct otter_replay_schedule *schedule, uint32_t node)
{
    return node < schedule->graph->n_nodes
               ? schedule->graph->nodes[node].task
               : schedule->graph->n_tasks + extra_context(schedule, node) -
                     schedule->replay->n_contexts;
}

uint32_t otter_replay_member_of(const struct otter_replay_schedule *schedule, uint32_t node)
{
    const struct otter_replay *replay = schedule->replay;
    if (node < schedule->graph->n_nodes) {
        return otter_replay_number_of(replay, schedule->graph->nodes[node].task);
    }
    uint32_t phase = schedule->phase_of[node - schedule->graph->n_nodes];
    return schedule->graph->teams[replay->phases.items[phase].team].n_members +
           extra_of(schedule, node);
}

uint32_t otter_replay_position_of(const struct otter_replay_schedule *schedule, uint32_t task)
{
    return task < schedule->graph->n_tasks ? schedule->replay->position[task] : task;
}

static bool is_explicit(const struct otter_replay_schedule *schedule, uint32_t task)
{
    return task < schedule->graph->n_tasks && schedule->replay->context[task] == OTTER_NONE;
}

bool otter_replay_is_untied(const struct otter_replay_schedule *schedule, uint32_t task)
{
    const struct otter_graph *graph = schedule->graph;
    uint32_t first = is_explicit(schedule, task) ? graph->tasks[task].first_node : OTTER_NONE;
    uint32_t region = first == OTTER_NONE ? OTTER_NONE : graph->nodes[first].region;
    return region < graph->definitions->n_regions &&
           strstr(graph->definitions->regions[region].description, "untied");
}

void otter_replay_put(struct otter_replay_schedule *schedule, uint32_t task, uint32_t node)
{
    bool is_heaviest_first =
        schedule->policy == OTTER_REPLAY_CRITICAL && node < schedule->graph->n_nodes;
    uint64_t key =
        is_heaviest_first ? UINT64_MAX - 1 - schedule->replay->behind[node] : schedule->time;
    schedule->pending[task] = node;
    otter_pool_put(&schedule->pool, otter_replay_position_of(schedule, task), key);
    schedule->has_new = true;
}

static void put_new(struct otter_replay_schedule *schedule, uint32_t task, uint32_t node)
{
    otter_replay_put(schedule, task, node);
    if (schedule->at_thread == OTTER_NONE || schedule->policy != OTTER_REPLAY_STEALING) {
        return;
    }
    schedule->is_short_of_memory |=
        !OTTER_VECTOR_ADD(&schedule->made, otter_replay_position_of(schedule, task));
}

// If the end of a piece makes several tasks ready, those with later positions count as newer.
static void link_new(struct otter_replay_schedule *schedule, struct otter_replay_thread *thread)
{
    otter_replay_sort(schedule->made.items, schedule->made.n);
    for (uint32_t i = 0; i < schedule->made.n; i++) {
        uint32_t task = schedule->task_at[schedule->made.items[i]];
        schedule->older[task] = thread->newest;
        thread->newest = task;
    }
    schedule->made.n = 0;
}

static void activate(struct otter_replay_schedule *schedule, uint32_t index, uint32_t task)
{
    struct otter_replay_context *context = &schedule->contexts[index];
    struct otter_replay_thread *thread = &schedule->threads[context->thread];
    context->top = task;
    schedule->context_of[task] = index;
    uint32_t *place = &thread->first;
    while (*place != OTTER_NONE && *place < index && context->team != OTTER_NONE &&
           schedule->contexts[*place].team == context->team) {
        place = &schedule->contexts[*place].next; // members of one team are in order
    }
    if (!context->is_active) {
        context->is_active = true;
        context->next = *place;
        *place = index;
    }
}

static void deactivate(struct otter_replay_schedule *schedule, uint32_t index)
{
    struct otter_replay_context *context = &schedule->contexts[index];
    uint32_t *place = &schedule->threads[context->thread].first;
    while (*place != OTTER_NONE && *place != index) {
        place = &schedule->contexts[*place].next;
    }
    if (*place == index) {
        *place = context->next;
    }
    context->is_active = false;
}

static uint32_t root_of(const struct otter_replay_schedule *schedule, uint32_t node, uint32_t task)
{
    return node < schedule->graph->n_nodes ? schedule->replay->context[task]
                                           : extra_context(schedule, node);
}

// Returns whether, because of a cut-off, the task is executed at the end of its creator's piece. A
// task that must first wait for dependences is not.
static bool is_cut(const struct otter_replay_schedule *schedule, uint32_t task, uint32_t context)
{
    const struct otter_replay_context *own = &schedule->contexts[context];
    return schedule->replay->cut && schedule->replay->cut[task] == OTTER_CUT_AT_ONCE &&
           own->thread == schedule->at_thread && own->top == schedule->graph->tasks[task].creator;
}

// An undeferred task is executed on top of its creator.
static bool place_undeferred(struct otter_replay_schedule *schedule, uint32_t task, uint32_t node)
{
    const struct otter_graph_task *own = &schedule->graph->tasks[task];
    uint32_t context = own->creator == OTTER_NONE ? OTTER_NONE : schedule->context_of[own->creator];
    bool is_undeferred = !schedule->replay->defers && (own->flags & OTTER_NODE_UNDEFERRED);
    if (context >= OTTER_NO_CONTEXT || !(is_undeferred || is_cut(schedule, task, context)) ||
        schedule->child[own->creator] != OTTER_NONE) {
        return false;
    }
    schedule->child[own->creator] = task;
    schedule->pending[task] = node;
    otter_replay_touch(schedule, schedule->contexts[context].thread);
    return true;
}

static struct otter_replay_lock *exclusions_of(const struct otter_replay_schedule *schedule,
                                               uint32_t task, uint32_t i)
{
    uint32_t n = 0;
    const uint32_t *own =
        task < schedule->graph->n_tasks
            ? otter_exclusions_of(&schedule->replay->analysis->exclusions, task, &n)
            : NULL;
    return i < n ? &schedule->exclusions[own[i]] : NULL;
}

// Returns whether the task waits until another one that excludes it has ended.
static bool has_to_wait(struct otter_replay_schedule *schedule, uint32_t task)
{
    struct otter_replay_lock *exclusion;
    for (uint32_t i = 0; (exclusion = exclusions_of(schedule, task, i)); i++) {
        if (exclusion->is_held) {
            schedule->below[task] = OTTER_NONE;
            *(exclusion->first == OTTER_NONE ? &exclusion->first
                                             : &schedule->below[exclusion->last]) = task;
            exclusion->last = task;
            return true;
        }
    }
    for (uint32_t i = 0; (exclusion = exclusions_of(schedule, task, i)); i++) {
        exclusion->is_held = true;
    }
    return false;
}

static void make_piece_ready(struct otter_replay_schedule *schedule, uint32_t node)
{
    uint32_t task = otter_replay_task_of(schedule, node), context = schedule->context_of[task];
    if (schedule->pending[task] != OTTER_NONE) { // damaged: no thread executes it
        uint64_t duration = otter_slim_get(&schedule->replay->durations, node);
        otter_replay_push(schedule, schedule->time + duration,
                          schedule->replay->n_threads + (uint64_t)node);
        return;
    }
    if (schedule->is_free || context == OTTER_NO_CONTEXT) {
        otter_replay_put(schedule, task, node);
        return;
    }
    uint32_t root = root_of(schedule, node, task);
    if (context == OTTER_NONE && root == OTTER_NONE) {
        if (has_to_wait(schedule, task)) {
            return;
        }
        if (!place_undeferred(schedule, task, node)) {
            put_new(schedule, task, node);
        }
        return;
    }
    if (context == OTTER_NONE) {
        activate(schedule, root, task);
        context = root;
    }
    schedule->pending[task] = node;
    otter_replay_touch(schedule, schedule->contexts[context].thread);
}

void otter_replay_make_ready(struct otter_replay_schedule *schedule, uint32_t node)
{
    if (is_piece(schedule, node)) {
        make_piece_ready(schedule, node);
        return;
    }
    if (schedule->replay->starts) {
        schedule->replay->starts[node] = schedule->time;
    }
    uint64_t duration = otter_slim_get(&schedule->replay->durations, node);
    if (duration > 0) {
        otter_replay_push(schedule, schedule->time + duration,
                          schedule->replay->n_threads + (uint64_t)node);
    } else {
        append_done(schedule, node);
    }
}

// A task that waits for several exclusions may have to wait for the next one; then this exclusion
// goes to another task.
void otter_replay_free(struct otter_replay_schedule *schedule, struct otter_replay_lock *exclusion)
{
    exclusion->is_held = false;
    while (exclusion->first != OTTER_NONE && !exclusion->is_held) {
        uint32_t task = exclusion->first;
        exclusion->first = schedule->below[task];
        make_piece_ready(schedule, schedule->graph->tasks[task].first_node);
    }
}

static void count_down(struct otter_replay_schedule *schedule, uint32_t node)
{
    if (--schedule->n_waiting_for[node] == 0) {
        otter_replay_make_ready(schedule, node);
    }
}

// ---- ends of nodes

static void begin_team(struct otter_replay_schedule *schedule, uint32_t index)
{
    const struct otter_replay *replay = schedule->replay;
    const struct otter_replay_team *team = &replay->teams[index];
    for (uint32_t i = schedule->graph->teams[index].n_members; i < team->n_threads; i++) {
        uint32_t extra = i - schedule->graph->teams[index].n_members;
        uint32_t context = team->first_extra + extra;
        uint32_t task = schedule->graph->n_tasks + context - replay->n_contexts;
        activate(schedule, context, task);
        schedule->reach[task] = OTTER_REACH_TEAM;
        otter_replay_touch(schedule, schedule->contexts[context].thread);
    }
}

static void end_team(struct otter_replay_schedule *schedule, uint32_t index)
{
    const struct otter_replay *replay = schedule->replay;
    const struct otter_graph_team *team = &schedule->graph->teams[index];
    for (uint32_t i = 0; i < team->n_members; i++) {
        uint32_t context = replay->context[schedule->graph->members[team->first_member + i]];
        if (context != OTTER_NONE) {
            deactivate(schedule, context);
        }
    }
    for (uint32_t i = team->n_members; i < replay->teams[index].n_threads; i++) {
        deactivate(schedule, replay->teams[index].first_extra + i - team->n_members);
    }
}

static void pass_extra(struct otter_replay_schedule *schedule, uint32_t node)
{
    const struct otter_replay *replay = schedule->replay;
    const struct otter_phase *phase =
        &replay->phases.items[schedule->phase_of[node - schedule->graph->n_nodes]];
    if (phase->next != OTTER_NONE) {
        count_down(schedule, schedule->graph->n_nodes +
                                 replay->phases.items[phase->next].first_extra +
                                 extra_of(schedule, node));
    }
    if (phase->end != OTTER_NONE) {
        count_down(schedule, phase->end);
    }
}

// Returns the team that begins or ends at the node, or OTTER_NONE.
static uint32_t team_at(const struct otter_replay *replay, uint32_t node)
{
    uint8_t kind = replay->analysis->graph->nodes[node].kind;
    uint32_t low = 0, high = replay->ends.n;
    if (kind != OTTER_NODE_BEGIN && kind != OTTER_NODE_END) {
        return OTTER_NONE;
    }
    OTTER_SEARCH(low, high, middle, replay->ends.items[middle].node <= node)
    bool is_in = low > 0 && replay->ends.items[low - 1].node == node;
    return is_in ? replay->ends.items[low - 1].team : OTTER_NONE;
}

static void pass(struct otter_replay_schedule *schedule, uint32_t node)
{
    const struct otter_replay *replay = schedule->replay;
    if (node >= schedule->graph->n_nodes) {
        pass_extra(schedule, node);
        return;
    }
    uint32_t team = team_at(replay, node);
    if (team != OTTER_NONE && schedule->graph->teams[team].begin_node == node) {
        begin_team(schedule, team);
    } else if (team != OTTER_NONE) {
        end_team(schedule, team);
    }
    for (uint32_t e = replay->first_edge[node]; e < replay->first_edge[node + 1]; e++) {
        if (otter_replay_has_edge(replay, e)) {
            count_down(schedule, replay->edge_to[e]);
        }
    }
    uint32_t phase = otter_replay_phase_at(replay, node);
    for (uint32_t i = 0; phase != OTTER_NONE && i < replay->phases.items[phase].n_extra; i++) {
        count_down(schedule,
                   schedule->graph->n_nodes + replay->phases.items[phase].first_extra + i);
    }
}

void otter_replay_end_node(struct otter_replay_schedule *schedule, uint32_t node)
{
    append_done(schedule, node);
    while (schedule->done.n > 0) {
        pass(schedule, schedule->done.items[--schedule->done.n]);
    }
}

void otter_replay_end_piece(struct otter_replay_schedule *schedule, uint32_t index)
{
    struct otter_replay_context *context = &schedule->contexts[index];
    uint32_t node = context->node, task = otter_replay_task_of(schedule, node);
    otter_replay_stop_running(schedule, index);
    context->node = OTTER_NONE;
    schedule->reach[task] = node < schedule->graph->n_nodes
                                ? (unsigned char)otter_replay_reach(schedule->replay, node)
                                : OTTER_REACH_TEAM;
    otter_replay_touch(schedule, context->thread);
    bool is_over = schedule->reach[task] == OTTER_REACH_END && is_explicit(schedule, task);
    if (is_over && context->top == task) {
        context->top = schedule->below[task];
    }
    schedule->context_of[task] = is_over ? OTTER_NO_CONTEXT : schedule->context_of[task];
    schedule->at_thread = context->thread;
    otter_replay_end_node(schedule, node);
    struct otter_replay_lock *exclusion;
    for (uint32_t i = 0; is_over && (exclusion = exclusions_of(schedule, task, i)); i++) {
        otter_replay_free(schedule, exclusion);
    }
    schedule->at_thread = OTTER_NONE;
    link_new(schedule, &schedule->threads[context->thread]);
}
