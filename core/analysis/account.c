// Sweeps over the time of all threads at once.
#include "analysis/account.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/node_queue.h"

// Sums over time, at a rate that depends on the states of all threads.
struct integrals {
    double blame, alone; // of a thread that has executed since the beginning
    double delay, tied;  // of a thread that has waited since the beginning
};

struct cursor {
    uint32_t interval;
    uint64_t end;              // of the interval
    struct integrals at_begin; // of the interval
    uint32_t n_bound;          // ready nodes that only this thread may execute
    uint32_t n_tied;           // of these, the explicit tasks
    uint32_t part, next_part;  // the innermost part in a region, OTTER_NONE outside; and the next
};

struct sweep {
    struct otter_account *account;
    const struct otter_timeline *timeline;
    const struct otter_graph *graph;
    const struct otter_ready *ready;
    struct cursor *cursors; // of each thread
    uint32_t *heap;         // threads, by the end of their interval
    bool *is_untied;        // of each region of a task
    // Nodes that wait for a thread, by the time at which they become ready, and begin.
    struct otter_node_queue begins, ends;
    uint64_t time;
    uint32_t n_executing, n_outside, n_waiting, n_mpi;
    uint32_t n_free;   // ready nodes that any thread may execute
    uint32_t n_bound;  // threads that wait although they may execute a node
    uint32_t n_behind; // ready explicit tasks that are tied to threads that do not wait
    struct integrals now;
    double delays[OTTER_N_CONSTRUCTS], tied[OTTER_N_CONSTRUCTS];
    double *region_delays, *region_tied; // by label, as account->regions
};

static const struct otter_interval *interval_of(const struct sweep *sweep, uint32_t thread)
{
    return &sweep->timeline->lines[thread].intervals.items[sweep->cursors[thread].interval];
}

// ---- the heap of threads

static void sift_down(struct sweep *sweep, uint32_t n, uint32_t at)
{
    for (;;) {
        uint32_t least = at;
        for (uint32_t child = 2 * at + 1; child < n && child <= 2 * at + 2; child++) {
            if (sweep->cursors[sweep->heap[child]].end < sweep->cursors[sweep->heap[least]].end) {
                least = child;
            }
        }
        if (least == at) {
            return;
        }
        uint32_t swapped = sweep->heap[at];
        sweep->heap[at] = sweep->heap[least];
        sweep->heap[least] = swapped;
        at = least;
    }
}

// ---- counts

static void count_bound(struct sweep *sweep, uint32_t thread, int by)
{
    const struct cursor *cursor = &sweep->cursors[thread];
    if (interval_of(sweep, thread)->state == OTTER_STATE_WAITING) {
        sweep->n_bound += cursor->n_bound > 0 ? (uint32_t)by : 0;
    } else {
        sweep->n_behind += cursor->n_tied * (uint32_t)by;
    }
}

// The thread that alone may execute the node: a tied task that has begun does not change threads.
static uint32_t thread_of(const struct sweep *sweep, uint32_t index)
{
    const struct otter_node *node = &sweep->graph->nodes[index];
    bool is_bound = !otter_node_begins_task(sweep->graph, index) &&
                    !(node->region < sweep->account->n_labels && sweep->is_untied[node->region]);
    return is_bound ? sweep->timeline->line_of[node->location] : OTTER_NONE;
}

static void count_node(struct sweep *sweep, uint32_t node, int by)
{
    uint32_t thread = thread_of(sweep, node);
    if (thread == OTTER_NONE) {
        sweep->n_free += (uint32_t)by;
        return;
    }
    bool is_over = sweep->cursors[thread].interval >= sweep->timeline->lines[thread].intervals.n;
    if (!is_over) {
        uint32_t task = sweep->graph->nodes[node].task;
        bool is_explicit = sweep->graph->tasks[task].kind == OTTER_TASK_KIND_EXPLICIT;
        count_bound(sweep, thread, -1);
        sweep->cursors[thread].n_bound += (uint32_t)by;
        sweep->cursors[thread].n_tied += is_explicit ? (uint32_t)by : 0;
        count_bound(sweep, thread, 1);
    }
}

