// Charges the waiting for late members of a team to what made them late.
//
// The parts of a member are separated by the barriers of its team. A member that reaches a barrier
// late executed some labels for longer than the members that waited for it. These labels made it
// late, whatever it executed while the others waited.
#include "analysis/cause/imbalance.h"

#include <stdlib.h>

#include "analysis/time/states.h"
#include "base/free.h"
#include "base/order.h"
#include "graph/node.h"

struct member {
    const struct otter_thread_line *line;
    const struct otter_thread_pieces *pieces;
    uint32_t task;
    uint64_t end;         // of the member's part in the region
    uint32_t first, next; // pieces of the part before the next barrier, and the first one after it
    uint32_t barrier;     // the barrier after the part; OTTER_NONE: no part, or the last one
    uint64_t arrival;     // the end of the part
    bool has_part;
};

struct charges {
    const struct sweep *sweep;
    const struct otter_graph *graph;
    struct otter_account *account;
    struct member *members; // of one team
    struct member **late;   // members that reach one barrier, in order of arrival
    // By label, for the parts before one barrier: ticks that one member executed; the sum and the
    // maximum over the members that arrived before it.
    double *own, *others, *most;
    uint32_t *labels; // the labels of these parts
    uint32_t n_labels;
};

// ---- parts

// Returns the next barrier of the task or the next node of its chain.
static uint32_t next_of(const struct otter_graph *graph, uint32_t node)
{
    uint32_t next = OTTER_NONE;
    for (uint32_t e = graph->first_edge[node]; e < graph->first_edge[node + 1]; e++) {
        uint32_t to = graph->edge_to[e];
        if (graph->edge_kind[e] != OTTER_EDGE_ORDER) {
            continue;
        }
        if (otter_node_is_barrier(graph, to)) {
            return to;
        }
        next = graph->nodes[to].task == graph->nodes[node].task ? to : next;
    }
    return next;
}

// Returns the barrier that the member reaches after this piece; OTTER_NONE if another piece is
// first. LLVM's members combine the results of reductions in a barrier.
static uint32_t barrier_after(const struct otter_graph *graph, uint32_t node)
{
    do {
        node = next_of(graph, node);
    } while (node != OTTER_NONE && graph->nodes[node].kind == OTTER_NODE_SYNC &&
             !otter_node_is_barrier(graph, node));
    return node != OTTER_NONE && otter_node_is_barrier(graph, node) ? node : OTTER_NONE;
}

// Finds the part of the member after its last one.
static void find_part(const struct otter_graph *graph, struct member *member)
{
    member->first = member->next;
    member->barrier = OTTER_NONE;
    member->has_part = false;
    while (member->next < member->pieces->n && member->barrier == OTTER_NONE) {
        uint32_t node = member->pieces->nodes[member->next];
        if (graph->nodes[node].start >= member->end) {
            return;
        }
        member->next++;
        if (graph->nodes[node].task == member->task) {
            member->has_part = true;
            member->arrival = graph->nodes[node].end;
            member->barrier = barrier_after(graph, node);
        }
    }
}

static bool find_member(const struct charges *charges, uint32_t task, struct member *member)
{
    struct otter_thread_line *line;
    const struct otter_graph *graph = charges->graph;
    const struct otter_timeline *timeline = charges->sweep->timeline;
    const struct otter_membership *part = otter_membership_of(timeline, graph, task, &line);
    if (!part) {
        return false;
    }
    const struct otter_thread_pieces *pieces =
        &charges->sweep->input->pieces->lines[line - timeline->lines];
    uint32_t first = 0, end = pieces->n;
    OTTER_SEARCH(first, end, i, graph->nodes[pieces->nodes[i]].start < part->begin);
    *member = (struct member){
        .line = line, .pieces = pieces, .task = task, .end = part->end, .next = first};
    find_part(graph, member);
    return true;
}

