// The list of causes: each tick of lost time is attributed to the first cause that applies.
//
// The ticks of a waiting thread are attributed to the threads that it waits for, which determine
// the cause.
#include "analysis/cause/causes.h"

#include "analysis/cause/mpi.h"

struct segment {
    struct sweep *sweep;
    uint32_t thread;
    struct otter_losses *losses;
    struct cursor *cursor;
    const struct otter_thread_line *line;
    const struct otter_interval *interval;
    const struct otter_membership *part; // NULL outside of regions
    const struct otter_thread_pieces *pieces;
    double ticks;
};

static double passed(const double *now, const double *before)
{
    return *now > *before ? *now - *before : 0;
}

static uint32_t label_of(const struct segment *segment)
{
    return segment->interval->label;
}

static enum otter_construct construct_of(const struct segment *segment, uint32_t region)
{
    return otter_definitions_construct(segment->sweep->timeline->definitions, region);
}

static uint32_t part_label(const struct segment *segment)
{
    return segment->part ? segment->part->label : OTTER_NONE;
}

static void add(const struct segment *segment, enum otter_finding_kind kind, uint32_t label,
                double ticks)
{
    otter_losses_add(segment->losses, kind, label, ticks);
}

// ---- threads that execute, and those that wait for them

// Returns the share of the segment that follows the start of the team's last task. Returns 0 for a
// task whose piece is longer than a thread's share of all tasks: it would end last in any order.
static double tail_share(const struct segment *segment, uint32_t node)
{
    const struct otter_membership *part = segment->part;
    while (part && part->outer != OTTER_NONE) {
        part = &segment->line->memberships.items[part->outer];
    }
    uint64_t begin = segment->cursor->begin, end = segment->cursor->end;
    const struct otter_node *piece = &segment->sweep->graph->nodes[node];
    const struct otter_task_facts *facts = &segment->sweep->facts;
    if (!part || part->team == OTTER_NONE ||
        (double)(piece->end - piece->start) * part->n_members > (double)facts->work[part->team]) {
        return 0;
    }
    uint64_t last = facts->last_begins[part->team];
    if (last <= begin) {
        return 1;
    }
    return last < end ? (double)(end - last) / (double)(end - begin) : 0;
}

// Returns whether the task itself had to wait for its dependences.
static bool is_dependent(const struct sweep *sweep, uint32_t task)
{
    uint32_t first = sweep->graph->tasks[task].first_node;
    return sweep->facts.created && sweep->facts.created[first] < sweep->input->ready->times[first];
}

// The thread had no processor while it executed a task, so the task ends later by that time.
// Threads that do not wait yet may have to wait then. Waits for locks have their own cause.
static void add_lag(const struct segment *segment, double waiting)
{
    struct lag *lag = &segment->cursor->lag;
    double locked = passed(&segment->sweep->now.locked, &segment->cursor->at_begin.locked);
    double others = segment->ticks * (segment->sweep->account->n_threads - 1.0) - waiting - locked;
    bool is_own = segment->cursor->presence == PREEMPTED_BY_OWN;
    *(is_own ? &lag->by_own : &lag->by_others) += others > 0 ? others : 0;
    lag->late += segment->ticks;
    lag->own += segment->ticks;
}

// Other threads also lost their processors during the piece, and would otherwise have begun to wait
// earlier. So they wait longer only for what this thread lost in excess of them.
static void excuse(const struct segment *segment)
{
    struct lag *lag = &segment->cursor->lag;
    double others = segment->sweep->lost_processors - lag->before - lag->own;
    double all = lag->by_others + lag->by_own, less = others - lag->others;
    if (less > 0 && all > 0) {
        double left = less < all ? 1 - less / all : 0;
        lag->by_others *= left;
        lag->by_own *= left;
        lag->others += less < all ? less : all;
    }
}

// Returns the part of the waiting for a task that its time without a processor does not explain:
// each thread waits longer by that time at most.
static double take_lag(const struct segment *segment, double in)
{
    struct lag *lag = &segment->cursor->lag;
    double ticks = passed(&segment->sweep->now.expecting, &segment->cursor->at_begin.expecting);
    excuse(segment);
    double late = lag->late < ticks ? lag->late : ticks;
    double most = ticks > 0 ? in * late / ticks : 0;
    double by_others = most < lag->by_others ? most : lag->by_others;
    double by_own = most - by_others < lag->by_own ? most - by_others : lag->by_own;
    lag->late -= late;
    lag->by_others -= by_others;
    lag->by_own -= by_own;
    add(segment, OTTER_FINDING_NOISE, OTTER_NONE, by_others);
    add(segment, OTTER_FINDING_CROWDED, OTTER_NONE, by_own);
    return in - by_others - by_own;
}