static void count_interval(struct sweep *sweep, uint32_t thread, int by)
{
    const struct otter_interval *interval = interval_of(sweep, thread);
    switch ((enum otter_state)interval->state) {
    case OTTER_STATE_EXECUTING: sweep->n_executing += (uint32_t)by; break;
    case OTTER_STATE_OUTSIDE: sweep->n_outside += (uint32_t)by; break;
    case OTTER_STATE_WAITING: sweep->n_waiting += (uint32_t)by; break;
    case OTTER_STATE_MPI: sweep->n_mpi += (uint32_t)by; break;
    default: break;
    }
    count_bound(sweep, thread, by);
}

// Parts are in order of their begin. A damaged part has no end, and ends at once.
static void find_part(struct cursor *cursor, const struct otter_thread_line *line)
{
    const struct otter_membership *parts = line->memberships.items;
    while (cursor->next_part < line->memberships.n &&
           parts[cursor->next_part].first_interval <= cursor->interval) {
        cursor->part = cursor->next_part++;
    }
    while (cursor->part != OTTER_NONE &&
           parts[cursor->part].end <= line->intervals.items[cursor->interval].begin) {
        cursor->part = parts[cursor->part].outer;
    }
}

static void begin_interval(struct sweep *sweep, uint32_t thread)
{
    struct cursor *cursor = &sweep->cursors[thread];
    cursor->end =
        otter_interval_end(sweep->timeline, &sweep->timeline->lines[thread], cursor->interval);
    cursor->at_begin = sweep->now;
    find_part(cursor, &sweep->timeline->lines[thread]);
    count_interval(sweep, thread, 1);
}

static void add_ticks(struct otter_account *account, const struct otter_interval *interval,
                      enum otter_construct construct, uint64_t ticks)
{
    switch ((enum otter_state)interval->state) {
    case OTTER_STATE_EXECUTING: account->executing += ticks; break;
    case OTTER_STATE_WAITING: account->waits[construct].ticks += ticks; break;
    case OTTER_STATE_LOCK: account->lock += ticks; break;
    case OTTER_STATE_FORKING: account->forking += ticks; break;
    case OTTER_STATE_MPI: account->mpi += ticks; break;
    case OTTER_STATE_PAUSED: account->paused += ticks; break;
    case OTTER_STATE_LOST: account->lost += ticks; break;
    case OTTER_STATE_OUTSIDE:
    case OTTER_N_STATES: account->outside += ticks; break;
    }
}

static void end_wait(struct sweep *sweep, uint32_t thread, uint64_t ticks)
{
    const struct cursor *cursor = &sweep->cursors[thread];
    const struct otter_thread_line *line = &sweep->timeline->lines[thread];
    enum otter_construct construct = otter_definitions_construct(
        sweep->timeline->definitions, interval_of(sweep, thread)->region);
    double delay = sweep->now.delay - cursor->at_begin.delay;
    double tied = sweep->now.tied - cursor->at_begin.tied;
    uint32_t region = otter_account_label(
        sweep->account,
        cursor->part != OTTER_NONE ? line->memberships.items[cursor->part].label : OTTER_NONE);
    sweep->delays[construct] += delay;
    sweep->tied[construct] += tied;
    sweep->account->regions[region].ticks += ticks;
    sweep->region_delays[region] += delay;
    sweep->region_tied[region] += tied;
}

static void end_interval(struct sweep *sweep, uint32_t thread)
{
    struct otter_account *account = sweep->account;
    const struct cursor *cursor = &sweep->cursors[thread];
    const struct otter_interval *interval = interval_of(sweep, thread);
    uint64_t ticks = cursor->end - interval->begin;
    count_interval(sweep, thread, -1);
    add_ticks(account, interval,
              otter_definitions_construct(sweep->timeline->definitions, interval->region), ticks);
    if (interval->state == OTTER_STATE_EXECUTING) {
        uint32_t label = otter_account_label(account, interval->label);
        account->executed[label] += ticks;
        account->blame[label] += sweep->now.blame - cursor->at_begin.blame;
        account->alone[label] += sweep->now.alone - cursor->at_begin.alone;
    } else if (interval->state == OTTER_STATE_WAITING) {
        end_wait(sweep, thread, ticks);
    }
}

// ---- time

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void count_running(struct otter_account *account, uint32_t n, uint64_t passed)
{
    if (passed > 0 && n > account->most_running) {
        account->most_running = n;
    }
    if (account->n_processors > 0 && n > account->n_processors) {
        account->crowded += passed * (n - account->n_processors);
    }
}