static void add_own(struct charges *charges, uint32_t label, uint64_t ticks)
{
    uint32_t place = otter_account_label(charges->account, label);
    if (charges->own[place] == 0 && charges->others[place] == 0 && ticks > 0) {
        charges->labels[charges->n_labels++] = place;
    }
    charges->own[place] += (double)ticks;
}

// Adds what the thread executes in a piece, by label.
static void add_piece(struct charges *charges, const struct otter_thread_line *line,
                      const struct otter_node *piece)
{
    for (uint32_t i = otter_interval_at(line, piece->start);
         i < line->intervals.n && line->intervals.items[i].begin < piece->end; i++) {
        const struct otter_interval *interval = &line->intervals.items[i];
        uint64_t end = otter_interval_end(charges->sweep->timeline, line, i);
        uint64_t begin = interval->begin > piece->start ? interval->begin : piece->start;
        end = end < piece->end ? end : piece->end;
        if (interval->state == OTTER_STATE_EXECUTING && begin < end) {
            add_own(charges, interval->label,
                    end - begin - otter_ticks_preempted(line, begin, end));
        }
    }
}

// Sets `own` to what the member executes in its part. Returns how long others waited for it.
static double find_own(struct charges *charges, const struct member *member)
{
    double waited = 0;
    for (uint32_t i = member->first; i < member->next; i++) {
        uint32_t node = member->pieces->nodes[i];
        if (charges->graph->nodes[node].task == member->task) {
            add_piece(charges, member->line, &charges->graph->nodes[node]);
            double *ticks = otter_sweep_waited(charges->sweep, node);
            if (ticks) {
                waited += *ticks;
                *ticks = 0;
            }
        }
    }
    return waited;
}

// ---- charges

static void add(const struct charges *charges, uint32_t label, double ticks)
{
    enum otter_construct construct =
        otter_definitions_construct(charges->sweep->timeline->definitions, label);
    bool is_of_one = construct == OTTER_CONSTRUCT_SINGLE || construct == OTTER_CONSTRUCT_MASKED;
    otter_losses_add(&charges->account->losses,
                     is_of_one ? OTTER_FINDING_SERIAL_PART : OTTER_FINDING_IMBALANCE, label, ticks);
}

// Returns what the member executed of a label in excess of the mean of `n` members.
static double excess_of(const struct charges *charges, uint32_t label, uint32_t n)
{
    double excess = charges->own[label] - (n > 0 ? charges->others[label] / n : 0);
    return n > 0 && excess > 0 ? excess : 0;
}

// Each of the `n` members that have arrived waits for the excess of this one. The rest of the
// waiting has other reasons. It is charged to everything else that the member executed, in
// proportion to how long all other threads could wait during that time.
static void charge(const struct charges *charges, double waited, uint32_t n)
{
    double excess = 0, executed = 0, n_others = charges->sweep->timeline->n_lines - 1.0;
    for (uint32_t i = 0; i < charges->n_labels; i++) {
        excess += n * excess_of(charges, charges->labels[i], n);
        executed += n_others * charges->own[charges->labels[i]];
    }
    double share = excess > waited ? waited / excess : 1;
    double rest = waited - share * excess, others = executed - share * excess;
    for (uint32_t i = 0; i < charges->n_labels; i++) {
        uint32_t label = charges->labels[i];
        double ticks = share * n * excess_of(charges, label, n);
        double other = n_others * charges->own[label] - ticks;
        add(charges, label, ticks + (rest > 0 && others > 0 ? rest * other / others : 0));
    }
}

static void arrive(struct charges *charges, const struct member *member, uint32_t n)
{
    double waited = find_own(charges, member);
    if (waited > 0) {
        charge(charges, waited, n);
    }
    for (uint32_t i = 0; i < charges->n_labels; i++) {
        uint32_t label = charges->labels[i];
        double own = charges->own[label];
        charges->most[label] = own > charges->most[label] ? own : charges->most[label];
        charges->others[label] += own;
        charges->own[label] = 0;
    }
}