// Other threads wait because no task is ready while this one executes. Waiting between two phases
// has already been added.
static void add_for_task(const struct segment *segment, uint32_t node, double in)
{
    const struct sweep *sweep = segment->sweep;
    uint32_t task = sweep->graph->nodes[node].task;
    const struct integrals *now = &sweep->now, *before = &segment->cursor->at_begin;
    uint32_t label = label_of(segment);
    if (sweep->input->grains->is_lone[task]) {
        add(segment, OTTER_FINDING_UNDEFERRED, label, in);
        return;
    }
    bool is_replayed = sweep->input->idle;
    double phases = passed(&now->phases, &before->phases);
    phases = phases < in ? phases : in;
    phases = is_replayed && sweep->phases.newest == OTTER_NONE ? 0 : phases;
    double dependent = passed(&now->dependent, &before->dependent);
    dependent = dependent < in - phases ? dependent : in - phases;
    add(segment, OTTER_FINDING_PHASES, sweep->phases.newest, is_replayed ? phases : 0);
    double unexplained = is_replayed ? in - phases : take_lag(segment, in - phases);
    dependent = dependent < unexplained ? dependent : unexplained;
    double rest = unexplained - dependent;
    if (is_dependent(sweep, task)) {
        dependent += rest;
        rest = 0;
    }
    double tail = rest * tail_share(segment, node);
    add(segment, OTTER_FINDING_ORDER, label, dependent);
    add(segment, OTTER_FINDING_TAIL, label, tail);
    add(segment, OTTER_FINDING_CHAIN, label, rest - tail);
}

static bool is_of_member(const struct segment *segment, uint32_t node)
{
    const struct otter_graph *graph = segment->sweep->graph;
    return node != OTTER_NONE &&
           graph->tasks[graph->nodes[node].task].kind != OTTER_TASK_KIND_TARGET;
}

// Other members wait for this one, which executes no explicit task.
static void add_for_member(const struct segment *segment, uint32_t node, double in)
{
    bool is_alone =
        segment->part && segment->part->n_members == 1 && segment->part->outer != OTTER_NONE;
    bool is_member = segment->part && is_of_member(segment, node);
    double *waited = is_member ? otter_sweep_waited(segment->sweep, node) : NULL;
    if (is_alone) {
        add(segment, OTTER_FINDING_ALONE, part_label(segment), in);
    } else if (waited) {
        *waited += in; // imbalance.c finds what made this member late
    } else if (segment->part) {
        add(segment, OTTER_FINDING_IMBALANCE, label_of(segment), in);
    } else {
        add(segment, OTTER_FINDING_SERIAL, label_of(segment), in);
    }
}

// A member's late start explains part of the waiting for it, which is not an imbalance.
static double take_late(const struct segment *segment, double in)
{
    struct cursor *cursor = segment->cursor;
    double late = in < cursor->late ? in : cursor->late;
    double by_others = late * cursor->late_by_others, by_own = late * cursor->late_by_own;
    cursor->late -= late;
    add(segment, OTTER_FINDING_NOISE, OTTER_NONE, by_others);
    add(segment, OTTER_FINDING_CROWDED, OTTER_NONE, by_own);
    add(segment, OTTER_FINDING_LATE, part_label(segment), late - by_others - by_own);
    return in - late;
}

static void add_inside(const struct segment *segment, double in)
{
    const struct sweep *sweep = segment->sweep;
    uint32_t node = otter_sweep_piece(sweep, segment->thread);
    uint32_t task = node != OTTER_NONE ? sweep->graph->nodes[node].task : OTTER_NONE;
    bool is_explicit =
        task != OTTER_NONE && sweep->graph->tasks[task].kind == OTTER_TASK_KIND_EXPLICIT;
    if (!is_explicit && !sweep->input->idle) {
        in = take_late(segment, in);
    }
    if (segment->cursor->presence == CREATING) {
        add(segment, OTTER_FINDING_CREATOR, segment->cursor->creator->region, in);
    } else if (is_explicit) {
        add_for_task(segment, node, in);
    } else {
        add_for_member(segment, node, in);
    }
}