// Nothing changes until `time`. As many of the waiting threads are delayed as nodes are ready that
// they may execute. As many of the others are tied as ready nodes need a busy thread.
static void pass(struct sweep *sweep, uint64_t time)
{
    uint64_t passed = time - sweep->time;
    double ticks = (double)passed;
    uint32_t n_delayed = least(sweep->n_waiting, sweep->n_free + sweep->n_bound);
    uint32_t n_tied = least(sweep->n_waiting - n_delayed, sweep->n_behind);
    if (sweep->n_waiting > 0) {
        sweep->now.delay += ticks * n_delayed / sweep->n_waiting;
        sweep->now.tied += ticks * n_tied / sweep->n_waiting;
    }
    if (sweep->n_executing > 0) {
        uint32_t n_idle = sweep->n_waiting - n_delayed - n_tied + sweep->n_outside;
        sweep->now.blame += ticks * n_idle / sweep->n_executing;
        sweep->now.alone += ticks * sweep->n_outside / sweep->n_executing;
    } else if (sweep->n_mpi > 0) {
        sweep->account->beside_mpi += passed * sweep->n_outside;
    }
    count_running(sweep->account, sweep->n_executing, passed);
    sweep->time = time;
}

static uint64_t next_time(const struct sweep *sweep, uint32_t n_open)
{
    uint64_t time = n_open ? sweep->cursors[sweep->heap[0]].end : UINT64_MAX;
    uint64_t begin = otter_node_queue_time(&sweep->begins);
    uint64_t end = otter_node_queue_time(&sweep->ends);
    time = begin < time ? begin : time;
    time = end < time ? end : time;
    return time > sweep->time ? time : sweep->time;
}

static void count_ready(struct sweep *sweep)
{
    while (sweep->begins.n_lists > 0 && otter_node_queue_time(&sweep->begins) <= sweep->time) {
        count_node(sweep, otter_node_queue_take(&sweep->begins), 1);
    }
    while (sweep->ends.n_lists > 0 && otter_node_queue_time(&sweep->ends) <= sweep->time) {
        count_node(sweep, otter_node_queue_take(&sweep->ends), -1);
    }
}

static void run(struct sweep *sweep)
{
    uint32_t n_open = sweep->timeline->n_lines;
    sweep->time = sweep->timeline->begin;
    for (uint32_t i = 0; i < n_open; i++) {
        sweep->heap[i] = i;
        sweep->cursors[i].part = OTTER_NONE;
        begin_interval(sweep, i);
    }
    for (uint32_t i = n_open; i-- > 0;) {
        sift_down(sweep, n_open, i);
    }
    while (n_open > 0) {
        pass(sweep, next_time(sweep, n_open));
        count_ready(sweep);
        while (n_open > 0 && sweep->cursors[sweep->heap[0]].end <= sweep->time) {
            uint32_t thread = sweep->heap[0];
            end_interval(sweep, thread);
            if (++sweep->cursors[thread].interval < sweep->timeline->lines[thread].intervals.n) {
                begin_interval(sweep, thread);
            } else {
                sweep->heap[0] = sweep->heap[--n_open];
            }
            sift_down(sweep, n_open, 0);
        }
    }
}

// ---- ready nodes

static bool waits_for_a_thread(const void *user, uint32_t node)
{
    const struct sweep *sweep = user;
    const struct otter_node *at = &sweep->graph->nodes[node];
    return at->kind == OTTER_NODE_FRAGMENT && sweep->ready->last[node] != OTTER_NONE &&
           sweep->ready->times[node] < at->start;
}

static bool gather_ready(struct sweep *sweep)
{
    const struct otter_definitions *definitions = sweep->timeline->definitions;
    for (size_t i = 0; i < definitions->n_regions; i++) {
        sweep->is_untied[i] = strstr(definitions->regions[i].description, "untied");
    }
    const struct otter_node *nodes = sweep->graph->nodes;
    return !otter_node_queue_init(&sweep->begins, sweep->graph, sweep->timeline,
                                  sweep->ready->times, sizeof *sweep->ready->times,
                                  waits_for_a_thread, sweep) &&
           !otter_node_queue_init(&sweep->ends, sweep->graph, sweep->timeline, &nodes->start,
                                  sizeof *nodes, waits_for_a_thread, sweep);
}

