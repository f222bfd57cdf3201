// Collects the members' shares of loops from events, and adds them up by construct.
#include "analysis/detail/loops.h"

#include <stdlib.h>

#include "base/free.h"
#include "base/order.h"
#include "analysis/detail/events.h"
#include "analysis/time/states.h"
#include "graph/numbers.h"
#include "trace/schema.h"

// The part of a loop that one member executed.
struct share {
    uint64_t begin, end;
    uint64_t barrier_begin, barrier_end; // the barrier that follows immediately; 0: none
    uint64_t iterations;                 // iterations of the whole loop
    uint64_t chunk_iterations;
    uint32_t chunks;
    uint32_t region;
    uint32_t line; // the location; find_lines() replaces it with the line of the timeline
    uint32_t team; // index of the thread's membership; find_teams() replaces it with the team
    uint32_t turn; // number of this execution among the member's executions of the loop
};

struct frame {
    uint32_t share; // OTTER_NONE: the region is not a loop
    bool is_barrier;
};

struct otter_loop_walk {
    const struct otter_definitions *definitions;
    struct {
        OTTER_VECTOR(struct share);
    } shares;
    uint32_t location;
    struct {
        OTTER_VECTOR(struct frame);
    } frames;
    struct {
        OTTER_VECTOR(uint32_t);
    } memberships; // open ones
    uint32_t n_memberships;
    uint32_t just_ended; // a share, or OTTER_NONE
    bool is_in_chunk;    // the next number of iterations belongs to a chunk
    bool is_short_of_memory;
};

// ---- events

static bool shares_work(enum otter_construct construct)
{
    return construct == OTTER_CONSTRUCT_LOOP || construct == OTTER_CONSTRUCT_SECTIONS ||
           construct == OTTER_CONSTRUCT_WORKSHARE || construct == OTTER_CONSTRUCT_DISTRIBUTE ||
           construct == OTTER_CONSTRUCT_TASKLOOP;
}

static void begin_location(struct otter_loop_walk *walk, uint32_t location)
{
    walk->location = location;
    walk->frames.n = walk->memberships.n = walk->n_memberships = 0;
    walk->just_ended = OTTER_NONE;
}

static uint32_t begin_share(struct otter_loop_walk *walk, const struct otter_event *event)
{
    if (!OTTER_VECTOR_RESERVE(&walk->shares)) {
        walk->is_short_of_memory = true;
        return OTTER_NONE;
    }
    uint32_t n = walk->memberships.n;
    walk->shares.items[walk->shares.n] =
        (struct share){.begin = event->time,
                       .end = UINT64_MAX,
                       .region = event->region,
                       .line = walk->location,
                       .team = n ? walk->memberships.items[n - 1] : OTTER_NONE};
    return walk->shares.n++;
}

static void enter(struct otter_loop_walk *walk, const struct otter_event *event)
{
    enum otter_construct construct = otter_definitions_construct(walk->definitions, event->region);
    struct frame frame = {.share = OTTER_NONE};
    if (shares_work(construct)) {
        frame.share = begin_share(walk, event);
        walk->is_in_chunk = false;
    } else if (otter_construct_is_barrier(construct) && walk->just_ended != OTTER_NONE) {
        frame = (struct frame){.share = walk->just_ended, .is_barrier = true};
        walk->shares.items[frame.share].barrier_begin = event->time;
    }
    walk->just_ended = OTTER_NONE;
    walk->is_short_of_memory |= !OTTER_VECTOR_ADD(&walk->frames, frame);
}

static void leave(struct otter_loop_walk *walk, uint64_t time)
{
    walk->just_ended = OTTER_NONE;
    if (walk->frames.n == 0) {
        return;
    }
    struct frame frame = walk->frames.items[--walk->frames.n];
    if (frame.share == OTTER_NONE) {
        return;
    }
    if (frame.is_barrier) {
        walk->shares.items[frame.share].barrier_end = time;
    } else {
        walk->shares.items[frame.share].end = time;
        walk->just_ended = frame.share;
    }
}

// A thread's parts in regions are numbered in the order in which they begin, as in the timeline.
static void begin_team(struct otter_loop_walk *walk)
{
    walk->is_short_of_memory |= !OTTER_VECTOR_ADD(&walk->memberships, walk->n_memberships++);
}