// Adds the parts before one barrier to the balance of their labels.
static void end_parts(struct charges *charges, uint32_t n)
{
    for (uint32_t i = 0; i < charges->n_labels; i++) {
        uint32_t label = charges->labels[i];
        struct otter_balance *balance = &charges->account->balances[label];
        balance->n++;
        balance->busiest += n * charges->most[label];
        balance->executed += charges->others[label];
        charges->others[label] = charges->most[label] = 0;
    }
    charges->n_labels = 0;
}

static int by_arrival(const void *a, const void *b)
{
    const struct member *x = *(struct member *const *)a, *y = *(struct member *const *)b;
    return OTTER_BY_2(x, y, arrival, task);
}

// Returns the barrier that ends the next parts: the earliest one, since members of a damaged
// archive may lack some barriers.
static uint32_t next_barrier(const struct charges *charges, uint32_t n_members)
{
    const struct otter_node *nodes = charges->graph->nodes;
    uint32_t next = OTTER_NONE;
    for (uint32_t i = 0; i < n_members; i++) {
        uint32_t own = charges->members[i].barrier;
        bool is_first = next == OTTER_NONE ||
                        (own != OTTER_NONE && own != next && nodes[own].end < nodes[next].end);
        next = is_first ? own : next;
    }
    return next;
}

static void charge_team(struct charges *charges, uint32_t n_members)
{
    for (uint32_t n_late = 1; n_late > 0;) {
        uint32_t barrier = next_barrier(charges, n_members);
        n_late = 0;
        for (uint32_t i = 0; i < n_members; i++) {
            struct member *member = &charges->members[i];
            if (member->has_part && member->barrier == barrier) {
                charges->late[n_late++] = member;
            }
        }
        qsort(charges->late, n_late, sizeof *charges->late, by_arrival);
        for (uint32_t i = 0; i < n_late; i++) {
            arrive(charges, charges->late[i], i);
            find_part(charges->graph, charges->late[i]);
        }
        end_parts(charges, n_late);
    }
}

// Charges what is left to the labels of the piece: its member or its part is unknown.
static void charge_rest(struct charges *charges)
{
    const struct otter_timeline *timeline = charges->sweep->timeline;
    for (uint32_t i = 0; i < charges->sweep->waited.n; i++) {
        const struct waited *waited = &charges->sweep->waited.items[i];
        const struct otter_node *node = &charges->graph->nodes[waited->node];
        if (waited->ticks > 0) {
            add_piece(charges, &timeline->lines[timeline->line_of[node->location]], node);
            charge(charges, waited->ticks, 0);
            for (; charges->n_labels > 0; charges->n_labels--) {
                charges->own[charges->labels[charges->n_labels - 1]] = 0;
            }
        }
    }
}

enum otter_status otter_imbalance_charge(const struct sweep *sweep)
{
    const struct otter_graph *graph = sweep->graph;
    size_t n_labels = sweep->account->n_labels;
    struct charges charges = {
        .sweep = sweep,
        .graph = graph,
        .account = sweep->account,
        .members = calloc(graph->n_members + (size_t)1, sizeof *charges.members),
        .late = calloc(graph->n_members + (size_t)1, sizeof *charges.late),
        .own = calloc(n_labels, sizeof *charges.own),
        .others = calloc(n_labels, sizeof *charges.others),
        .most = calloc(n_labels, sizeof *charges.most),
        .labels = calloc(n_labels, sizeof *charges.labels),
    };
    bool is_good = charges.members && charges.late && charges.own && charges.others &&
                   charges.most && charges.labels;
    for (uint32_t i = 0; i < graph->n_teams && is_good; i++) {
        const struct otter_graph_team *team = &graph->teams[i];
        uint32_t n = 0;
        for (uint32_t k = 0; k < team->n_members && team->n_members > 1; k++) {
            uint32_t task = graph->members[team->first_member + k];
            n += find_member(&charges, task, &charges.members[n]);
        }
        charge_team(&charges, n);
    }
    if (is_good) {
        charge_rest(&charges);
    }
    OTTER_FREE(charges.members, charges.late, charges.own, charges.others, charges.most,
               charges.labels);
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}
