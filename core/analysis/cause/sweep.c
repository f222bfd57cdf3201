// Sweeps over the time of all threads together.
#include "analysis/cause/sweep.h"

#include <stdlib.h>
#include <string.h>

#include "base/free.h"
#include "base/order.h"

double *otter_sweep_waited(const struct sweep *sweep, uint32_t node)
{
    uint32_t low = 0, high = sweep->waited.n;
    OTTER_SEARCH(low, high, i, sweep->waited.items[i].node < node)
    bool is_found = low < sweep->waited.n && sweep->waited.items[low].node == node;
    return is_found ? &sweep->waited.items[low].ticks : NULL;
}

// ---- the heap of threads

static void sift_down(struct sweep *sweep, uint32_t n, uint32_t at)
{
    for (;;) {
        uint32_t least = at;
        for (uint32_t child = 2 * at + 1; child < n && child <= 2 * at + 2; child++) {
            if (sweep->cursors[sweep->heap[child]].change <
                sweep->cursors[sweep->heap[least]].change) {
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

// Returns whether other threads wait for the thread: it is in a fence, or adds up a reduction.
static bool is_fence(const struct sweep *sweep, const struct otter_interval *interval)
{
    enum otter_construct construct =
        otter_definitions_construct(sweep->timeline->definitions, interval->region);
    return construct == OTTER_CONSTRUCT_KOKKOS_FENCE || construct == OTTER_CONSTRUCT_REDUCTION;
}

// The thread's own wait is over, so it no longer waits for other threads.
static void begin_continuing(struct sweep *sweep, struct cursor *cursor)
{
    cursor->at_continuing = sweep->now;
    cursor->continuing_since = sweep->time;
}

static void end_continuing(struct sweep *sweep, struct cursor *cursor)
{
    const struct integrals *now = &sweep->now, *before = &cursor->at_continuing;
    cursor->continuing += (double)(sweep->time - cursor->continuing_since);
    cursor->skipped.delay += now->delay - before->delay;
    cursor->skipped.tied += now->tied - before->tied;
    cursor->skipped.in[BUSY_CONTINUING] += now->in[BUSY_CONTINUING] - before->in[BUSY_CONTINUING] +
                                           now->out[BUSY_CONTINUING] - before->out[BUSY_CONTINUING];
}

static void count_bound(struct sweep *sweep, uint32_t thread, int by)
{
    struct cursor *cursor = &sweep->cursors[thread];
    const struct otter_interval *interval = otter_sweep_interval(sweep, thread);
    if (interval->state != OTTER_STATE_WAITING) {
        sweep->n_behind += cursor->n_tied * (uint32_t)by;
        return;
    }
    if (cursor->n_bound == 0) {
        return;
    }
    bool is_in_fence = is_fence(sweep, interval);
    sweep->n_bound += (uint32_t)by;
    sweep->n_bound_fences += is_in_fence ? (uint32_t)by : 0;
    sweep->n_busy[BUSY_CONTINUING] += is_in_fence ? 0 : (uint32_t)by;
    if (by > 0) {
        begin_continuing(sweep, cursor);
    } else {
        end_continuing(sweep, cursor);
    }
}

double otter_sweep_delay(const struct sweep *sweep, const struct cursor *cursor)
{
    double delay = sweep->now.delay - cursor->at_begin.delay - cursor->skipped.delay;
    return cursor->continuing + (delay > 0 ? delay : 0);
}

double otter_sweep_tied(const struct sweep *sweep, const struct cursor *cursor)
{
    double tied = sweep->now.tied - cursor->at_begin.tied - cursor->skipped.tied;
    return tied > 0 ? tied : 0;
}

// Returns the only thread that may execute the node: a tied task that has begun cannot change
// threads.
static uint32_t thread_of(const struct sweep *sweep, uint32_t index)
{
    const struct otter_node *node = &sweep->graph->nodes[index];
    bool is_bound = !otter_node_begins_task(sweep->graph, index) &&
                    !(node->region < sweep->account->n_labels && sweep->is_untied[node->region]);
    return is_bound ? sweep->timeline->line_of[node->location] : OTTER_NONE;
}

static void count_tied(struct sweep *sweep, uint32_t node, int by)
{
    uint32_t region = otter_account_label(sweep->account, sweep->graph->nodes[node].region);
    if (by > 0) {
        otter_open_regions_begin(&sweep->tied, region);
    } else if (by < 0) {
        otter_open_regions_end(&sweep->tied, region);
    }
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
        count_tied(sweep, node, is_explicit ? by : 0);
    }
}

static void count_wait(struct sweep *sweep, const struct otter_interval *interval, int by)
{
    bool is_in_fence = is_fence(sweep, interval);
    sweep->n_waiting += (uint32_t)by;
    sweep->n_fences += is_in_fence ? (uint32_t)by : 0;
    sweep->n_busy[BUSY_FENCE] += is_in_fence ? (uint32_t)by : 0;
}

static void count_off(struct sweep *sweep, const struct cursor *cursor, int by)
{
    sweep->n_off_by_others += cursor->lack == PREEMPTED ? (uint32_t)by : 0;
    sweep->n_off_by_own += cursor->lack == PREEMPTED_BY_OWN ? (uint32_t)by : 0;
}

// Counts late members by the region that they enter next.
static void count_late(struct sweep *sweep, uint32_t thread, int by)
{
    const struct otter_membership *parts = sweep->timeline->lines[thread].memberships.items;
    if (by == 0) {
        return;
    }
    enum presence lack = sweep->cursors[thread].lack;
    sweep->n_late_by_others += lack == PREEMPTED ? (uint32_t)by : 0;
    sweep->n_late_by_own += lack == PREEMPTED_BY_OWN ? (uint32_t)by : 0;
    uint32_t label =
        otter_account_label(sweep->account, parts[sweep->cursors[thread].next_part].label);
    if (by > 0) {
        otter_open_regions_begin(&sweep->late, label);
    } else {
        otter_open_regions_end(&sweep->late, label);
    }
}

static void count_segment(struct sweep *sweep, uint32_t thread, int by)
{
    const struct otter_interval *interval = otter_sweep_interval(sweep, thread);
    enum presence presence = sweep->cursors[thread].presence;
    switch ((enum otter_state)interval->state) {
    case OTTER_STATE_EXECUTING:
        sweep->n_busy[presence == CREATING ? BUSY_CREATING : BUSY_EXECUTING] += (uint32_t)by;
        sweep->n_tasks += sweep->cursors[thread].is_task ? (uint32_t)by : 0;
        sweep->n_blocked += sweep->cursors[thread].is_blocked ? (uint32_t)by : 0;
        sweep->n_preempted += presence == PREEMPTED ? (uint32_t)by : 0;
        break;
    case OTTER_STATE_WAITING:
        count_wait(sweep, interval, by);
        count_off(sweep, &sweep->cursors[thread], by);
        break;
    case OTTER_STATE_MPI: sweep->n_busy[BUSY_MPI] += (uint32_t)by; break;
    case OTTER_STATE_LOCK: sweep->n_busy[BUSY_LOCK] += (uint32_t)by; break;
    case OTTER_STATE_FORKING: sweep->n_busy[BUSY_FORKING] += (uint32_t)by; break;
    case OTTER_STATE_OUTSIDE:
        sweep->n_outside += presence == PRESENT ? (uint32_t)by : 0;
        count_late(sweep, thread, presence == LATE ? by : 0);
        break;
    default: break;
    }
    count_bound(sweep, thread, by);
}

// ---- segments

static double between(double ticks, double most)
{
    return ticks < 0 ? 0 : ticks < most ? ticks : most;
}

// Finds how much of the waiting for a member is due to its late start, and for which share of that
// time it had no processor. Every other member waits for as long as this member is late. The
// waiting before its start is already attributed.
static void find_late(const struct sweep *sweep, struct cursor *cursor,
                      const struct otter_thread_line *line)
{
    const struct otter_membership *part = &line->memberships.items[cursor->part];
    const struct integrals *now = &sweep->now;
    const struct integrals *before = cursor->presence == LATE ? &cursor->at_late : now;
    double rest = (double)(part->begin - part->first) - (now->late - before->late);
    cursor->late = cursor->late_by_others = cursor->late_by_own = 0;
    if (part->n_members == 0 || rest <= 0) {
        return;
    }
    struct otter_off_ticks off =
        otter_ticks_off(line, part->first, part->begin, sweep->account->is_crowded);
    double by_others = off.by_others - (now->late_by_others - before->late_by_others);
    double by_own = off.by_own - (now->late_by_own - before->late_by_own);
    by_others = between(by_others, rest);
    by_own = otter_sweep_is_crowded(sweep, part) ? rest : by_own;
    by_own = between(by_own, rest - by_others);
    cursor->late = rest * (part->n_members - 1);
    cursor->late_by_others = by_others / rest;
    cursor->late_by_own = by_own / rest;
}

// Parts are sorted by start. A part of a damaged archive may have no end; it then ends where it
// begins.
static void find_part(const struct sweep *sweep, struct cursor *cursor,
                      const struct otter_thread_line *line)
{
    const struct otter_membership *parts = line->memberships.items;
    while (cursor->next_part < line->memberships.n &&
           parts[cursor->next_part].first_interval <= cursor->interval) {
        cursor->part = cursor->next_part++;
        find_late(sweep, cursor, line);
    }
    while (cursor->part != OTTER_NONE &&
           parts[cursor->part].end <= line->intervals.items[cursor->interval].begin) {
        cursor->part = parts[cursor->part].outer;
        cursor->late = 0;
    }
}

static void begin_segment(struct sweep *sweep, uint32_t thread, uint64_t begin)
{
    struct cursor *cursor = &sweep->cursors[thread];
    bool was_late = cursor->presence == LATE;
    otter_segment_find(sweep, thread, begin);
    cursor->at_begin = sweep->now;
    cursor->at_late = was_late ? cursor->at_late : sweep->now;
    cursor->skipped = (struct integrals){0};
    cursor->continuing = cursor->delay = 0;
    cursor->off_delay = (struct otter_off_ticks){0};
    count_segment(sweep, thread, 1);
}

static void begin_interval(struct sweep *sweep, uint32_t thread)
{
    find_part(sweep, &sweep->cursors[thread], &sweep->timeline->lines[thread]);
    begin_segment(sweep, thread, otter_sweep_interval(sweep, thread)->begin);
}

// Adds the delay since a waiting thread last got or lost its processor.
static void pass_delay(const struct sweep *sweep, struct cursor *cursor)
{
    double delay = otter_sweep_delay(sweep, cursor), passed = delay - cursor->delay;
    struct otter_off_ticks *off = &cursor->off_delay;
    cursor->delay = delay;
    if (passed <= 0) {
        return;
    }
    if (cursor->lack == PREEMPTED) {
        off->by_others += passed;
    } else if (cursor->lack == PREEMPTED_BY_OWN) {
        off->by_own += passed;
    } else if (cursor->is_asleep) {
        off->asleep += passed;
    }
}

// A waiting thread gets or loses its processor.
static void change_lack(struct sweep *sweep, uint32_t thread)
{
    struct cursor *cursor = &sweep->cursors[thread];
    count_off(sweep, cursor, -1);
    count_bound(sweep, thread, -1);
    pass_delay(sweep, cursor);
    count_bound(sweep, thread, 1);
    otter_segment_find_lack(sweep, thread, sweep->time);
    count_off(sweep, cursor, 1);
}

// Returns false after the thread's last segment.
static bool end_segment(struct sweep *sweep, uint32_t thread)
{
    struct cursor *cursor = &sweep->cursors[thread];
    const struct otter_thread_line *line = &sweep->timeline->lines[thread];
    count_segment(sweep, thread, -1);
    pass_delay(sweep, cursor);
    sweep->visit(sweep, thread);
    if (cursor->end < otter_interval_end(sweep->timeline, line, cursor->interval)) {
        begin_segment(sweep, thread, cursor->end);
    } else if (++cursor->interval < line->intervals.n) {
        begin_interval(sweep, thread);
    } else {
        return false;
    }
    return true;
}

// ---- time

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

// The share of idle threads for which no processor is left: other processes or threads of this
// program have it.
struct full {
    double by_others, by_own;
};

static void count_running(struct otter_account *account, uint32_t n, uint64_t passed)
{
    if (passed > 0 && n > account->most_running) {
        account->most_running = n;
    }
    if (account->n_processors > 0 && n > account->n_processors) {
        account->crowded += passed * (n - account->n_processors);
    }
}

void otter_sweep_add_full(struct sweep *sweep, double by_others, double by_own)
{
    struct otter_account *account = sweep->account;
    otter_losses_add(&account->losses, OTTER_FINDING_NOISE, OTTER_NONE, by_others);
    otter_losses_add(&account->losses, OTTER_FINDING_CROWDED, OTTER_NONE, by_own);
    account->full += by_own;
}

// If there are more threads than processors, the threads that execute leave no processor to a share
// of the idle ones, which lose nothing. Each executing thread stands for threads / processors
// threads.
static struct full find_full(const struct sweep *sweep)
{
    double threads = sweep->account->n_threads, processors = sweep->account->n_processors;
    double n =
        (double)sweep->n_busy[BUSY_CREATING] + sweep->n_busy[BUSY_EXECUTING] - sweep->n_blocked;
    if (processors == 0 || threads <= processors || n == 0) {
        return (struct full){0};
    }
    double share = n < processors ? n * (threads - processors) / (processors * (threads - n)) : 1;
    double taken = n < processors ? n : processors;
    double by_others = share * (sweep->n_preempted < taken ? sweep->n_preempted / taken : 1);
    return (struct full){by_others, share - by_others};
}

// Waiting for tasks between two phases belongs to the wait that began last.
static void pass_phases(struct sweep *sweep, double each)
{
    sweep->now.phases += each;
    otter_losses_add(&sweep->account->losses, OTTER_FINDING_PHASES, sweep->phases.newest,
                     sweep->input->idle ? 0 : each * sweep->n_tasks);
}

static const struct cursor *waiting(const struct sweep *sweep, uint32_t thread)
{
    const struct cursor *cursor = &sweep->cursors[thread];
    bool is_over = cursor->interval >= sweep->timeline->lines[thread].intervals.n;
    return !is_over && otter_sweep_interval(sweep, thread)->state == OTTER_STATE_WAITING ? cursor
                                                                                         : NULL;
}

// All threads wait. Finds how one that has to continue lacks a processor: the first to continue, or
// the last to come. In a barrier of many, any thread may have to pass on that others have come.
static enum presence find_lack_of_waits(const struct sweep *sweep)
{
    const uint32_t most = 4; // threads for which a thread waits itself, in LLVM's barriers
    uint64_t first = UINT64_MAX, last = 0;
    uint32_t n_by_own = sweep->n_off_by_own, n_by_others = sweep->n_off_by_others;
    bool is_known = sweep->n_waiting <= most && n_by_own + n_by_others > 0;
    for (uint32_t i = 0; i < sweep->timeline->n_lines && is_known; i++) {
        const struct cursor *cursor = waiting(sweep, i);
        first = cursor && cursor->end < first ? cursor->end : first;
        last = cursor && cursor->begin > last ? cursor->begin : last;
    }
    for (uint32_t i = 0; i < sweep->timeline->n_lines && is_known; i++) {
        const struct cursor *cursor = waiting(sweep, i);
        bool is_needless = cursor && cursor->end > first && cursor->begin < last;
        n_by_own -= is_needless && cursor->lack == PREEMPTED_BY_OWN;
        n_by_others -= is_needless && cursor->lack == PREEMPTED;
    }
    return n_by_own > 0 ? PREEMPTED_BY_OWN : n_by_others > 0 ? PREEMPTED : PRESENT;
}

static void pass_waits(struct sweep *sweep, double each)
{
    enum presence lack = find_lack_of_waits(sweep);
    sweep->now.idle_in += each;
    sweep->now.idle_by_own += lack == PREEMPTED_BY_OWN ? each : 0;
    sweep->now.idle_by_others += lack == PREEMPTED ? each : 0;
}

// All idle threads wait for the member that became late last, whatever region they are in.
// `ticks`: the sum over all idle threads; `each`: for one waiting thread.
static void pass_late(struct sweep *sweep, double ticks, double each)
{
    uint32_t label = sweep->late.newest;
    enum otter_finding_kind kind = OTTER_FINDING_LATE;
    sweep->now.late += each;
    if (sweep->n_late_by_own > 0) {
        kind = OTTER_FINDING_CROWDED;
        sweep->now.late_by_own += each;
    } else if (sweep->n_late_by_others > 0) {
        kind = OTTER_FINDING_NOISE;
        sweep->now.late_by_others += each;
    }
    otter_losses_add(&sweep->account->losses, kind, kind == OTTER_FINDING_LATE ? label : OTTER_NONE,
                     ticks);
}

// All threads wait, and a detached task lacks only its event, which no task will fulfil. `ticks`:
// the sum over all idle threads.
static void pass_events(struct sweep *sweep, double ticks)
{
    otter_losses_add(&sweep->account->losses, OTTER_FINDING_EVENT, sweep->events.newest, ticks);
}

// Returns the first kind that has busy threads. A late member takes precedence over threads that
// continue.
static unsigned first_busy(const struct sweep *sweep)
{
    bool is_ordered = sweep->n_dependent > 0 && sweep->n_busy[BUSY_EXECUTING] > 0;
    unsigned busy = is_ordered ? BUSY_EXECUTING : 0;
    while (busy < N_BUSY && sweep->n_busy[busy] == 0) {
        busy++;
    }
    return busy == BUSY_CONTINUING && sweep->late.newest != OTTER_NONE ? N_BUSY : busy;
}

// Divides the ticks of idle threads among the busy ones. `share`: the "no work" part of the ticks
// of a waiting thread whose own wait is not over.
static void pass_idle(struct sweep *sweep, double ticks, double share, const struct full *full)
{
    struct integrals *now = &sweep->now;
    uint32_t n_fences = sweep->n_fences - sweep->n_bound_fences;
    double n_waiting = share * (sweep->n_waiting - sweep->n_bound - n_fences);
    unsigned busy = first_busy(sweep);
    if (busy == N_BUSY && sweep->late.newest != OTTER_NONE) {
        pass_late(sweep, ticks * (n_waiting + sweep->n_outside), ticks * share);
        return;
    }
    if (busy == N_BUSY) {
        double out = sweep->n_waiting > 0 ? ticks * sweep->n_outside / sweep->n_waiting : 0;
        now->out_delay += out * (1 - share);
        if (sweep->events.newest != OTTER_NONE) {
            pass_events(sweep, ticks * share * (sweep->n_waiting + sweep->n_outside));
        } else {
            pass_waits(sweep, ticks * share);
            now->out_idle += out * share;
        }
        now->idle_out += sweep->n_waiting > 0 ? 0 : ticks;
        return;
    }
    double lost = ticks * (1 - full->by_others - full->by_own);
    double each = lost * n_waiting / sweep->n_busy[busy];
    otter_sweep_add_full(sweep, full->by_others * ticks * (n_waiting + sweep->n_outside),
                         full->by_own * ticks * (n_waiting + sweep->n_outside));
    if (sweep->input->idle) {
        each = ticks * sweep->timeline->n_lines; // at least the ticks of a replay
    }
    now->expecting += busy == BUSY_EXECUTING && each > 0 ? ticks : 0;
    now->in[busy] += each;
    now->out[busy] += lost * sweep->n_outside / sweep->n_busy[busy];
    if (busy == BUSY_EXECUTING && sweep->phases.newest != OTTER_NONE) {
        pass_phases(sweep, each);
    } else if (busy == BUSY_EXECUTING && sweep->n_dependent > 0) {
        now->dependent += each;
    }
}

// Adds up the time until `time`, in which nothing changes. A waiting thread is delayed while a node
// is ready that only it may execute. Each ready node that any thread may execute delays one more
// thread. Each ready node that needs a busy thread ties one of the remaining threads.
static void pass(struct sweep *sweep, uint64_t time)
{
    uint64_t passed = time - sweep->time;
    double ticks = (double)passed, share = 0;
    if (passed == 0) {
        return;
    }
    struct full full = find_full(sweep);
    sweep->now.full_by_others += ticks * full.by_others;
    sweep->now.full_by_own += ticks * full.by_own;
    if (sweep->n_waiting > sweep->n_bound) {
        uint32_t n_others = sweep->n_waiting - sweep->n_bound;
        uint32_t n_delayed = least(n_others, sweep->n_free);
        uint32_t n_tied = least(n_others - n_delayed, sweep->n_behind);
        sweep->now.delay += ticks * n_delayed / n_others;
        sweep->now.tied += ticks * n_tied / n_others;
        otter_sweep_add_full(sweep, ticks * n_tied * full.by_others, ticks * n_tied * full.by_own);
        otter_losses_add(&sweep->account->losses, OTTER_FINDING_TIED, sweep->tied.newest,
                         ticks * n_tied * (1 - full.by_others - full.by_own));
        share = (double)(n_others - n_delayed - n_tied) / n_others;
    }
    sweep->now.locked += ticks * sweep->n_busy[BUSY_LOCK];
    pass_idle(sweep, ticks, share, &full);
    count_running(sweep->account, sweep->n_busy[BUSY_CREATING] + sweep->n_busy[BUSY_EXECUTING],
                  passed);
    sweep->time = time;
}

static uint64_t next_time(const struct sweep *sweep, uint32_t n_open)
{
    const struct otter_node_queue *queues[] = {
        &sweep->begins,       &sweep->ends,       &sweep->dependent_begins, &sweep->dependent_ends,
        &sweep->phase_begins, &sweep->phase_ends, &sweep->event_begins,     &sweep->event_ends};
    uint64_t time = n_open ? sweep->cursors[sweep->heap[0]].change : UINT64_MAX;
    for (size_t i = 0; i < sizeof queues / sizeof *queues; i++) {
        uint64_t next = otter_node_queue_time(queues[i]);
        time = next < time ? next : time;
    }
    return time > sweep->time ? time : sweep->time;
}

static bool is_due(const struct sweep *sweep, const struct otter_node_queue *queue)
{
    return queue->n_lists > 0 && otter_node_queue_time(queue) <= sweep->time;
}

static void count_open(const struct sweep *sweep, struct otter_node_queue *begins,
                       struct otter_node_queue *ends, struct otter_open_regions *open)
{
    while (is_due(sweep, begins)) {
        uint32_t node = otter_node_queue_take(begins);
        otter_open_regions_begin(
            open, otter_account_label(sweep->account, sweep->graph->nodes[node].region));
    }
    while (is_due(sweep, ends)) {
        uint32_t node = otter_node_queue_take(ends);
        otter_open_regions_end(
            open, otter_account_label(sweep->account, sweep->graph->nodes[node].region));
    }
}

static void count_ready(struct sweep *sweep)
{
    while (is_due(sweep, &sweep->begins)) {
        count_node(sweep, otter_node_queue_take(&sweep->begins), 1);
    }
    while (is_due(sweep, &sweep->ends)) {
        count_node(sweep, otter_node_queue_take(&sweep->ends), -1);
    }
    for (; is_due(sweep, &sweep->dependent_begins); sweep->n_dependent++) {
        otter_node_queue_take(&sweep->dependent_begins);
    }
    for (; is_due(sweep, &sweep->dependent_ends); sweep->n_dependent--) {
        otter_node_queue_take(&sweep->dependent_ends);
    }
    count_open(sweep, &sweep->phase_begins, &sweep->phase_ends, &sweep->phases);
    count_open(sweep, &sweep->event_begins, &sweep->event_ends, &sweep->events);
}

static void visit_all(struct sweep *sweep)
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
        while (n_open > 0 && sweep->cursors[sweep->heap[0]].change <= sweep->time) {
            uint32_t thread = sweep->heap[0];
            if (sweep->cursors[thread].change < sweep->cursors[thread].end) {
                change_lack(sweep, thread);
            } else if (!end_segment(sweep, thread)) {
                sweep->heap[0] = sweep->heap[--n_open];
            }
            sift_down(sweep, n_open, 0);
        }
    }
}

// ---- nodes

static bool waits_for_a_thread(const void *user, uint32_t node)
{
    const struct sweep *sweep = user;
    const struct otter_node *at = &sweep->graph->nodes[node];
    return at->kind == OTTER_NODE_FRAGMENT && sweep->input->ready->last[node] != OTTER_NONE &&
           sweep->input->ready->times[node] < at->start &&
           sweep->timeline->line_of[at->location] != OTTER_NONE;
}

static bool is_phase(const void *user, uint32_t node)
{
    const struct sweep *sweep = user;
    const struct otter_node *wait = &sweep->graph->nodes[node];
    return sweep->facts.is_phase[node] && wait->start < wait->end;
}

static bool is_dependent(const void *user, uint32_t node)
{
    const struct sweep *sweep = user;
    return sweep->facts.created[node] < sweep->input->ready->times[node];
}

// A fulfilment by a task is ready when that task fulfils the event.
static bool is_event(const void *user, uint32_t node)
{
    const struct sweep *sweep = user;
    const struct otter_node *fulfil = &sweep->graph->nodes[node];
    return fulfil->kind == OTTER_NODE_FULFIL && sweep->input->ready->last[node] != OTTER_NONE &&
           sweep->input->ready->times[node] < fulfil->start;
}

static bool gather_tasks(struct sweep *sweep)
{
    const struct otter_graph *graph = sweep->graph;
    const struct otter_node *nodes = graph->nodes;
    const struct otter_timeline *timeline = sweep->timeline;
    uint64_t *times = sweep->input->ready->times, *created = sweep->facts.created;
    if (sweep->facts.is_phase &&
        (otter_node_queue_init(&sweep->phase_begins, graph, timeline, &nodes->start, sizeof *nodes,
                               is_phase, sweep) ||
         otter_node_queue_init(&sweep->phase_ends, graph, timeline, &nodes->end, sizeof *nodes,
                               is_phase, sweep))) {
        return false;
    }
    if (otter_node_queue_init(&sweep->event_begins, graph, timeline, times, sizeof *times, is_event,
                              sweep) ||
        otter_node_queue_init(&sweep->event_ends, graph, timeline, &nodes->start, sizeof *nodes,
                              is_event, sweep)) {
        return false;
    }
    return !created || (!otter_node_queue_init(&sweep->dependent_begins, graph, timeline, created,
                                               sizeof *created, is_dependent, sweep) &&
                        !otter_node_queue_init(&sweep->dependent_ends, graph, timeline, times,
                                               sizeof *times, is_dependent, sweep));
}

static bool gather_ready(struct sweep *sweep)
{
    const struct otter_definitions *definitions = sweep->timeline->definitions;
    for (size_t i = 0; i < definitions->n_regions; i++) {
        sweep->is_untied[i] = strstr(definitions->regions[i].description, "untied");
    }
    const uint64_t *times = sweep->input->ready->times;
    return !otter_node_queue_init(&sweep->begins, sweep->graph, sweep->timeline, times,
                                  sizeof *times, waits_for_a_thread, sweep) &&
           !otter_node_queue_of_pieces(&sweep->ends, sweep->graph, sweep->input->pieces,
                                       waits_for_a_thread, sweep);
}

enum otter_status otter_sweep_run(struct sweep *sweep)
{
    size_t n = sweep->timeline->n_lines + (size_t)1;
    sweep->cursors = calloc(n, sizeof *sweep->cursors);
    sweep->heap = calloc(n, sizeof *sweep->heap);
    sweep->is_untied = calloc(sweep->account->n_labels, sizeof *sweep->is_untied);
    bool is_good = !otter_open_regions_init(&sweep->phases, sweep->account->n_labels) &&
                   !otter_open_regions_init(&sweep->events, sweep->account->n_labels) &&
                   !otter_open_regions_init(&sweep->late, sweep->account->n_labels) &&
                   !otter_open_regions_init(&sweep->tied, sweep->account->n_labels) &&
                   sweep->cursors && sweep->heap && sweep->is_untied && gather_ready(sweep) &&
                   gather_tasks(sweep);
    if (is_good) {
        visit_all(sweep);
    }
    OTTER_FREE(sweep->cursors, sweep->heap, sweep->is_untied);
    otter_open_regions_finish(&sweep->phases);
    otter_open_regions_finish(&sweep->events);
    otter_open_regions_finish(&sweep->late);
    otter_open_regions_finish(&sweep->tied);
    otter_node_queue_finish(&sweep->begins);
    otter_node_queue_finish(&sweep->ends);
    otter_node_queue_finish(&sweep->dependent_begins);
    otter_node_queue_finish(&sweep->dependent_ends);
    otter_node_queue_finish(&sweep->phase_begins);
    otter_node_queue_finish(&sweep->phase_ends);
    otter_node_queue_finish(&sweep->event_begins);
    otter_node_queue_finish(&sweep->event_ends);
    return is_good && !sweep->is_short_of_memory ? OTTER_OK : OTTER_NO_MEMORY;
}