// Returns the ticks that other threads wait in a replay while this one executes the segment.
static double replayed(const struct segment *segment)
{
    const struct sweep *sweep = segment->sweep;
    enum presence presence = segment->cursor->presence;
    uint32_t node = otter_sweep_piece(sweep, segment->thread);
    double work =
        node == OTTER_NONE ? 0 : (double)otter_slim_get(&sweep->input->pieces->work, node);
    bool is_off = presence == PREEMPTED || presence == PREEMPTED_BY_OWN;
    return is_off || work <= 0 ? 0 : sweep->input->idle[node] * segment->ticks / work;
}

static void add_executing(const struct segment *segment)
{
    const struct integrals *now = &segment->sweep->now, *before = &segment->cursor->at_begin;
    enum presence presence = segment->cursor->presence;
    enum busy busy = presence == CREATING ? BUSY_CREATING : BUSY_EXECUTING;
    if (segment->sweep->input->idle) {
        add_inside(segment, replayed(segment));
        return;
    }
    double in = passed(&now->in[busy], &before->in[busy]);
    double out = passed(&now->out[busy], &before->out[busy]);
    if (presence == PREEMPTED || presence == PREEMPTED_BY_OWN) {
        add(segment, presence == PREEMPTED ? OTTER_FINDING_NOISE : OTTER_FINDING_CROWDED,
            OTTER_NONE, segment->ticks + in + out);
        add_lag(segment, in + out);
        segment->sweep->lost_processors += segment->ticks;
        return;
    }
    if (segment->cursor->is_blocked) {
        add(segment, OTTER_FINDING_BLOCKED, label_of(segment), segment->ticks);
    }
    if (segment->part) {
        add(segment, OTTER_FINDING_ALONE, part_label(segment), out);
    } else {
        add(segment, OTTER_FINDING_SERIAL, label_of(segment), out);
    }
    add_inside(segment, in);
}

// ---- threads that wait

// Charges the share of the thread's ticks in which no processor is left for it. Returns the rest.
static double take_full(const struct segment *segment)
{
    const struct integrals *now = &segment->sweep->now, *before = &segment->cursor->at_begin;
    double by_others = passed(&now->full_by_others, &before->full_by_others);
    double by_own = passed(&now->full_by_own, &before->full_by_own);
    otter_sweep_add_full(segment->sweep, by_others, by_own);
    return segment->ticks - by_others - by_own;
}

// Charges the part of a delay in which the waiting thread had no processor; threads that wait for
// it (`others`) and threads outside are charged in proportion. Returns the rest of `ticks`.
static double add_off(const struct segment *segment, uint32_t place, double ticks, double others,
                      double outside)
{
    double rest = ticks, times = ticks > 0 ? 1 + (others + outside) / ticks : 1;
    const struct otter_off_ticks *off = &segment->cursor->off_delay;
    double by_others = off->by_others < rest ? off->by_others : rest;
    rest -= by_others;
    double by_own = off->by_own < rest ? off->by_own : rest;
    rest -= by_own;
    double asleep = off->asleep < rest ? off->asleep : rest;
    rest -= asleep;
    add(segment, OTTER_FINDING_NOISE, OTTER_NONE, by_others * times);
    add(segment, OTTER_FINDING_CROWDED, OTTER_NONE, by_own * times);
    add(segment, OTTER_FINDING_WAKE_UP, place,
        asleep * times + (ticks > 0 ? rest * others / ticks : 0));
    return rest;
}

// Returns the first piece that the thread begins after the wait, or OTTER_NONE.
static uint32_t next_piece(const struct segment *segment)
{
    const struct otter_node *nodes = segment->sweep->graph->nodes;
    uint32_t i = segment->cursor->piece;
    while (i < segment->pieces->n &&
           nodes[segment->pieces->nodes[i]].start < segment->cursor->end) {
        i++;
    }
    return i < segment->pieces->n ? segment->pieces->nodes[i] : OTTER_NONE;
}

// A wait in a Kokkos kernel is attributed to the kernel.
static uint32_t wait_place(const struct segment *segment)
{
    uint32_t label = label_of(segment);
    return otter_construct_is_kernel(construct_of(segment, label)) ? label
                                                                   : segment->interval->region;
}

static void note_delay(struct sweep *sweep, uint32_t label, double ticks)
{
    struct otter_account *account = sweep->account;
    uint64_t n = ticks > 0 ? (uint64_t)(ticks + 0.5) : 0;
    sweep->is_short_of_memory |=
        n > 0 && !otter_quantiles_add(&account->delays[otter_account_label(account, label)], n);
}

