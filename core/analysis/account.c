// Sweeps over the time of all threads at once.
#include "analysis/account.h"

#include <stdlib.h>

struct cursor {
    uint32_t interval;
    uint64_t end;                                          // of the interval
    double blame_at_begin, alone_at_begin, delay_at_begin; // of the sweep
};

struct sweep {
    struct otter_account *account;
    const struct otter_timeline *timeline;
    struct cursor *cursors;  // of each thread
    uint32_t *heap;          // threads, by the end of their interval
    uint64_t *begins, *ends; // of ready nodes, each sorted
    uint64_t n_ready_nodes, next_begin, next_end;
    uint64_t time;
    uint32_t n_ready, n_executing, n_outside, n_waiting;
    double delays[OTTER_N_CONSTRUCTS];
    double blame, alone; // of a thread that has executed since the beginning
    double delay;        // of a thread that has waited since the beginning
};

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static const struct otter_interval *interval_of(const struct sweep *sweep, uint32_t thread)
{
    return &sweep->timeline->lines[thread].intervals.items[sweep->cursors[thread].interval];
}

static enum otter_construct construct_of(const struct sweep *sweep, uint32_t region)
{
    const struct otter_definitions *definitions = sweep->timeline->definitions;
    return region < definitions->n_regions ? definitions->regions[region].construct
                                           : OTTER_CONSTRUCT_UNKNOWN;
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

static void count_interval(struct sweep *sweep, uint32_t thread, int by)
{
    const struct otter_interval *interval = interval_of(sweep, thread);
    switch ((enum otter_state)interval->state) {
    case OTTER_STATE_EXECUTING: sweep->n_executing += (uint32_t)by; break;
    case OTTER_STATE_OUTSIDE: sweep->n_outside += (uint32_t)by; break;
    case OTTER_STATE_WAITING: sweep->n_waiting += (uint32_t)by; break;
    default: break;
    }
}

static void begin_interval(struct sweep *sweep, uint32_t thread)
{
    struct cursor *cursor = &sweep->cursors[thread];
    cursor->end =
        otter_interval_end(sweep->timeline, &sweep->timeline->lines[thread], cursor->interval);
    cursor->blame_at_begin = sweep->blame;
    cursor->alone_at_begin = sweep->alone;
    cursor->delay_at_begin = sweep->delay;
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
    case OTTER_STATE_PAUSED: account->paused += ticks; break;
    case OTTER_STATE_OUTSIDE:
    case OTTER_N_STATES: account->outside += ticks; break;
    }
}

static void end_interval(struct sweep *sweep, uint32_t thread)
{
    struct otter_account *account = sweep->account;
    const struct cursor *cursor = &sweep->cursors[thread];
    const struct otter_interval *interval = interval_of(sweep, thread);
    uint64_t ticks = cursor->end - interval->begin;
    count_interval(sweep, thread, -1);
    add_ticks(account, interval, construct_of(sweep, interval->region), ticks);
    if (interval->state == OTTER_STATE_EXECUTING) {
        uint32_t label = otter_account_label(account, interval->label);
        account->executed[label] += ticks;
        account->blame[label] += sweep->blame - cursor->blame_at_begin;
        account->alone[label] += sweep->alone - cursor->alone_at_begin;
    } else if (interval->state == OTTER_STATE_WAITING) {
        sweep->delays[construct_of(sweep, interval->region)] +=
            sweep->delay - cursor->delay_at_begin;
    }
}

// ---- time

// Nothing changes until `time`. As many of the waiting threads are delayed as nodes are ready.
static void pass(struct sweep *sweep, uint64_t time)
{
    double ticks = (double)(time - sweep->time);
    uint32_t n_delayed = sweep->n_ready < sweep->n_waiting ? sweep->n_ready : sweep->n_waiting;
    sweep->account->delay += n_delayed * (time - sweep->time);
    if (n_delayed > 0) {
        sweep->delay += ticks * n_delayed / sweep->n_waiting;
    }
    if (sweep->n_executing > 0) {
        uint32_t n_idle = sweep->n_waiting - n_delayed + sweep->n_outside;
        sweep->blame += ticks * n_idle / sweep->n_executing;
        sweep->alone += ticks * sweep->n_outside / sweep->n_executing;
    }
    if (sweep->n_executing > sweep->account->most_running && time > sweep->time) {
        sweep->account->most_running = sweep->n_executing;
    }
    sweep->time = time;
}