static void describe(struct otter_loop_walk *walk, const struct otter_event *event)
{
    const struct otter_definitions *definitions = walk->definitions;
    const struct frame *top = walk->frames.n ? &walk->frames.items[walk->frames.n - 1] : NULL;
    if (!top || top->share == OTTER_NONE || top->is_barrier ||
        event->parameter.definition >= definitions->n_parameters) {
        return;
    }
    struct share *share = &walk->shares.items[top->share];
    switch (definitions->parameters[event->parameter.definition].kind) {
    case OTTER_PARAMETER_CHUNK_LOOP:
    case OTTER_PARAMETER_CHUNK_DISTRIBUTE:
    case OTTER_PARAMETER_ITERATION:
    case OTTER_PARAMETER_SECTION:
        share->chunks++;
        walk->is_in_chunk = true;
        break;
    case OTTER_PARAMETER_ITERATIONS:
        *(walk->is_in_chunk ? &share->chunk_iterations : &share->iterations) +=
            event->parameter.value;
        break;
    default: break;
    }
}

bool otter_loop_walk_add(void *user, const struct otter_event *event)
{
    struct otter_loop_walk *walk = user;
    if (walk->location != event->location) {
        begin_location(walk, event->location);
    }
    switch (event->kind) {
    case OTTER_RECORD_ENTER: enter(walk, event); break;
    case OTTER_RECORD_LEAVE: leave(walk, event->time); break;
    case OTTER_RECORD_TEAM_BEGIN: begin_team(walk); break;
    case OTTER_RECORD_TEAM_END: walk->memberships.n -= walk->memberships.n > 0; break;
    case OTTER_RECORD_PARAMETER: describe(walk, event); break;
    default: break;
    }
    return !walk->is_short_of_memory;
}

// ---- executions

static int by_member(const void *a, const void *b)
{
    const struct share *x = a, *y = b;
    return OTTER_BY_4(x, y, region, team, line, begin);
}

static int by_execution(const void *a, const void *b)
{
    const struct share *x = a, *y = b;
    return OTTER_BY_4(x, y, region, team, turn, line);
}

// Replaces locations with lines, and leaves out the shares of locations without one.
static void find_lines(struct otter_loop_walk *walk, const struct otter_timeline *timeline)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < walk->shares.n; i++) {
        struct share share = walk->shares.items[i];
        share.line = timeline->line_of[share.line];
        share.end = share.end < timeline->end ? share.end : timeline->end;
        if (share.line != OTTER_NONE) {
            walk->shares.items[n++] = share;
        }
    }
    walk->shares.n = n;
}

// Replaces each share's membership with its team. Shares outside of teams get a number for their
// thread.
static bool find_teams(struct otter_loop_walk *walk, const struct otter_analysis *analysis)
{
    const struct otter_timeline *timeline = &analysis->timeline;
    const struct otter_graph *graph = analysis->graph;
    uint32_t *first = calloc(timeline->n_lines + 1, sizeof *first);
    for (uint32_t i = 0; i < timeline->n_lines && first; i++) {
        first[i + 1] = first[i] + timeline->lines[i].memberships.n;
    }
    uint32_t *teams = first ? otter_numbers_create(first[timeline->n_lines]) : NULL;
    for (uint32_t i = 0; i < graph->n_teams && teams; i++) {
        for (uint32_t k = 0; k < graph->teams[i].n_members; k++) {
            struct otter_thread_line *line;
            const struct otter_membership *membership = otter_membership_of(
                timeline, graph, graph->members[graph->teams[i].first_member + k], &line);
            if (membership) {
                teams[first[line - timeline->lines] + (membership - line->memberships.items)] = i;
            }
        }
    }
    for (uint32_t i = 0; i < walk->shares.n && teams; i++) {
        struct share *share = &walk->shares.items[i];
        bool is_known = share->team < timeline->lines[share->line].memberships.n &&
                        teams[first[share->line] + share->team] != OTTER_NONE;
        share->team =
            is_known ? teams[first[share->line] + share->team] : graph->n_teams + share->line;
    }
    bool is_good = teams != NULL;
    free(first);
    free(teams);
    return is_good;
}

static bool is_same_member(const struct share *a, const struct share *b)
{
    return a->region == b->region && a->team == b->team && a->line == b->line;
}

static void sort(struct otter_loop_walk *walk, int (*order)(const void *, const void *))
{
    if (walk->shares.n > 0) {
        qsort(walk->shares.items, walk->shares.n, sizeof *walk->shares.items, order);
    }
}

static void number_turns(struct otter_loop_walk *walk)
{
    struct share *shares = walk->shares.items;
    sort(walk, by_member);
    for (uint32_t i = 1; i < walk->shares.n; i++) {
        shares[i].turn = is_same_member(&shares[i - 1], &shares[i]) ? shares[i - 1].turn + 1 : 0;
    }
    sort(walk, by_execution);
}

