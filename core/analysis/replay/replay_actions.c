// Lists the actions of each node in a replay: computing, locks, parts of loops.
#include <stdlib.h>

#include "analysis/replay/replay_plan.h"
#include "analysis/path/scaled.h"
#include "analysis/time/states.h"
#include "graph/numbers.h"

struct held {
    uint32_t lock;
    double factor;
};

// The walk over the pieces of one thread, sorted by time.
struct walk {
    struct otter_replay *replay;
    const struct otter_thread_line *line;
    const struct otter_location_marks *marks;
    const float *of_intervals; // additional factors; NULL: 1
    uint32_t interval, mark;
    uint64_t unscaled; // ticks of creation in the piece, to which no factor applies
    uint64_t saved;    // ticks of the piece that a cut-off saves
    uint64_t duration; // of the piece so far
    // iterations of the open loop: in total, and in the thread's first chunk
    uint32_t iterations, block;
    struct {
        OTTER_VECTOR(struct held);
    } held;
    const struct otter_replay_ids *dropped; // locks that are always free
    bool is_short_of_memory;
};

static uint32_t append(struct walk *walk, struct otter_action action)
{
    struct otter_actions *actions = &walk->replay->actions;
    if (!OTTER_VECTOR_RESERVE(actions)) {
        walk->is_short_of_memory = true;
        return 0;
    }
    actions->items[actions->n] = action;
    return actions->n++;
}

// The runtime takes as long to give members their chunks of a loop, however long these take.
static double factor_of(const struct otter_replay *replay, uint32_t label)
{
    const struct otter_analysis *analysis = replay->analysis;
    const double *factors = replay->changes ? replay->changes->factors : NULL;
    double factor = factors ? factors[otter_account_label(&analysis->account, label)] : 1;
    if (factor == 1 || label >= analysis->definitions->n_regions) {
        return factor;
    }
    double taking = otter_marks_taking(&analysis->marks, label);
    double executed = (double)analysis->account.executed[label];
    double kept = taking < executed ? taking / executed : taking > 0;
    return kept + (1 - kept) * factor;
}

static uint64_t scaled(struct walk *walk, uint32_t label, uint64_t ticks)
{
    uint64_t saved = ticks < walk->saved ? ticks : walk->saved;
    walk->saved -= saved;
    ticks -= saved;
    uint64_t unscaled = ticks < walk->unscaled ? ticks : walk->unscaled;
    double factor = factor_of(walk->replay, label);
    factor *= walk->of_intervals ? walk->of_intervals[walk->interval] : 1;
    for (uint32_t i = 0; i < walk->held.n; i++) {
        factor *= walk->held.items[i].factor;
    }
    walk->unscaled -= unscaled;
    ticks -= unscaled;
    return unscaled + otter_scaled(ticks, factor);
}

// Returns the execution of the thread between two times, scaled.
static uint64_t compute(struct walk *walk, uint64_t begin, uint64_t end)
{
    const struct otter_timeline *timeline = &walk->replay->analysis->timeline;
    uint64_t sum = 0;
    while (begin < end) {
        uint64_t next = otter_interval_end(timeline, walk->line, walk->interval);
        if (next <= begin && walk->interval + 1 < walk->line->intervals.n) {
            walk->interval++;
            continue;
        }
        next = next < end && next > begin ? next : end;
        const struct otter_interval *interval = &walk->line->intervals.items[walk->interval];
        uint64_t off = walk->replay->is_quiet ? otter_ticks_preempted(walk->line, begin, next) : 0;
        sum += interval->state == OTTER_STATE_EXECUTING
                   ? scaled(walk, interval->label, next - begin - off)
                   : 0;
        begin = next;
    }
    return sum;
}

// ---- marks

static bool begins(const struct otter_mark *mark)
{
    return mark->kind != OTTER_MARK_RELEASE && mark->kind != OTTER_MARK_ORDER_END &&
           mark->kind != OTTER_MARK_LOOP_END;
}