static uint64_t next_time(const struct sweep *sweep, uint32_t n_open)
{
    uint64_t time = n_open ? sweep->cursors[sweep->heap[0]].end : UINT64_MAX;
    if (sweep->next_begin < sweep->n_ready_nodes && sweep->begins[sweep->next_begin] < time) {
        time = sweep->begins[sweep->next_begin];
    }
    if (sweep->next_end < sweep->n_ready_nodes && sweep->ends[sweep->next_end] < time) {
        time = sweep->ends[sweep->next_end];
    }
    return time > sweep->time ? time : sweep->time;
}

static void count_ready(struct sweep *sweep)
{
    for (; sweep->next_begin < sweep->n_ready_nodes &&
           sweep->begins[sweep->next_begin] <= sweep->time;
         sweep->next_begin++) {
        sweep->n_ready++;
    }
    for (; sweep->next_end < sweep->n_ready_nodes && sweep->ends[sweep->next_end] <= sweep->time;
         sweep->next_end++) {
        sweep->n_ready--;
    }
}

static void run(struct sweep *sweep)
{
    uint32_t n_open = sweep->timeline->n_lines;
    sweep->time = sweep->timeline->begin;
    for (uint32_t i = 0; i < n_open; i++) {
        sweep->heap[i] = i;
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

static bool waits_for_a_thread(const struct otter_graph *graph, const struct otter_ready *ready,
                               uint32_t node)
{
    return graph->nodes[node].kind == OTTER_NODE_FRAGMENT && ready->last[node] != OTTER_NONE &&
           ready->times[node] < graph->nodes[node].start;
}

static bool gather_ready(struct sweep *sweep, const struct otter_graph *graph,
                         const struct otter_ready *ready)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        n += waits_for_a_thread(graph, ready, i);
    }
    sweep->begins = malloc((n + 1) * sizeof *sweep->begins);
    sweep->ends = malloc((n + 1) * sizeof *sweep->ends);
    if (!sweep->begins || !sweep->ends) {
        return false;
    }
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        if (waits_for_a_thread(graph, ready, i)) {
            sweep->begins[sweep->n_ready_nodes] = ready->times[i];
            sweep->ends[sweep->n_ready_nodes++] = graph->nodes[i].start;
        }
    }
    qsort(sweep->begins, n, sizeof *sweep->begins, compare);
    qsort(sweep->ends, n, sizeof *sweep->ends, compare);
    return true;
}

// ---- the account

// The delay of each construct is rounded; the rest is without work, so that both add up.
static void conclude(struct sweep *sweep, const struct otter_costs *costs)
{
    struct otter_account *account = sweep->account;
    for (unsigned i = 0; i < OTTER_N_CONSTRUCTS; i++) {
        struct otter_wait_account *wait = &account->waits[i];
        uint64_t delay = (uint64_t)(sweep->delays[i] + 0.5);
        wait->delay = delay < wait->ticks ? delay : wait->ticks;
        wait->no_work = wait->ticks - wait->delay;
        account->waiting += wait->ticks;
    }
    account->no_work = account->waiting - account->delay;
    account->creating = costs->creating < account->executing ? costs->creating : account->executing;
    account->executing -= account->creating;
    account->scheduling =
        costs->scheduling_sum < account->delay ? costs->scheduling_sum : account->delay;
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
        .n_labels = (uint32_t)timeline->definitions->n_regions + 1,
    };
    struct sweep sweep = {.account = account, .timeline = timeline};
    account->executed = calloc(account->n_labels, sizeof *account->executed);
    account->blame = calloc(account->n_labels, sizeof *account->blame);
    account->alone = calloc(account->n_labels, sizeof *account->alone);
    sweep.cursors = calloc(timeline->n_lines + 1, sizeof *sweep.cursors);
    sweep.heap = calloc(timeline->n_lines + 1, sizeof *sweep.heap);
    bool is_good = account->executed && account->blame && account->alone && sweep.cursors &&
                   sweep.heap && gather_ready(&sweep, graph, ready);
    if (is_good) {
        run(&sweep);
        conclude(&sweep, costs);
    }
    free(sweep.cursors);
    free(sweep.heap);
    free(sweep.begins);
    free(sweep.ends);
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
    *account = (struct otter_account){0};
}