// The thread continues its own task. It has been late since the end of its wait. Before that, it
// could have executed another task, if one was ready. While this thread is late, it counts as busy,
// and threads outside are charged as for a busy thread. So `outside` comes from the time before, if
// there was any.
static void add_own(const struct segment *segment, uint32_t next, uint64_t since, double delay,
                    double outside)
{
    uint32_t place = wait_place(segment);
    double most = segment->sweep->input->tasks->n == 0 ? delay
                  : next == OTTER_NONE                 ? 0
                                                       : (double)(segment->cursor->end - since);
    double late = delay < most ? delay : most;
    add(segment, OTTER_FINDING_WAKE_UP, place, late);
    add(segment, OTTER_FINDING_DELAY, place, delay - late);
    add(segment, late < delay ? OTTER_FINDING_DELAY : OTTER_FINDING_WAKE_UP, place, outside);
}

// A node that the thread may execute is ready. Threads outside wait for the same reason.
static void add_delay(const struct segment *segment, double delay, double others, double outside)
{
    struct sweep *sweep = segment->sweep;
    const struct otter_graph *graph = sweep->graph;
    uint32_t next = next_piece(segment);
    uint64_t since = next != OTTER_NONE ? sweep->input->ready->times[next] : segment->cursor->begin;
    since = since > segment->cursor->begin ? since : segment->cursor->begin;
    since = since < segment->cursor->end ? since : segment->cursor->end;
    double times = delay > 0 ? 1 + outside / delay : 1;
    add(segment, OTTER_FINDING_UNEXPLAINED, OTTER_NONE, delay > 0 ? 0 : outside);
    delay = add_off(segment, wait_place(segment), delay, others, delay > 0 ? outside : 0);
    bool is_of_task = next != OTTER_NONE &&
                      graph->tasks[graph->nodes[next].task].kind == OTTER_TASK_KIND_EXPLICIT;
    if (!is_of_task) {
        add_own(segment, next, since, delay, delay * (times - 1));
    } else if (sweep->facts.is_moved[next]) {
        add(segment, OTTER_FINDING_MIGRATION, graph->nodes[next].region, delay * times);
    } else {
        add(segment, OTTER_FINDING_DELAY, graph->nodes[next].region, delay * times);
        note_delay(sweep, graph->nodes[next].region, delay);
    }
}

// Returns whether this is the barrier at the end of a region: older runtimes name no other kind of
// implicit barrier.
static bool is_join_of_region(const struct segment *segment, enum otter_construct construct)
{
    return segment->part &&
           (construct == OTTER_CONSTRUCT_BARRIER_PARALLEL ||
            construct == OTTER_CONSTRUCT_BARRIER_TEAMS ||
            construct == OTTER_CONSTRUCT_BARRIER_IMPLICIT || construct == OTTER_CONSTRUCT_BARRIER);
}

// Charges the idle time in which a waiting thread has no processor. No thread is busy, not even one
// that continues late. Returns the ticks in which all waiting threads have a processor, including
// ticks of threads outside.
static double add_idle_off(const struct segment *segment)
{
    const struct integrals *now = &segment->sweep->now, *before = &segment->cursor->at_begin;
    double idle = passed(&now->idle_in, &before->idle_in);
    double others = passed(&now->idle_by_others, &before->idle_by_others);
    double own = passed(&now->idle_by_own, &before->idle_by_own);
    double outside = passed(&now->out_idle, &before->out_idle);
    double times = idle > 0 ? 1 + outside / idle : 1;
    add(segment, OTTER_FINDING_NOISE, OTTER_NONE, others * times);
    add(segment, OTTER_FINDING_CROWDED, OTTER_NONE, own * times);
    return (idle - others - own) * times;
}

// Adds the thread's own ticks, and the ticks of the threads that wait for it.
static void add_busy(const struct segment *segment, enum busy busy, enum otter_finding_kind kind,
                     uint32_t place)
{
    const struct integrals *now = &segment->sweep->now, *before = &segment->cursor->at_begin;
    add(segment, kind, place,
        take_full(segment) + passed(&now->in[busy], &before->in[busy]) +
            passed(&now->out[busy], &before->out[busy]));
}

static void add_waiting(const struct segment *segment)
{
    const struct integrals *now = &segment->sweep->now, *before = &segment->cursor->at_begin;
    uint32_t region = segment->interval->region;
    enum otter_construct construct = construct_of(segment, region);
    if (construct == OTTER_CONSTRUCT_KOKKOS_FENCE || construct == OTTER_CONSTRUCT_REDUCTION) {
        add_busy(segment, BUSY_FENCE,
                 construct == OTTER_CONSTRUCT_REDUCTION ? OTTER_FINDING_REDUCTION
                                                        : OTTER_FINDING_FENCE,
                 region);
        return;
    }
    bool is_join = is_join_of_region(segment, construct);
    add_delay(segment, otter_sweep_delay(segment->sweep, segment->cursor),
              segment->cursor->skipped.in[BUSY_CONTINUING],
              passed(&now->out_delay, &before->out_delay));
    double idle = add_idle_off(segment);
    add(segment, is_join ? OTTER_FINDING_FORKING : OTTER_FINDING_WAKE_UP,
        is_join ? part_label(segment) : wait_place(segment), idle);
}