static void hold(struct walk *walk, const struct otter_mark *mark)
{
    double factor = factor_of(walk->replay, mark->region);
    if (factor == 1) {
        return;
    }
    walk->is_short_of_memory |= !OTTER_VECTOR_ADD(&walk->held, (struct held){mark->value, factor});
}

static void release(struct walk *walk, uint32_t lock)
{
    for (uint32_t i = walk->held.n; i-- > 0;) {
        if (walk->held.items[i].lock == lock) {
            walk->held.items[i] = walk->held.items[--walk->held.n];
            return;
        }
    }
}

static void end_loop(struct walk *walk, uint32_t node, uint32_t first)
{
    struct otter_replay *replay = walk->replay;
    uint32_t last = append(walk, (struct otter_action){.kind = OTTER_ACTION_LOOP_END});
    if (walk->is_short_of_memory || !OTTER_VECTOR_RESERVE(&replay->shares)) {
        walk->is_short_of_memory = true;
        return;
    }
    struct otter_share share = {.node = node,
                                .region = (uint32_t)replay->actions.items[first].value,
                                .first = first,
                                .end = last + 1,
                                .iterations = walk->iterations,
                                .block = walk->block};
    for (uint32_t i = first; i <= last; i++) {
        const struct otter_action *action = &replay->actions.items[i];
        share.work += otter_action_takes_time(action) ? action->value : 0;
        share.n_chunks += action->kind == OTTER_ACTION_CHUNK;
        share.has_locks |= action->kind == OTTER_ACTION_ACQUIRE;
    }
    replay->actions.items[first].jump = share.end;
    replay->shares.items[replay->shares.n++] = share;
}

// A loop that does not end in its node is replayed as recorded.
static void forget_loop(struct walk *walk, uint32_t loop)
{
    if (loop != OTTER_NONE && !walk->is_short_of_memory) {
        walk->replay->actions.items[loop].kind = OTTER_ACTION_LOOP_END;
    }
}

static void acquire(struct walk *walk, const struct otter_mark *mark)
{
    const struct otter_replay *replay = walk->replay;
    bool is_known = mark->region < replay->analysis->definitions->n_regions;
    uint64_t ticks = is_known ? replay->lock_times[mark->region].hand_over : 0;
    hold(walk, mark);
    if (otter_replay_index_of(walk->dropped, mark->value) != OTTER_NONE) {
        return;
    }
    append(walk, (struct otter_action){.value = mark->value, .kind = OTTER_ACTION_ACQUIRE});
    if (ticks > 0) {
        walk->duration += ticks;
        append(walk, (struct otter_action){.value = ticks, .kind = OTTER_ACTION_HAND_OVER});
    }
}

// `*loop` is the action of the loop that is open in this node.
static void apply(struct walk *walk, const struct otter_mark *mark, uint32_t node, uint32_t *loop)
{
    switch ((enum otter_mark_kind)mark->kind) {
    case OTTER_MARK_ACQUIRE: acquire(walk, mark); break;
    case OTTER_MARK_RELEASE:
        release(walk, mark->value);
        append(walk, (struct otter_action){.value = mark->value, .kind = OTTER_ACTION_RELEASE});
        break;
    case OTTER_MARK_ORDER_BEGIN: hold(walk, mark); break;
    case OTTER_MARK_ORDER_END: release(walk, mark->value); break;
    case OTTER_MARK_LOOP_BEGIN:
        forget_loop(walk, *loop);
        walk->iterations = mark->value;
        walk->block = 0;
        *loop =
            append(walk, (struct otter_action){.value = mark->region, .kind = OTTER_ACTION_LOOP});
        break;
    case OTTER_MARK_LOOP_END:
        if (*loop != OTTER_NONE) {
            end_loop(walk, node, *loop);
        }
        *loop = OTTER_NONE;
        break;
    case OTTER_MARK_CHUNK:
        append(walk, (struct otter_action){.value = mark->time, .kind = OTTER_ACTION_CHUNK});
        break;
    case OTTER_MARK_BLOCK: walk->block = walk->block ? walk->block : mark->value; break;
    }
}

// ---- nodes