static void add_execution(struct otter_loop_use *use, const struct otter_timeline *timeline,
                          const struct share *shares, uint32_t n)
{
    uint64_t begin = UINT64_MAX, end = 0, most = 0, iterations = 0, in_chunks = 0, all = 0;
    for (uint32_t i = 0; i < n; i++) {
        const struct share *share = &shares[i];
        const struct otter_thread_line *line = &timeline->lines[share->line];
        uint64_t executing =
            otter_ticks_in_state(timeline, line, OTTER_STATE_EXECUTING, share->begin, share->end);
        begin = share->begin < begin ? share->begin : begin;
        end = share->end > end ? share->end : end;
        most = executing > most ? executing : most;
        iterations = share->iterations > iterations ? share->iterations : iterations;
        in_chunks += share->chunk_iterations;
        use->chunks += share->chunks;
        all += executing;
        use->waiting += otter_ticks_in_state(timeline, line, OTTER_STATE_WAITING,
                                             share->barrier_begin, share->barrier_end);
    }
    use->n++;
    use->n_members += n;
    use->iterations += iterations ? iterations : in_chunks;
    use->wall += end - begin;
    use->executing += all;
    use->max_executing += most;
    use->mean_executing += (double)all / n;
}

static int by_execution_time(const void *a, const void *b)
{
    const struct otter_loop_use *x = a, *y = b;
    return otter_order(OTTER_BY_1(y, x, executing), OTTER_BY_1(x, y, region));
}

static void add_up(struct otter_loops *loops, const struct otter_loop_walk *walk,
                   const struct otter_analysis *analysis, const uint64_t *on_span)
{
    const struct share *shares = walk->shares.items;
    for (uint32_t i = 0, end; i < walk->shares.n; i = end) {
        end = i + 1;
        while (end < walk->shares.n && shares[end].region == shares[i].region &&
               shares[end].team == shares[i].team && shares[end].turn == shares[i].turn) {
            end++;
        }
        if (i == 0 || shares[i].region != shares[i - 1].region) {
            loops->items[loops->n++] = (struct otter_loop_use){
                .region = shares[i].region,
                .on_span = on_span[otter_account_label(&analysis->account, shares[i].region)]};
        }
        add_execution(&loops->items[loops->n - 1], &analysis->timeline, &shares[i], end - i);
    }
    if (loops->n > 0) {
        qsort(loops->items, loops->n, sizeof *loops->items, by_execution_time);
    }
}

// ---- all

static bool conclude(struct otter_loops *loops, struct otter_loop_walk *walk,
                     const struct otter_analysis *analysis)
{
    find_lines(walk, &analysis->timeline);
    uint64_t *on_span = calloc(analysis->account.n_labels, sizeof *on_span);
    loops->items = calloc(analysis->definitions->n_regions + 1, sizeof *loops->items);
    bool is_good = on_span && loops->items && find_teams(walk, analysis);
    if (is_good && walk->shares.n > 0) {
        number_turns(walk);
        otter_span_labels(analysis, on_span);
        add_up(loops, walk, analysis, on_span);
    }
    free(on_span);
    return is_good;
}

struct otter_loop_walk *otter_loop_walk_create(const struct otter_definitions *definitions)
{
    struct otter_loop_walk *walk =
        otter_events_have(definitions, shares_work) ? calloc(1, sizeof *walk) : NULL;
    if (walk) {
        walk->definitions = definitions;
        walk->location = OTTER_NONE;
    }
    return walk;
}

void otter_loop_walk_destroy(struct otter_loop_walk *walk)
{
    if (walk) {
        OTTER_FREE(walk->shares.items, walk->frames.items, walk->memberships.items);
        free(walk);
    }
}

enum otter_status otter_loops_read(struct otter_loops *loops, const struct otter_analysis *analysis,
                                   struct otter_loop_walk *walk)
{
    struct otter_loop_walk own = {.definitions = analysis->definitions, .location = OTTER_NONE};
    *loops = (struct otter_loops){0};
    bool is_good = walk || otter_events_read(analysis, shares_work, otter_loop_walk_add, &own);
    is_good = is_good && conclude(loops, walk ? walk : &own, analysis);
    OTTER_FREE(own.shares.items, own.frames.items, own.memberships.items);
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}

void otter_loops_finish(struct otter_loops *loops)
{
    free(loops->items);
    *loops = (struct otter_loops){0};
}