// ---- the account

static uint64_t rounded(double ticks, uint64_t most)
{
    uint64_t result = ticks > 0 ? (uint64_t)(ticks + 0.5) : 0;
    return result < most ? result : most;
}

// The parts are rounded; the rest is without work, so that the parts add up.
static void divide(struct otter_wait_account *wait, double delay, double tied)
{
    wait->delay = rounded(delay, wait->ticks);
    wait->tied = rounded(tied, wait->ticks - wait->delay);
    wait->no_work = wait->ticks - wait->delay - wait->tied;
}

static void conclude(struct sweep *sweep, const struct otter_costs *costs)
{
    struct otter_account *account = sweep->account;
    for (unsigned i = 0; i < OTTER_N_CONSTRUCTS; i++) {
        struct otter_wait_account *wait = &account->waits[i];
        divide(wait, sweep->delays[i], sweep->tied[i]);
        account->waiting += wait->ticks;
        account->delay += wait->delay;
        account->tied += wait->tied;
        account->no_work += wait->no_work;
    }
    for (uint32_t i = 0; i < account->n_labels; i++) {
        divide(&account->regions[i], sweep->region_delays[i], sweep->region_tied[i]);
    }
    account->creating = costs->creating < account->executing ? costs->creating : account->executing;
    account->executing -= account->creating;
    account->scheduling =
        costs->scheduling_sum < account->delay ? costs->scheduling_sum : account->delay;
}

static bool begin_sweep(struct sweep *sweep)
{
    size_t n = sweep->timeline->n_lines + (size_t)1, n_labels = sweep->account->n_labels;
    sweep->cursors = calloc(n, sizeof *sweep->cursors);
    sweep->heap = calloc(n, sizeof *sweep->heap);
    sweep->region_delays = calloc(n_labels, sizeof *sweep->region_delays);
    sweep->region_tied = calloc(n_labels, sizeof *sweep->region_tied);
    sweep->is_untied = calloc(n_labels, sizeof *sweep->is_untied);
    return sweep->cursors && sweep->heap && sweep->region_delays && sweep->region_tied &&
           sweep->is_untied && gather_ready(sweep);
}

static void finish_sweep(struct sweep *sweep)
{
    free(sweep->cursors);
    free(sweep->heap);
    free(sweep->is_untied);
    otter_node_queue_finish(&sweep->begins);
    otter_node_queue_finish(&sweep->ends);
    free(sweep->region_delays);
    free(sweep->region_tied);
}

static uint32_t count_processors(const struct otter_definitions *definitions)
{
    uint64_t n = otter_definitions_number(definitions, "OTTER::PROCESSORS");
    return n < UINT32_MAX ? (uint32_t)n : 0;
}

enum otter_status otter_account_init(struct otter_account *account,
                                     const struct otter_timeline *timeline,
                                     const struct otter_graph *graph,
                                     const struct otter_ready *ready,
                                     const struct otter_costs *costs)
{
    *account = (struct otter_account){
        .wall = timeline->end - timeline->begin,
        .total = (timeline->end - timeline->begin) * timeline->n_lines,
        .n_threads = timeline->n_lines,
        .n_processors = count_processors(timeline->definitions),
        .n_labels = (uint32_t)timeline->definitions->n_regions + 1,
    };
    struct sweep sweep = {.account = account, .timeline = timeline, .graph = graph, .ready = ready};
    account->executed = calloc(account->n_labels, sizeof *account->executed);
    account->blame = calloc(account->n_labels, sizeof *account->blame);
    account->alone = calloc(account->n_labels, sizeof *account->alone);
    account->regions = calloc(account->n_labels, sizeof *account->regions);
    bool is_good = account->executed && account->blame && account->alone && account->regions &&
                   begin_sweep(&sweep);
    if (is_good) {
        run(&sweep);
        conclude(&sweep, costs);
    }
    finish_sweep(&sweep);
    if (!is_good) {
        otter_account_finish(account);
        return OTTER_NO_MEMORY;
    }
    return OTTER_OK;
}

void otter_account_finish(struct otter_account *account)
{
    free(account->executed);
    free(account->blame);
    free(account->alone);
    free(account->regions);
    *account = (struct otter_account){0};
}
