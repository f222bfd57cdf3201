// Lists the steps of a critical path and folds repetitions.
#include "analysis/detail/chain.h"

#include <stdlib.h>

#include "analysis/time/states.h"

// A path of many steps takes less memory in this form than as links.
struct step {
    uint64_t begin, ticks;
    uint32_t label, location, n;
    enum otter_chain_reason reason;
};

// Consecutive steps with one label.
struct group {
    uint32_t label, first_step;
};

struct building {
    struct otter_chain *chain; // NULL: collects steps
    struct {
        OTTER_VECTOR(struct step);
    } steps;
    const struct otter_analysis *analysis;
    uint64_t time;     // start of the next part
    uint64_t left_out; // ticks at the start of a piece that count as creation, not as work
    uint32_t location;
    bool is_folded, is_span;
    bool is_short_of_memory;
};

const char *otter_chain_reason_name(enum otter_chain_reason reason)
{
    static const char *const names[OTTER_N_CHAIN_REASONS] = {
        "executed", "MPI", "lock", "preempted", "latency", "dispatch", "other"};
    return reason < OTTER_N_CHAIN_REASONS ? names[reason] : "unknown";
}

// ---- steps

// Adds a step, or extends the last step if one link counts both together.
static void collect_step(struct building *building, const struct step *step)
{
    struct step *last = building->steps.n ? &building->steps.items[building->steps.n - 1] : NULL;
    if (last && last->label == step->label && last->reason == step->reason &&
        last->location == step->location) {
        last->ticks += step->ticks;
        last->n += step->n;
    } else {
        building->is_short_of_memory |= !OTTER_VECTOR_ADD(&building->steps, *step);
    }
}

static void add_to_link(struct otter_chain_link *link, const struct step *step)
{
    unsigned reason = step->reason;
    link->begin[reason] = link->n[reason] == 0 ? step->begin : link->begin[reason];
    link->ticks[reason] += step->ticks;
    link->n[reason] += step->n;
    link->has_others |= link->location != step->location;
}

static struct otter_chain_link *find_link(struct building *building, uint32_t label)
{
    struct otter_chain *chain = building->chain;
    struct otter_chain_link *last = chain->links.n ? &chain->links.items[chain->links.n - 1] : NULL;
    if (building->is_folded && last && last->label == label) {
        return last;
    }
    if (!OTTER_VECTOR_RESERVE(&chain->links)) {
        building->is_short_of_memory = true;
        return NULL;
    }
    struct otter_chain_link *link = &chain->links.items[chain->links.n++];
    *link = (struct otter_chain_link){.label = label, .location = building->location};
    return link;
}

static void add_step(struct building *building, uint32_t label, enum otter_chain_reason reason,
                     uint64_t ticks)
{
    struct step step = {.begin = building->time,
                        .ticks = ticks,
                        .label = label,
                        .location = building->location,
                        .n = 1,
                        .reason = reason};
    building->time += ticks;
    if (ticks == 0) {
        return;
    }
    if (!building->chain) {
        collect_step(building, &step);
        return;
    }
    struct otter_chain_link *link = find_link(building, label);
    if (link) {
        add_to_link(link, &step);
    }
}

static enum otter_chain_reason reason_of(enum otter_state state)
{
    switch ((unsigned)state) {
    case OTTER_PART_PREEMPTED: return OTTER_CHAIN_PREEMPTED;
    case OTTER_STATE_EXECUTING: return OTTER_CHAIN_EXECUTED;
    case OTTER_STATE_MPI: return OTTER_CHAIN_MPI;
    case OTTER_STATE_LOCK: return OTTER_CHAIN_LOCK;
    default: return OTTER_CHAIN_OTHER;
    }
}

static void add_part(void *user, uint32_t label, enum otter_state state, uint64_t ticks)
{
    struct building *building = user;
    if (!building->is_span) {
        add_step(building, label, reason_of(state), ticks);
        return;
    }
    uint64_t left_out = state != OTTER_STATE_EXECUTING ? ticks
                        : ticks < building->left_out   ? ticks
                                                       : building->left_out;
    building->left_out -= state == OTTER_STATE_EXECUTING ? left_out : 0;
    building->time += left_out;
    add_step(building, label, OTTER_CHAIN_EXECUTED, ticks - left_out);
}

