// Turns the events of each thread into intervals of one state.
#include "analysis/time/timeline.h"

#include <stdlib.h>

#include "analysis/time/lost.h"
#include "base/free.h"
#include "graph/numbers.h"
#include "trace/schema.h"

enum frame_kind { FRAME_REGION, FRAME_FORK, FRAME_TEAM };

struct frame {
    uint32_t region; // valid for FRAME_REGION
    uint32_t label;
    uint32_t index; // of the membership, valid for FRAME_FORK and FRAME_TEAM
    enum frame_kind kind;
};

// The thread whose events are being read.
struct otter_timeline_walk {
    struct otter_timeline *timeline;
    struct otter_thread_line *line;
    struct {
        OTTER_VECTOR(struct frame);
    } frames;
    bool is_serial;  // in no region, the thread executes the program: OpenMP has not begun
    bool has_others; // outermost constructs other than tasks
    bool is_paused, is_lost, is_short_of_memory;
    uint64_t last_time;
    // of the call whose records are being read: tenths of an event, and whether it creates a task
    uint32_t extra;
    bool has_created;
};

bool otter_construct_is_kernel(enum otter_construct construct)
{
    return (construct >= OTTER_CONSTRUCT_KOKKOS_FOR && construct <= OTTER_CONSTRUCT_KOKKOS_SCAN) ||
           construct == OTTER_CONSTRUCT_KOKKOS_COPY;
}

// Returns whether time in this construct is attributed to it: the construct executes code of the
// program.
static bool executes(enum otter_construct construct)
{
    return (construct >= OTTER_CONSTRUCT_INITIAL_TASK &&
            construct <= OTTER_CONSTRUCT_WORK_UNKNOWN) ||
           construct == OTTER_CONSTRUCT_KOKKOS_REGION || otter_construct_is_kernel(construct) ||
           (construct >= OTTER_CONSTRUCT_TARGET && construct < OTTER_CONSTRUCT_TARGET_MAP);
}

static const struct frame *top(const struct otter_timeline_walk *walk)
{
    return walk->frames.n ? &walk->frames.items[walk->frames.n - 1] : NULL;
}

static void push(struct otter_timeline_walk *walk, struct frame frame)
{
    walk->is_short_of_memory |= !OTTER_VECTOR_ADD(&walk->frames, frame);
}

// A kernel hides the constructs inside it except explicit tasks, MPI calls and kernels. A copy
// also hides the kernels that do its work.
static uint32_t label_in(const struct otter_timeline_walk *walk, uint32_t region)
{
    const struct frame *around = top(walk);
    uint32_t outer = around ? around->label : OTTER_INTERVAL_NO_LABEL;
    enum otter_construct construct =
        otter_definitions_construct(walk->timeline->definitions, region);
    enum otter_construct around_it =
        outer != OTTER_INTERVAL_NO_LABEL
            ? otter_definitions_construct(walk->timeline->definitions, outer)
            : OTTER_CONSTRUCT_UNKNOWN;
    bool is_of_copy = around_it == OTTER_CONSTRUCT_KOKKOS_COPY &&
                      otter_construct_is_kernel(construct) &&
                      construct != OTTER_CONSTRUCT_KOKKOS_COPY;
    if (construct == OTTER_CONSTRUCT_TASK || otter_construct_is_mpi(construct) ||
        (otter_construct_is_kernel(construct) && !is_of_copy)) {
        return region;
    }
    bool is_hidden = otter_construct_is_kernel(around_it);
    return executes(construct) && !is_hidden ? region : outer;
}

static enum otter_state state_of(const struct otter_timeline_walk *walk)
{
    const struct frame *frame = top(walk);
    if (walk->is_paused || walk->is_lost) {
        return walk->is_lost ? OTTER_STATE_LOST : OTTER_STATE_PAUSED;
    }
    if (!frame) {
        return walk->is_serial ? OTTER_STATE_EXECUTING : OTTER_STATE_OUTSIDE;
    }
    if (frame->kind != FRAME_REGION) {
        return OTTER_STATE_FORKING;
    }
    enum otter_construct construct =
        otter_definitions_construct(walk->timeline->definitions, frame->region);
    if (otter_construct_waits(construct)) {
        return OTTER_STATE_WAITING;
    }
    return otter_construct_locks(construct)    ? OTTER_STATE_LOCK
           : otter_construct_is_mpi(construct) ? OTTER_STATE_MPI
                                               : OTTER_STATE_EXECUTING;
}