// ---- other states

// Returns the region whose fork or join the thread is in.
static uint32_t forked_label(const struct segment *segment)
{
    const struct otter_thread_line *line = segment->line;
    uint32_t next = segment->cursor->next_part;
    const struct otter_membership *parts = line->memberships.items;
    bool is_next = next < line->memberships.n && (parts[next].begin == segment->cursor->end ||
                                                  parts[next].forked <= segment->cursor->begin);
    if (is_next) {
        return parts[next].label;
    }
    return next > 0 ? parts[next - 1].label : OTTER_NONE;
}

// Returns `kind` as the cause of a delay, unless the thread had no processor: then the cause is
// that lack.
static enum otter_finding_kind or_lack(const struct segment *segment, enum otter_finding_kind kind)
{
    switch (segment->cursor->lack) {
    case PREEMPTED: return OTTER_FINDING_NOISE;
    case PREEMPTED_BY_OWN: return OTTER_FINDING_CROWDED;
    default: return kind;
    }
}

static enum otter_finding_kind mpi_kind(const struct segment *segment)
{
    const struct otter_definitions *definitions = segment->sweep->timeline->definitions;
    uint32_t region = segment->interval->region;
    bool is_job =
        region < definitions->n_regions && otter_mpi_is_of_job(definitions->regions[region].name);
    return is_job ? OTTER_FINDING_MPI_JOB : OTTER_FINDING_MPI;
}

// Returns the region that the thread enters next, which has been forked.
static uint32_t next_label(const struct segment *segment)
{
    return segment->line->memberships.items[segment->cursor->next_part].label;
}

static void add_outside(const struct segment *segment)
{
    const struct integrals *now = &segment->sweep->now, *before = &segment->cursor->at_begin;
    enum presence presence = segment->cursor->presence;
    if (presence == FORKED || presence == LATE) {
        // A thread that sleeps after others have begun may do other work, so it counts only as
        // late.
        add(segment,
            or_lack(segment, presence == LATE ? OTTER_FINDING_LATE : OTTER_FINDING_FORKING),
            segment->cursor->lack == PRESENT ? next_label(segment) : OTTER_NONE,
            take_full(segment));
    } else {
        add(segment, OTTER_FINDING_UNEXPLAINED, OTTER_NONE,
            passed(&now->idle_out, &before->idle_out));
    }
}

void otter_causes_add(struct sweep *sweep, uint32_t thread)
{
    struct cursor *cursor = &sweep->cursors[thread];
    struct segment segment = {
        .sweep = sweep,
        .thread = thread,
        .losses = &sweep->account->losses,
        .cursor = cursor,
        .line = &sweep->timeline->lines[thread],
        .interval = otter_sweep_interval(sweep, thread),
        .pieces = &sweep->input->pieces->lines[thread],
        .ticks = (double)(cursor->end - cursor->begin),
    };
    segment.part =
        cursor->part != OTTER_NONE ? &segment.line->memberships.items[cursor->part] : NULL;
    uint32_t region = segment.interval->region;
    switch ((enum otter_state)segment.interval->state) {
    case OTTER_STATE_EXECUTING: add_executing(&segment); break;
    case OTTER_STATE_WAITING: add_waiting(&segment); break;
    case OTTER_STATE_LOCK: add_busy(&segment, BUSY_LOCK, OTTER_FINDING_LOCK, region); break;
    case OTTER_STATE_FORKING:
        add_busy(&segment, BUSY_FORKING, or_lack(&segment, OTTER_FINDING_FORKING),
                 cursor->lack == PRESENT ? forked_label(&segment) : OTTER_NONE);
        break;
    case OTTER_STATE_MPI: add_busy(&segment, BUSY_MPI, mpi_kind(&segment), region); break;
    case OTTER_STATE_OUTSIDE: add_outside(&segment); break;
    case OTTER_STATE_PAUSED:
    case OTTER_STATE_LOST:
    case OTTER_STATE_UNUSED:
    case OTTER_N_STATES: break;
    }
}