// Returns the label with which a piece begins.
static uint32_t first_label(const struct otter_analysis *analysis, uint32_t node)
{
    const struct otter_node *piece = &analysis->graph->nodes[node];
    uint32_t index = analysis->timeline.line_of[piece->location];
    if (index == OTTER_NONE) {
        return piece->region;
    }
    const struct otter_thread_line *line = &analysis->timeline.lines[index];
    return line->intervals.items[otter_interval_at(line, piece->start)].label;
}

static void add_realised(struct building *building, const struct otter_path_step *step)
{
    const struct otter_analysis *analysis = building->analysis;
    building->time = step->begin;
    building->location =
        step->node == OTTER_NONE ? OTTER_NONE : analysis->graph->nodes[step->node].location;
    uint64_t ticks = step->end - step->begin;
    switch (step->reason) {
    case OTTER_STEP_EXECUTED:
        otter_piece_labels(analysis, step->node, step->begin, step->end, add_part, building);
        break;
    case OTTER_STEP_MPI:
        add_step(building, analysis->graph->nodes[step->node].region, OTTER_CHAIN_MPI, ticks);
        break;
    case OTTER_STEP_LATENCY:
        add_step(building, first_label(analysis, step->node), OTTER_CHAIN_LATENCY, ticks);
        break;
    case OTTER_STEP_DISPATCH:
        add_step(building, first_label(analysis, step->node), OTTER_CHAIN_DISPATCH, ticks);
        break;
    case OTTER_STEP_OUTSIDE: add_step(building, OTTER_NONE, OTTER_CHAIN_OTHER, ticks); break;
    }
}

static void add_span_node(struct building *building, uint32_t index)
{
    const struct otter_analysis *analysis = building->analysis;
    const struct otter_node *node = &analysis->graph->nodes[index];
    if (otter_node_is_piece(node) || node->kind == OTTER_NODE_DEVICE) {
        building->time = node->start;
        building->location = node->location;
        building->left_out = analysis->costs.creating_in[index];
        otter_piece_labels(analysis, index, node->start, node->end, add_part, building);
    }
}

// ---- repetitions

enum { MAX_LABELS = 32 }; // labels of a sequence that is folded

// The labels of links or of groups.
struct labels {
    const uint32_t *items;
    size_t step; // from one label to the next in `items`
    uint32_t n;
};

static uint32_t label_at(const struct labels *labels, uint32_t i)
{
    return labels->items[i * labels->step];
}

static bool repeats(const struct labels *labels, uint32_t at, uint32_t from, uint32_t length)
{
    for (uint32_t i = 0; i < length; i++) {
        if (label_at(labels, at + i) != label_at(labels, from + i)) {
            return false;
        }
    }
    return true;
}

// Returns how often the sequence of `length` labels repeats.
static uint32_t count_repetitions(const struct labels *labels, uint32_t from, uint32_t length)
{
    uint32_t n = 0;
    for (uint32_t at = from + length; at + length <= labels->n; at += length) {
        if (!repeats(labels, at, from, length)) {
            break;
        }
        n++;
    }
    return n;
}

struct sequence {
    uint32_t length, n; // labels and repetitions
};

// Chooses the repetition that saves the most links; of equal ones, the one with the shortest
// sequence.
static struct sequence find_sequence(const struct labels *labels, uint32_t from)
{
    struct sequence best = {.length = 1};
    for (uint32_t length = 1; length <= MAX_LABELS; length++) {
        uint32_t n = count_repetitions(labels, from, length);
        if ((uint64_t)n * length > (uint64_t)best.n * best.length) {
            best = (struct sequence){length, n};
        }
    }
    return best;
}

static void add_link(struct otter_chain_link *link, const struct otter_chain_link *other)
{
    for (unsigned i = 0; i < OTTER_N_CHAIN_REASONS; i++) {
        link->begin[i] = link->n[i] == 0 ? other->begin[i] : link->begin[i];
        link->ticks[i] += other->ticks[i];
        link->n[i] += other->n[i];
    }
    link->has_others |= other->has_others || other->location != link->location;
}