// Sets the state from `time` on. Replaces an empty interval.
static void change(struct otter_timeline_walk *walk, uint64_t time)
{
    const struct frame *frame = top(walk);
    struct otter_interval now = {
        .begin = time,
        .region = frame && frame->kind == FRAME_REGION ? frame->region : OTTER_NONE,
        .label = frame ? frame->label : OTTER_INTERVAL_NO_LABEL,
        .state = (uint8_t)state_of(walk),
    };
    struct otter_thread_line *line = walk->line;
    struct otter_interval *last =
        line->intervals.n ? &line->intervals.items[line->intervals.n - 1] : NULL;
    if (last && now.begin <= last->begin) {
        now.begin = last->begin;
        *last = now;
        return;
    }
    if (last && last->state == now.state && last->region == now.region &&
        last->label == now.label) {
        return;
    }
    walk->is_short_of_memory |= !OTTER_VECTOR_ADD(&line->intervals, now);
}

// A thread that calls MPI or Kokkos outside of regions is not an OpenMP worker.
static bool is_of_program(enum otter_construct construct)
{
    return otter_construct_is_mpi(construct) || otter_construct_is_kernel(construct) ||
           construct == OTTER_CONSTRUCT_KOKKOS_REGION;
}

static void enter(struct otter_timeline_walk *walk, const struct otter_event *event)
{
    if (walk->frames.n == 0) {
        enum otter_construct construct =
            otter_definitions_construct(walk->timeline->definitions, event->region);
        walk->is_serial = is_of_program(construct);
        walk->has_others |= construct != OTTER_CONSTRUCT_TASK;
    }
    push(walk, (struct frame){.kind = FRAME_REGION,
                              .region = event->region,
                              .label = label_in(walk, event->region)});
}

// Ends the innermost frame of this kind, and all frames that a damaged archive has left open inside
// it.
static void pop(struct otter_timeline_walk *walk, enum frame_kind kind, uint64_t time)
{
    uint32_t n = walk->frames.n;
    while (n > 0 && walk->frames.items[n - 1].kind != kind) {
        n--;
    }
    if (n == 0) {
        return;
    }
    const struct frame *frame = &walk->frames.items[n - 1];
    struct otter_membership *membership =
        kind == FRAME_FORK   ? &walk->line->forks.items[frame->index]
        : kind == FRAME_TEAM ? &walk->line->memberships.items[frame->index]
                             : NULL;
    if (membership) {
        membership->end = time;
        membership->end_interval = walk->line->intervals.n;
    }
    walk->frames.n = n - 1;
}

static void fork_team(struct otter_timeline_walk *walk, uint64_t time)
{
    const struct frame *around = top(walk);
    uint32_t label = around ? around->label : OTTER_INTERVAL_NO_LABEL;
    if (!OTTER_VECTOR_RESERVE(&walk->line->forks)) {
        walk->is_short_of_memory = true;
        return;
    }
    uint32_t index = walk->line->forks.n++;
    walk->line->forks.items[index] = (struct otter_membership){.begin = time, .label = label};
    walk->has_others |= !around;
    push(walk, (struct frame){.kind = FRAME_FORK, .label = label, .index = index});
}

static uint32_t innermost_part(const struct otter_timeline_walk *walk)
{
    uint32_t n = walk->frames.n;
    while (n > 0 && walk->frames.items[n - 1].kind != FRAME_TEAM) {
        n--;
    }
    return n > 0 ? walk->frames.items[n - 1].index : OTTER_NONE;
}

static void begin_team(struct otter_timeline_walk *walk, uint64_t time)
{
    walk->has_others |= walk->frames.n == 0;
    const struct frame *around = top(walk);
    uint32_t label = around ? around->label : OTTER_INTERVAL_NO_LABEL;
    if (!OTTER_VECTOR_RESERVE(&walk->line->memberships)) {
        walk->is_short_of_memory = true;
        return;
    }
    // the team's first interval replaces one that begins now
    const struct otter_thread_line *line = walk->line;
    bool is_replaced = line->intervals.items[line->intervals.n - 1].begin >= time;
    uint32_t index = walk->line->memberships.n++;
    walk->line->memberships.items[index] =
        (struct otter_membership){.begin = time,
                                  .label = OTTER_NONE,
                                  .team = OTTER_NONE,
                                  .outer = innermost_part(walk),
                                  .first_interval = line->intervals.n - is_replaced};
    push(walk, (struct frame){.kind = FRAME_TEAM, .label = label, .index = index});
}

static bool is_thread(const struct otter_definitions *definitions, uint32_t location)
{
    return location < definitions->n_locations &&
           definitions->locations[location].kind == OTTER_LOCATION_CPU_THREAD;
}

static bool is_executing(const struct otter_timeline_walk *walk)
{
    const struct otter_thread_line *line = walk->line;
    return line->intervals.items[line->intervals.n - 1].state == OTTER_STATE_EXECUTING;
}

