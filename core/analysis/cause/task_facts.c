// Finds creators, phases, dependences and the last tasks of each region.
#include "analysis/cause/task_facts.h"

#include <stdlib.h>

#include "base/free.h"
#include "base/order.h"
#include "graph/numbers.h"

enum { MIN_CREATED = 4 }; // a creator creates at least this many tasks

// ---- creators

static int by_task(const void *a, const void *b)
{
    const struct otter_task_creator *x = a, *y = b;
    return OTTER_BY_2(x, y, task, rank);
}

struct otter_task_creator *otter_task_creator_of(const struct otter_task_facts *facts,
                                                 uint32_t task)
{
    struct otter_task_creator key = {.task = task};
    uint32_t at = OTTER_SORTED_BEFORE(&facts->creators, &key, by_task);
    bool is_in = at < facts->creators.n && facts->creators.items[at].task == task;
    return is_in ? &facts->creators.items[at] : NULL;
}

static bool list_creators(struct otter_task_facts *facts, const struct otter_task_uses *tasks)
{
    for (uint32_t i = 0; i < tasks->n; i++) {
        const struct otter_task_use *use = &tasks->items[i];
        struct otter_task_creator creator = {
            .task = use->creator, .region = use->region, .rank = i, .first = UINT64_MAX};
        if (use->creator != OTTER_NONE && use->n_deferred >= MIN_CREATED &&
            !OTTER_VECTOR_ADD(&facts->creators, creator)) {
            return false;
        }
    }
    return true;
}

// A task that creates tasks of several constructs counts as the creator of the construct with the
// most work.
static bool find_creators(struct otter_task_facts *facts, const struct otter_account_input *input)
{
    const struct otter_graph *graph = input->graph;
    if (!list_creators(facts, input->tasks)) {
        return false;
    }
    OTTER_SORT(&facts->creators, by_task);
    for (uint32_t i = 0; i < graph->n_nodes && facts->creators.n > 0; i++) {
        const struct otter_node *node = &graph->nodes[i];
        struct otter_task_creator *creator = otter_task_creator_of(facts, node->task);
        if (creator && otter_node_creates(graph, i)) {
            creator->first = node->end < creator->first ? node->end : creator->first;
            creator->last = node->end > creator->last ? node->end : creator->last;
        }
    }
    return true;
}

// ---- phases

static bool waits_for_tasks(const struct otter_definitions *definitions,
                            const struct otter_node *node)
{
    enum otter_construct construct = otter_definitions_construct(definitions, node->region);
    return node->kind == OTTER_NODE_SYNC &&
           ((construct >= OTTER_CONSTRUCT_BARRIER &&
             construct <= OTTER_CONSTRUCT_BARRIER_WORKSHARE) ||
            construct == OTTER_CONSTRUCT_TASKWAIT || construct == OTTER_CONSTRUCT_TASKGROUP_WAIT ||
            construct == OTTER_CONSTRUCT_TASKGROUP);
}

struct phases {
    const struct otter_graph *graph;
    bool *is_phase;
    uint32_t *last;    // of each task: its last wait
    uint32_t *leaders; // of each task: the leader of its team, to which the team's barriers belong
    bool *has_created; // of each task: whether it has created a task since its last wait
};

static void visit_wait(struct phases *phases, uint32_t index)
{
    const struct otter_node *node = &phases->graph->nodes[index];
    uint32_t before = phases->last[node->task];
    if (before != OTTER_NONE && phases->has_created[node->task] &&
        phases->graph->nodes[before].region == node->region) {
        phases->is_phase[before] = true;
    }
    phases->last[node->task] = index;
    phases->has_created[node->task] = false;
}

// Finds tasks or teams that create deferred tasks between two waits at the same place.
static void visit_waits(struct phases *phases, const struct otter_ready *ready)
{
    const struct otter_graph *graph = phases->graph;
    for (uint32_t i = 0; i < graph->n_teams; i++) {
        const struct otter_graph_team *team = &graph->teams[i];
        for (uint32_t k = 0; k < team->n_members; k++) {
            phases->leaders[graph->members[team->first_member + k]] =
                graph->members[team->first_member];
        }
    }
    for (uint32_t i = 0; i < ready->n_order; i++) {
        const struct otter_node *node = &graph->nodes[ready->order[i]];
        if (otter_node_creates(graph, ready->order[i])) {
            uint32_t leader = phases->leaders[node->task];
            phases->has_created[node->task] = true;
            phases->has_created[leader != OTTER_NONE ? leader : node->task] = true;
        } else if (waits_for_tasks(graph->definitions, node)) {
            visit_wait(phases, ready->order[i]);
        }
    }
}

static bool find_phases(struct otter_task_facts *facts, const struct otter_account_input *input)
{
    const struct otter_graph *graph = input->graph;
    facts->is_phase = calloc(graph->n_nodes + (size_t)1, sizeof *facts->is_phase);
    struct phases phases = {.graph = graph,
                            .is_phase = facts->is_phase,
                            .last = otter_numbers_create(graph->n_tasks),
                            .leaders = otter_numbers_create(graph->n_tasks),
                            .has_created =
                                calloc(graph->n_tasks + (size_t)1, sizeof *phases.has_created)};
    bool is_good = facts->is_phase && phases.last && phases.leaders && phases.has_created;
    if (is_good) {
        visit_waits(&phases, input->ready);
    }
    OTTER_FREE(phases.last, phases.leaders, phases.has_created);
    return is_good;
}