// The next mark of the piece. A construct that begins at the end of a piece belongs to the next.
static const struct otter_mark *next_mark(const struct walk *walk, uint64_t end)
{
    const struct otter_mark *mark =
        walk->mark < walk->marks->n ? &walk->marks->items[walk->mark] : NULL;
    return mark && (mark->time < end || (mark->time == end && !begins(mark))) ? mark : NULL;
}

static void add_compute(struct walk *walk, uint64_t ticks)
{
    walk->duration += ticks;
    if (ticks > 0) {
        append(walk, (struct otter_action){.value = ticks, .kind = OTTER_ACTION_COMPUTE});
    }
}

// Returns the Kokkos kernel that the node executes as a member of a team; OTTER_NONE if there is
// none. A kernel with loops does not count: its loops are divided instead.
static uint32_t kernel_of(struct walk *walk, uint32_t node)
{
    const struct otter_analysis *analysis = walk->replay->analysis;
    const struct otter_node *at = &analysis->graph->nodes[node];
    while (walk->interval + 1 < walk->line->intervals.n &&
           walk->line->intervals.items[walk->interval + 1].begin <= at->start) {
        walk->interval++;
    }
    uint32_t label = walk->line->intervals.items[walk->interval].label;
    if (otter_replay_team_of(walk->replay, at->task) == OTTER_NONE ||
        !otter_construct_is_kernel(otter_definitions_construct(analysis->definitions, label))) {
        return OTTER_NONE;
    }
    for (uint32_t i = walk->mark; i < walk->marks->n && walk->marks->items[i].time <= at->end;
         i++) {
        if (walk->marks->items[i].kind >= OTTER_MARK_LOOP_BEGIN) {
            return OTTER_NONE;
        }
    }
    return label;
}

static void add_node(struct walk *walk, uint32_t node)
{
    struct otter_replay *replay = walk->replay;
    const struct otter_node *at = &replay->analysis->graph->nodes[node];
    uint64_t time = at->start, costs = otter_slim_get(&replay->durations, node);
    uint32_t loop = OTTER_NONE, kernel = kernel_of(walk, node);
    walk->saved = otter_replay_cut_ticks(replay, node);
    walk->unscaled =
        otter_replay_cut_of(replay, node) ? 0 : replay->analysis->costs.creating_in[node];
    if (!next_mark(walk, at->end) && kernel == OTTER_NONE) {
        otter_slim_set(&replay->durations, node, costs + compute(walk, at->start, at->end));
        return;
    }
    if (!replay->actions_of) {
        replay->actions_of = otter_numbers_create(replay->analysis->graph->n_nodes);
    }
    if (!replay->actions_of) {
        walk->is_short_of_memory = true;
        return;
    }
    replay->actions_of[node] = replay->actions.n;
    walk->duration = costs;
    append(walk, (struct otter_action){.value = costs, .kind = OTTER_ACTION_COMPUTE}); // maybe 0
    if (kernel != OTTER_NONE) {
        walk->iterations = walk->block = 0;
        loop = append(walk, (struct otter_action){.value = kernel, .kind = OTTER_ACTION_LOOP});
    }
    for (const struct otter_mark *mark; (mark = next_mark(walk, at->end)); walk->mark++) {
        if (mark->time > time) {
            add_compute(walk, compute(walk, time, mark->time));
            time = mark->time;
        }
        apply(walk, mark, node, &loop);
    }
    add_compute(walk, compute(walk, time, at->end));
    otter_slim_set(&replay->durations, node, walk->duration);
    if (kernel != OTTER_NONE) {
        end_loop(walk, node, loop);
        loop = OTTER_NONE;
    }
    append(walk, (struct otter_action){.kind = OTTER_ACTION_END});
    forget_loop(walk, loop);
}