// Returns how much longer a call with this record takes than others, in tenths of an event. It
// takes longer to begin regions and loops than tasks or waits (LLVM 19, doc/cost.md).
static uint32_t extra_of(const struct otter_event *event)
{
    bool is_of_region = event->kind == OTTER_RECORD_FORK || event->kind == OTTER_RECORD_JOIN;
    return is_of_region ? 15 : event->kind == OTTER_RECORD_PARAMETER ? 20 : 0;
}

// Counts a call whose records are complete.
static void count_call(struct otter_timeline_walk *walk)
{
    uint64_t call = OTTER_COST_OF_CALL, cost = call + walk->extra;
    walk->line->recorded_tenths += cost;
    walk->line->executing_tenths += !is_executing(walk) ? 0 : walk->has_created ? call : cost;
    walk->extra = 0;
    walk->has_created = false;
}

static void count_stored(struct otter_timeline_walk *walk, const struct otter_event *event)
{
    struct otter_store store = {event->time, event->stop, is_executing(walk)};
    walk->is_short_of_memory |=
        store.begin < store.end && !OTTER_VECTOR_ADD(&walk->line->stores, store);
}

static void finish_line(struct otter_thread_line *line)
{
    OTTER_FREE(line->intervals.items, line->forks.items, line->memberships.items, line->off.items,
               line->stores.items, line->unknown.items);
}

// A thread that was in no region has no line.
static void drop_line(struct otter_timeline_walk *walk)
{
    walk->timeline->line_of[walk->line->location] = OTTER_NONE;
    walk->timeline->n_lines--;
    finish_line(walk->line);
    *walk->line = (struct otter_thread_line){0};
}

// Ends frames that a damaged archive has left open. After its last event, a thread counts as lost
// if events are missing.
static void end_line(struct otter_timeline_walk *walk)
{
    if (!walk->line || walk->is_short_of_memory) {
        return;
    }
    while (walk->frames.n > 0) {
        pop(walk, walk->frames.items[walk->frames.n - 1].kind, walk->last_time);
    }
    count_call(walk);
    walk->is_lost = otter_ends_early(walk->timeline->definitions, walk->line->location);
    if (walk->is_lost) {
        change(walk, walk->last_time);
    } else if (walk->line->intervals.n == 1) {
        drop_line(walk);
    } else {
        walk->line->is_helper = !walk->has_others;
        OTTER_VECTOR_SHRINK(&walk->line->intervals);
    }
    walk->is_lost = false;
    walk->line = NULL;
}

// The first interval of each thread begins at the start of the timeline, which is known once all
// threads have been read.
static void begin_line(struct otter_timeline_walk *walk, const struct otter_event *event)
{
    struct otter_timeline *timeline = walk->timeline;
    timeline->line_of[event->location] = timeline->n_lines;
    walk->line = &timeline->lines[timeline->n_lines++];
    *walk->line = (struct otter_thread_line){.location = event->location};
    walk->is_paused = walk->is_serial = walk->has_others = false;
    walk->extra = 0;
    walk->has_created = false;
    walk->last_time = event->time;
    walk->is_short_of_memory |= !OTTER_VECTOR_ADD(
        &walk->line->intervals, (struct otter_interval){.region = OTTER_NONE,
                                                        .label = OTTER_INTERVAL_NO_LABEL,
                                                        .state = OTTER_STATE_OUTSIDE});
}

static void apply(struct otter_timeline_walk *walk, const struct otter_event *event)
{
    switch (event->kind) {
    case OTTER_RECORD_ENTER: enter(walk, event); break;
    case OTTER_RECORD_LEAVE: pop(walk, FRAME_REGION, event->time); break;
    case OTTER_RECORD_FORK: fork_team(walk, event->time); break;
    case OTTER_RECORD_JOIN: pop(walk, FRAME_FORK, event->time); break;
    case OTTER_RECORD_TEAM_BEGIN: begin_team(walk, event->time); break;
    case OTTER_RECORD_TEAM_END: pop(walk, FRAME_TEAM, event->time); break;
    case OTTER_RECORD_MEASUREMENT:
        walk->is_paused = !event->is_on;
        walk->has_others = true; // the regions that the thread is in are unknown
        break;
    case OTTER_RECORD_BUFFER_FLUSH: count_stored(walk, event); return;
    default: return;
    }
    change(walk, event->time);
}

bool otter_timeline_add(void *user, const struct otter_event *event)
{
    struct otter_timeline *timeline = user;
    struct otter_timeline_walk *walk = timeline->walk;
    if (!is_thread(timeline->definitions, event->location)) {
        return true;
    }
    if (!walk->line || walk->line->location != event->location) {
        end_line(walk);
        begin_line(walk, event);
    }
    if (!walk->is_short_of_memory) {
        if (event->time > walk->last_time && event->kind != OTTER_RECORD_BUFFER_FLUSH) {
            count_call(walk);
        }
        walk->extra += extra_of(event);
        walk->has_created |= event->kind == OTTER_RECORD_TASK_CREATE;
        walk->last_time = event->time > walk->last_time ? event->time : walk->last_time;
        timeline->begin = event->time < timeline->begin ? event->time : timeline->begin;
        timeline->end = event->time > timeline->end ? event->time : timeline->end;
        apply(walk, event);
    }
    return !walk->is_short_of_memory;
}

