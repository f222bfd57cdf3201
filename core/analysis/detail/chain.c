// Lists the steps of a critical path and folds repetitions.
#include "analysis/detail/chain.h"

#include <stdlib.h>

#include "analysis/time/states.h"

struct building {
    struct otter_chain *chain;
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

static struct otter_chain_link *find_link(struct building *building, uint32_t label)
{
    struct otter_chain *chain = building->chain;
    struct otter_chain_link *last = chain->links.n ? &chain->links.items[chain->links.n - 1] : NULL;
    if (building->is_folded && last && last->label == label) {
        last->has_others |= last->location != building->location;
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
    struct otter_chain_link *link = ticks > 0 ? find_link(building, label) : NULL;
    if (link) {
        link->begin[reason] = link->n[reason] == 0 ? building->time : link->begin[reason];
        link->ticks[reason] += ticks;
        link->n[reason]++;
    }
    building->time += ticks;
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

static bool repeats(const struct otter_chain_link *links, uint32_t at, uint32_t from,
                    uint32_t length)
{
    for (uint32_t i = 0; i < length; i++) {
        if (links[at + i].label != links[from + i].label) {
            return false;
        }
    }
    return true;
}

// Returns how often the sequence of `length` labels repeats.
static uint32_t count_repetitions(const struct otter_chain *chain, uint32_t from, uint32_t length)
{
    uint32_t n = 0;
    for (uint32_t at = from + length; at + length <= chain->links.n; at += length) {
        if (!repeats(chain->links.items, at, from, length)) {
            break;
        }
        n++;
    }
    return n;
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

// At each place, chooses the repetition that saves most links; if equal, the shorter sequence.
void otter_chain_fold(struct otter_chain *chain)
{
    struct otter_chain_link *links = chain->links.items;
    uint32_t n = 0;
    for (uint32_t from = 0; from < chain->links.n;) {
        uint32_t best_length = 1, best_n = 0;
        for (uint32_t length = 1; length <= MAX_LABELS; length++) {
            uint32_t repetitions = count_repetitions(chain, from, length);
            if ((uint64_t)repetitions * length > (uint64_t)best_n * best_length) {
                best_length = length;
                best_n = repetitions;
            }
        }
        for (uint32_t i = 0; i < best_length; i++) {
            links[n + i] = links[from + i];
        }
        for (uint32_t i = 0; i < best_n * best_length; i++) {
            add_link(&links[n + i % best_length], &links[from + best_length + i]);
        }
        n += best_length;
        from += best_length * (best_n + 1);
    }
    chain->links.n = n;
}

// ---- all

enum otter_status otter_chain_add_steps(struct otter_chain *chain,
                                        const struct otter_analysis *analysis,
                                        const struct otter_realised *realised, bool is_folded)
{
    struct building building = {.chain = chain, .analysis = analysis, .is_folded = is_folded};
    for (uint32_t i = realised->steps.n; i-- > 0;) {
        add_realised(&building, &realised->steps.items[i]);
    }
    return building.is_short_of_memory ? OTTER_NO_MEMORY : OTTER_OK;
}

static enum otter_status add_span(struct otter_chain *chain, const struct otter_analysis *analysis,
                                  bool is_folded)
{
    struct building building = {
        .chain = chain, .analysis = analysis, .is_folded = is_folded, .is_span = true};
    for (uint32_t i = 0; i < analysis->span.n_path; i++) {
        add_span_node(&building, analysis->span.path[i]);
    }
    return building.is_short_of_memory ? OTTER_NO_MEMORY : OTTER_OK;
}

enum otter_status otter_chain_init(struct otter_chain *chain, const struct otter_analysis *analysis,
                                   enum otter_chain_path path, bool is_folded)
{
    *chain = (struct otter_chain){0};
    enum otter_status status =
        path == OTTER_CHAIN_SPAN
            ? add_span(chain, analysis, is_folded)
            : otter_chain_add_steps(chain, analysis, &analysis->realised, is_folded);
    if (status) {
        otter_chain_finish(chain);
        return status;
    }
    if (is_folded) {
        otter_chain_fold(chain);
    }
    return OTTER_OK;
}

void otter_chain_finish(struct otter_chain *chain)
{
    free(chain->links.items);
    *chain = (struct otter_chain){0};
}