void otter_chain_fold(struct otter_chain *chain)
{
    struct otter_chain_link *links = chain->links.items;
    if (chain->links.n == 0) {
        return;
    }
    struct labels labels = {&links->label, sizeof *links / sizeof links->label, chain->links.n};
    uint32_t n = 0;
    for (uint32_t from = 0; from < labels.n;) {
        struct sequence best = find_sequence(&labels, from);
        for (uint32_t i = 0; i < best.length; i++) {
            links[n + i] = links[from + i];
        }
        for (uint32_t i = 0; i < best.n * best.length; i++) {
            add_link(&links[n + i % best.length], &links[from + best.length + i]);
        }
        n += best.length;
        from += best.length * (best.n + 1);
    }
    chain->links.n = n;
}

// Adds the steps of a sequence, whose first group is `from`, as links.
static bool add_sequence(struct otter_chain *chain, const struct building *building,
                         const struct group *groups, uint32_t from, struct sequence sequence)
{
    uint32_t first = chain->links.n;
    for (uint32_t i = 0; i < sequence.length * (sequence.n + 1); i++) {
        const struct group *group = &groups[from + i];
        const struct step *steps = building->steps.items;
        if (i < sequence.length &&
            !OTTER_VECTOR_ADD(&chain->links, (struct otter_chain_link){
                                                 .label = group->label,
                                                 .location = steps[group->first_step].location})) {
            return false;
        }
        for (uint32_t k = group->first_step; k < group[1].first_step; k++) {
            add_to_link(&chain->links.items[first + i % sequence.length], &steps[k]);
        }
    }
    return true;
}

static bool fold_steps(struct otter_chain *chain, const struct building *building)
{
    struct group *groups = malloc((building->steps.n + (size_t)1) * sizeof *groups);
    uint32_t n = 0;
    if (!groups) {
        return false;
    }
    for (uint32_t i = 0; i < building->steps.n; i++) {
        uint32_t label = building->steps.items[i].label;
        if (n == 0 || groups[n - 1].label != label) {
            groups[n++] = (struct group){label, i};
        }
    }
    bool is_good = true;
    groups[n] = (struct group){OTTER_NONE, building->steps.n};
    struct labels labels = {&groups->label, sizeof *groups / sizeof groups->label, n};
    for (uint32_t from = 0; from < n && is_good;) {
        struct sequence best = find_sequence(&labels, from);
        is_good = add_sequence(chain, building, groups, from, best);
        from += best.length * (best.n + 1);
    }
    free(groups);
    return is_good;
}

// ---- all

static void add_steps(struct building *building, const struct otter_realised *realised)
{
    for (uint32_t i = realised->steps.n; i-- > 0;) {
        struct otter_path_step step = otter_realised_step(realised, i);
        add_realised(building, &step);
    }
}

enum otter_status otter_chain_add_steps(struct otter_chain *chain,
                                        const struct otter_analysis *analysis,
                                        const struct otter_realised *realised, bool is_folded)
{
    struct building building = {.chain = chain, .analysis = analysis, .is_folded = is_folded};
    add_steps(&building, realised);
    return building.is_short_of_memory ? OTTER_NO_MEMORY : OTTER_OK;
}

enum otter_status otter_chain_init(struct otter_chain *chain, const struct otter_analysis *analysis,
                                   enum otter_chain_path path, bool is_folded)
{
    *chain = (struct otter_chain){0};
    struct building building = {.chain = is_folded ? NULL : chain,
                                .analysis = analysis,
                                .is_span = path == OTTER_CHAIN_SPAN};
    if (building.is_span) {
        for (uint32_t i = 0; i < analysis->span.n_path; i++) {
            add_span_node(&building, analysis->span.path[i]);
        }
    } else {
        add_steps(&building, &analysis->realised);
    }
    bool is_good = !building.is_short_of_memory && (!is_folded || fold_steps(chain, &building));
    free(building.steps.items);
    if (!is_good) {
        otter_chain_finish(chain);
    }
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}

void otter_chain_finish(struct otter_chain *chain)
{
    free(chain->links.items);
    *chain = (struct otter_chain){0};
}