enum otter_status otter_timeline_begin(struct otter_timeline *timeline,
                                       const struct otter_definitions *definitions)
{
    *timeline = (struct otter_timeline){.definitions = definitions, .begin = UINT64_MAX};
    timeline->lines = calloc(definitions->n_locations + 1, sizeof *timeline->lines);
    timeline->line_of = otter_numbers_create(definitions->n_locations);
    timeline->walk = calloc(1, sizeof *timeline->walk);
    if (!timeline->lines || !timeline->line_of || !timeline->walk) {
        otter_timeline_finish(timeline);
        return OTTER_NO_MEMORY;
    }
    timeline->walk->timeline = timeline;
    return OTTER_OK;
}

// A helper thread is used only during its tasks. If all threads seem to be helpers, they are
// threads of the program.
static void release_helpers(struct otter_timeline *timeline)
{
    for (uint32_t i = 0; i < timeline->n_lines; i++) {
        timeline->n_helpers += timeline->lines[i].is_helper;
    }
    timeline->n_helpers = timeline->n_helpers < timeline->n_lines ? timeline->n_helpers : 0;
    for (uint32_t i = 0; i < timeline->n_lines; i++) {
        struct otter_thread_line *line = &timeline->lines[i];
        line->is_helper = line->is_helper && timeline->n_helpers > 0;
        for (uint32_t k = 0; k < line->intervals.n && line->is_helper; k++) {
            if (line->intervals.items[k].state == OTTER_STATE_OUTSIDE) {
                line->intervals.items[k].state = OTTER_STATE_UNUSED;
            }
        }
    }
}

enum otter_status otter_timeline_end(struct otter_timeline *timeline)
{
    end_line(timeline->walk);
    bool is_short_of_memory = timeline->walk->is_short_of_memory;
    free(timeline->walk->frames.items);
    free(timeline->walk);
    timeline->walk = NULL;
    timeline->begin = timeline->begin < timeline->end ? timeline->begin : timeline->end;
    for (uint32_t i = 0; i < timeline->n_lines && !is_short_of_memory; i++) {
        timeline->lines[i].intervals.items[0].begin = timeline->begin;
    }
    release_helpers(timeline);
    return is_short_of_memory ? OTTER_NO_MEMORY : OTTER_OK;
}

void otter_timeline_finish(struct otter_timeline *timeline)
{
    for (uint32_t i = 0; i < timeline->n_lines && timeline->lines; i++) {
        finish_line(&timeline->lines[i]);
    }
    for (uint32_t i = 0; i < timeline->n_others; i++) {
        finish_line(&timeline->others[i]);
    }
    if (timeline->walk) {
        free(timeline->walk->frames.items);
    }
    OTTER_FREE(timeline->walk, timeline->lines, timeline->others, timeline->line_of,
               timeline->betweens.items);
    *timeline = (struct otter_timeline){0};
}

uint64_t otter_timeline_unknown(const struct otter_timeline *timeline)
{
    uint64_t ticks = 0;
    for (uint32_t i = 0; i < timeline->n_lines; i++) {
        const struct otter_stretches *unknown = &timeline->lines[i].unknown;
        for (uint32_t k = 0; k < unknown->n; k++) {
            ticks += unknown->items[k].end - unknown->items[k].begin;
        }
    }
    return ticks;
}

bool otter_timeline_is_busy(const struct otter_timeline *timeline,
                            const struct otter_thread_line *other)
{
    uint64_t all = timeline->end - timeline->begin, ticks = all;
    for (uint32_t i = 0; i < other->off.n; i++) {
        ticks -= other->off.items[i].end - other->off.items[i].begin;
    }
    for (uint32_t i = 0; i < other->unknown.n; i++) {
        ticks -= other->unknown.items[i].end - other->unknown.items[i].begin;
    }
    return ticks > all / 100;
}

uint64_t otter_timeline_off(const struct otter_timeline *timeline, bool is_preempted, bool by_own)
{
    uint64_t ticks = 0;
    for (uint32_t i = 0; i < timeline->n_lines; i++) {
        const struct otter_thread_line *line = &timeline->lines[i];
        for (uint32_t k = 0; k < line->off.n; k++) {
            const struct otter_off *off = &line->off.items[k];
            bool is_counted = off->is_preempted == is_preempted && off->by_own == by_own;
            ticks += is_counted ? off->end - off->begin : 0;
        }
    }
    return ticks;
}