// ---- dependences

static bool find_dependences(struct otter_task_facts *facts,
                             const struct otter_account_input *input)
{
    const struct otter_graph *graph = input->graph;
    if (input->addresses->tasks.n == 0) {
        return true;
    }
    facts->created = malloc((graph->n_nodes + (size_t)1) * sizeof *facts->created);
    if (!facts->created) {
        return false;
    }
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        uint32_t n;
        bool is_exclusive = otter_exclusions_of(input->exclusions, graph->nodes[i].task, &n);
        facts->created[i] = is_exclusive && otter_node_begins_task(graph, i) ? 0 : UINT64_MAX;
    }
    for (uint32_t e = 0, i = 0; i < graph->n_nodes; i++) {
        for (e = graph->first_edge[i]; e < graph->first_edge[i + 1]; e++) {
            uint32_t to = graph->edge_to[e];
            if (graph->edge_kind[e] == OTTER_EDGE_DEPENDENCE && otter_node_begins_task(graph, to)) {
                facts->created[to] = 0;
            }
        }
    }
    for (uint32_t e = 0, i = 0; i < graph->n_nodes; i++) {
        for (e = graph->first_edge[i]; e < graph->first_edge[i + 1]; e++) {
            uint32_t to = graph->edge_to[e];
            if (graph->edge_kind[e] == OTTER_EDGE_CREATION && facts->created[to] == 0) {
                facts->created[to] = graph->nodes[i].end;
            }
        }
    }
    return true;
}

// ---- pieces on other threads

static bool has_explicit_task(const struct otter_graph *graph)
{
    uint32_t i = 0;
    while (i < graph->n_tasks && graph->tasks[i].kind != OTTER_TASK_KIND_EXPLICIT) {
        i++;
    }
    return i < graph->n_tasks;
}

static bool find_moves(struct otter_task_facts *facts, const struct otter_account_input *input)
{
    const struct otter_graph *graph = input->graph;
    uint32_t *locations = otter_numbers_create(graph->n_tasks); // of each task's last piece
    facts->is_moved = calloc(graph->n_nodes + (size_t)1, sizeof *facts->is_moved);
    for (uint32_t i = 0; i < input->ready->n_order && locations && facts->is_moved; i++) {
        uint32_t index = input->ready->order[i];
        const struct otter_node *node = &graph->nodes[index];
        if (otter_node_is_piece(node)) {
            uint32_t *last = &locations[node->task];
            facts->is_moved[index] = *last != OTTER_NONE && *last != node->location;
            *last = node->location;
        }
    }
    free(locations);
    return locations && facts->is_moved;
}

// ---- the last tasks

static void note_piece(struct otter_task_facts *facts, const struct otter_membership *part,
                       const struct otter_graph *graph, uint32_t index)
{
    const struct otter_node *node = &graph->nodes[index];
    bool is_explicit = graph->tasks[node->task].kind == OTTER_TASK_KIND_EXPLICIT;
    if (part->team == OTTER_NONE || !is_explicit) {
        return;
    }
    facts->work[part->team] += node->end - node->start;
    if (otter_node_begins_task(graph, index) && node->start > facts->last_begins[part->team]) {
        facts->last_begins[part->team] = node->start;
    }
}

// Both lists are sorted by time.
static void find_in_line(struct otter_task_facts *facts, const struct otter_account_input *input,
                         uint32_t index)
{
    const struct otter_graph *graph = input->graph;
    const struct otter_thread_line *line = &input->timeline->lines[index];
    const struct otter_thread_pieces *pieces = &input->pieces->lines[index];
    const struct otter_membership *parts = line->memberships.items;
    uint32_t part = OTTER_NONE, next = 0;
    for (uint32_t i = 0; i < pieces->n; i++) {
        uint64_t begin = graph->nodes[pieces->nodes[i]].start;
        while (next < line->memberships.n && parts[next].begin <= begin) {
            part = next++;
        }
        for (uint32_t at = part; at != OTTER_NONE; at = parts[at].outer) {
            if (parts[at].end >= begin) {
                note_piece(facts, &parts[at], graph, pieces->nodes[i]);
            }
        }
    }
}

static bool find_last_begins(struct otter_task_facts *facts,
                             const struct otter_account_input *input)
{
    size_t n = input->graph->n_teams + (size_t)1;
    facts->last_begins = calloc(n, sizeof *facts->last_begins);
    facts->work = calloc(n, sizeof *facts->work);
    bool is_good = facts->last_begins && facts->work;
    for (uint32_t i = 0; i < input->timeline->n_lines && is_good; i++) {
        find_in_line(facts, input, i);
    }
    return is_good;
}

enum otter_status otter_task_facts_init(struct otter_task_facts *facts,
                                        const struct otter_account_input *input)
{
    *facts = (struct otter_task_facts){0};
    bool is_good = find_creators(facts, input) && find_last_begins(facts, input);
    if (input->tasks->n > 0) {
        is_good = is_good && find_phases(facts, input) && find_dependences(facts, input);
    }
    if (has_explicit_task(input->graph)) { // damaged tasks have no region, and so no uses
        is_good = is_good && find_moves(facts, input);
    }
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}

void otter_task_facts_finish(struct otter_task_facts *facts)
{
    OTTER_FREE(facts->creators.items, facts->last_begins, facts->work, facts->is_phase,
               facts->created, facts->is_moved);
    *facts = (struct otter_task_facts){0};
}