static bool add_line(struct otter_replay *replay, uint32_t index,
                     const struct otter_replay_ids *dropped)
{
    const struct otter_analysis *analysis = replay->analysis;
    const struct otter_thread_pieces *pieces = &analysis->pieces.lines[index];
    const struct otter_thread_line *line = &analysis->timeline.lines[index];
    float *const *of_lines = replay->changes ? replay->changes->of_intervals : NULL;
    struct walk walk = {.replay = replay,
                        .line = line,
                        .marks = &analysis->marks.locations[line->location],
                        .of_intervals = of_lines ? of_lines[index] : NULL,
                        .dropped = dropped};
    for (uint32_t i = 0; i < pieces->n && !walk.is_short_of_memory; i++) {
        add_node(&walk, pieces->nodes[i]);
    }
    free(walk.held.items);
    return !walk.is_short_of_memory;
}

static bool add_lines(struct otter_replay *replay)
{
    struct otter_replay_ids dropped = {0};
    bool is_good = otter_replay_list_dropped(replay, &dropped);
    for (uint32_t i = 0; i < replay->analysis->pieces.n_lines && is_good; i++) {
        is_good = add_line(replay, i, &dropped);
    }
    free(dropped.items);
    return is_good;
}

// ---- costs

bool otter_replay_is_on_device(const struct otter_analysis *analysis, uint32_t node)
{
    const struct otter_node *at = &analysis->graph->nodes[node];
    return at->kind == OTTER_NODE_DEVICE ||
           (otter_node_is_piece(at) && analysis->timeline.line_of[at->location] == OTTER_NONE);
}

// Dropped waits take no time, and neither do the starts of tasks that their creators execute
// immediately.
bool otter_replay_has_latency(const struct otter_replay *replay, uint32_t node)
{
    uint32_t last = replay->analysis->ready.last[node];
    bool is_after_dropped = last != OTTER_NONE && otter_replay_drops_node(replay, last);
    return replay->latencies.ticks[node] > 0 && !is_after_dropped &&
           !otter_replay_cuts_latency(replay, node);
}

// Returns the node's time without execution by threads: latency, devices, MPI calls.
static uint64_t fixed_duration(const struct otter_replay *replay, uint32_t node)
{
    const struct otter_analysis *analysis = replay->analysis;
    const struct otter_node *at = &analysis->graph->nodes[node];
    if (otter_replay_drops_node(replay, node)) {
        return 0;
    }
    uint64_t ticks = otter_replay_has_latency(replay, node) ? replay->latencies.ticks[node] : 0;
    bool is_device = otter_replay_is_on_device(analysis, node);
    bool has_factor = is_device || otter_node_is_mpi(analysis->graph, node);
    double factor = has_factor ? factor_of(replay, at->region) : 0;
    return ticks + otter_scaled(at->end - at->start, factor);
}

// Makes room, and forgets what earlier changes have set.
static bool begin_actions(struct otter_replay *replay)
{
    free(replay->actions_of);
    replay->actions_of = NULL;
    replay->actions.n = replay->shares.n = 0;
    replay->work = 0;
    return replay->durations.items ||
           otter_slim_init(&replay->durations, replay->analysis->graph->n_nodes);
}

enum otter_status otter_replay_make_actions(struct otter_replay *replay)
{
    const struct otter_analysis *analysis = replay->analysis;
    uint32_t n = analysis->graph->n_nodes;
    if (!begin_actions(replay)) {
        return OTTER_NO_MEMORY;
    }
    replay->priced_threads = analysis->timeline.n_lines;
    replay->is_priced_at_worst = false;
    for (uint32_t i = 0; i < n; i++) {
        otter_slim_set(&replay->durations, i, fixed_duration(replay, i));
    }
    if (!add_lines(replay)) {
        return OTTER_NO_MEMORY;
    }
    for (uint32_t i = 0; i < analysis->ready.n_order; i++) { // nodes on a cycle never begin
        uint32_t node = analysis->ready.order[i];
        bool is_piece = otter_node_is_piece(&analysis->graph->nodes[node]);
        replay->work += is_piece ? otter_slim_get(&replay->durations, node) : 0;
    }
    replay->n_recorded_actions = replay->actions.n;
    otter_replay_number_locks(replay);
    return replay->durations.is_short_of_memory ? OTTER_NO_MEMORY : OTTER_OK;
}
