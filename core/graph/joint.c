// Joins the graphs of a job's ranks.
#include "graph/joint.h"

#include <stdlib.h>

#include "base/free.h"
#include "graph/numbers.h"

// The numbers at which the tasks, teams and members of a part begin.
struct offsets {
    uint32_t task, team, member;
};

struct joining {
    const struct otter_joint *joint;
    struct otter_graph *graph;
    struct offsets *offsets;
    uint32_t **numbers; // number in the joint graph of each node of each part
    uint32_t first_meeting;
    uint32_t *next; // place of each node's next edge
};

static uint32_t number_of(const struct joining *joining, uint32_t part, uint32_t node)
{
    return node == OTTER_NONE ? OTTER_NONE : joining->numbers[part][node];
}

// Returns the new number of a node's end in the joint graph.
static uint32_t end_of(const struct joining *joining, uint32_t part, uint32_t node)
{
    return node == OTTER_NONE
               ? OTTER_NONE
               : joining->numbers[part][node] + joining->joint->parts.items[part].is_split[node];
}

static uint32_t shifted(uint32_t index, uint32_t offset)
{
    return index == OTTER_NONE ? OTTER_NONE : index + offset;
}

// ---- sizes

// The sizes of the joint graph, without its edges.
struct sizes {
    uint64_t nodes, tasks, teams, members;
};

static bool number_nodes(struct joining *joining, uint32_t p, struct sizes *sizes)
{
    const struct otter_joint_part *part = &joining->joint->parts.items[p];
    const struct otter_graph *graph = part->graph;
    joining->offsets[p] =
        (struct offsets){(uint32_t)sizes->tasks, (uint32_t)sizes->teams, (uint32_t)sizes->members};
    joining->numbers[p] = otter_numbers_create(graph->n_nodes);
    for (uint32_t i = 0; joining->numbers[p] && i < graph->n_nodes; i++) {
        joining->numbers[p][i] = (uint32_t)sizes->nodes;
        sizes->nodes += part->is_split[i] ? 2 : 1;
    }
    sizes->tasks += graph->n_tasks;
    sizes->teams += graph->n_teams;
    sizes->members += graph->n_members;
    return joining->numbers[p] && sizes->nodes < OTTER_NONE && sizes->tasks < OTTER_NONE &&
           sizes->teams < OTTER_NONE && sizes->members < OTTER_NONE;
}

static bool allocate(struct joining *joining, const struct sizes *sizes)
{
    struct otter_graph *graph = joining->graph;
    joining->first_meeting = (uint32_t)sizes->nodes;
    uint64_t n_nodes = sizes->nodes + joining->joint->meetings.n;
    if (n_nodes >= OTTER_NONE) {
        return false;
    }
    graph->n_nodes = (uint32_t)n_nodes;
    graph->n_tasks = (uint32_t)sizes->tasks;
    graph->n_teams = (uint32_t)sizes->teams;
    graph->n_members = (uint32_t)sizes->members;
    graph->nodes = calloc((size_t)n_nodes + 1, sizeof *graph->nodes);
    graph->first_edge = calloc((size_t)n_nodes + 2, sizeof *graph->first_edge);
    graph->tasks = calloc((size_t)sizes->tasks + 1, sizeof *graph->tasks);
    graph->teams = calloc((size_t)sizes->teams + 1, sizeof *graph->teams);
    graph->members = calloc((size_t)sizes->members + 1, sizeof *graph->members);
    joining->next = calloc((size_t)n_nodes + 1, sizeof *joining->next);
    return graph->nodes && graph->first_edge && graph->tasks && graph->teams && graph->members &&
           joining->next;
}

// ---- nodes, tasks, teams

static void copy_node(struct joining *joining, uint32_t p, uint32_t i)
{
    const struct otter_joint_part *part = &joining->joint->parts.items[p];
    struct otter_node *to = &joining->graph->nodes[joining->numbers[p][i]];
    *to = part->graph->nodes[i];
    to->task = shifted(to->task, joining->offsets[p].task);
    to->scope = number_of(joining, p, to->scope);
    to->region = to->region < part->n_regions ? part->regions[to->region] : OTTER_NONE;
    to->location = (uint16_t)part->locations[to->location];
    if (part->is_split[i]) {
        to[1] = *to;
        to[1].kind = OTTER_NODE_END;
        to[1].start = to->end;
        to[1].scope = joining->numbers[p][i];
        to->kind = OTTER_NODE_BEGIN;
        to->end = to->start;
    }
}

static void copy_tasks(struct joining *joining, uint32_t p)
{
    const struct otter_joint_part *part = &joining->joint->parts.items[p];
    const struct offsets *offsets = &joining->offsets[p];
    for (uint32_t i = 0; i < part->graph->n_tasks; i++) {
        struct otter_graph_task *task = &joining->graph->tasks[offsets->task + i];
        *task = part->graph->tasks[i];
        task->first_node = number_of(joining, p, task->first_node);
        task->last_node = end_of(joining, p, task->last_node);
        task->creator = shifted(task->creator, offsets->task);
        task->location = (uint16_t)part->locations[task->location];
    }
}

static void copy_teams(struct joining *joining, uint32_t p)
{
    const struct otter_graph *from = joining->joint->parts.items[p].graph;
    const struct offsets *offsets = &joining->offsets[p];
    for (uint32_t i = 0; i < from->n_teams; i++) {
        struct otter_graph_team *team = &joining->graph->teams[offsets->team + i];
        *team = from->teams[i];
        team->begin_node = number_of(joining, p, team->begin_node);
        team->end_node = number_of(joining, p, team->end_node);
        team->first_member += offsets->member;
    }
    for (uint32_t i = 0; i < from->n_members; i++) {
        joining->graph->members[offsets->member + i] = shifted(from->members[i], offsets->task);
    }
}

static void copy_part(struct joining *joining, uint32_t p)
{
    const struct otter_graph *from = joining->joint->parts.items[p].graph;
    for (uint32_t i = 0; i < from->n_nodes; i++) {
        copy_node(joining, p, i);
    }
    copy_tasks(joining, p);
    copy_teams(joining, p);
    joining->graph->n_events += from->n_events;
}

static void add_meetings(struct joining *joining)
{
    for (uint32_t i = 0; i < joining->joint->meetings.n; i++) {
        const struct otter_joint_meeting *meeting = &joining->joint->meetings.items[i];
        joining->graph->nodes[joining->first_meeting + i] =
            (struct otter_node){.start = meeting->time,
                                .end = meeting->time,
                                .task = OTTER_NONE,
                                .scope = OTTER_NONE,
                                .region = meeting->region,
                                .location = OTTER_NO_LOCATION,
                                .kind = OTTER_NODE_SYNC};
    }
}

// ---- edges

// Stores an edge, or counts it while the graph has no room for edges.
static void put_edge(struct joining *joining, uint32_t from, uint32_t to, enum otter_edge_kind kind)
{
    uint32_t at = joining->next[from]++;
    if (joining->graph->edge_to) {
        joining->graph->edge_to[at] = to;
        joining->graph->edge_kind[at] = (uint8_t)kind;
    }
}

// Edges within a part leave the end of a split node, and reach its start.
static void put_part(struct joining *joining, uint32_t p)
{
    const struct otter_joint_part *part = &joining->joint->parts.items[p];
    const struct otter_graph *from = part->graph;
    for (uint32_t i = 0; i < from->n_nodes; i++) {
        uint32_t begin = joining->numbers[p][i], end = end_of(joining, p, i);
        if (part->is_split[i]) {
            put_edge(joining, begin, end, OTTER_EDGE_ORDER);
        }
        for (uint32_t e = from->first_edge[i]; e < from->first_edge[i + 1]; e++) {
            put_edge(joining, end, joining->numbers[p][from->edge_to[e]],
                     (enum otter_edge_kind)from->edge_kind[e]);
        }
    }
}

static void put_links(struct joining *joining)
{
    for (uint32_t i = 0; i < joining->joint->links.n; i++) {
        const struct otter_joint_link *link = &joining->joint->links.items[i];
        put_edge(joining,
                 link->from.part == OTTER_NONE
                     ? joining->first_meeting + link->from.node
                     : number_of(joining, link->from.part, link->from.node),
                 link->to.part == OTTER_NONE ? joining->first_meeting + link->to.node
                                             : end_of(joining, link->to.part, link->to.node),
                 link->kind);
    }
}

static void put_edges(struct joining *joining)
{
    for (uint32_t p = 0; p < joining->joint->parts.n; p++) {
        put_part(joining, p);
    }
    put_links(joining);
}

static bool add_edges(struct joining *joining)
{
    struct otter_graph *graph = joining->graph;
    uint64_t n = 0;
    put_edges(joining);
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        graph->first_edge[i] = (uint32_t)n;
        n += joining->next[i];
        joining->next[i] = graph->first_edge[i];
    }
    if (n >= OTTER_NONE) {
        return false;
    }
    graph->n_edges = graph->first_edge[graph->n_nodes] = (uint32_t)n;
    graph->edge_kind = malloc((size_t)n + 1);
    graph->edge_to = malloc(((size_t)n + 1) * sizeof *graph->edge_to);
    if (!graph->edge_to || !graph->edge_kind) {
        return false;
    }
    put_edges(joining);
    return true;
}

// ---- all

static bool join(struct joining *joining)
{
    struct sizes sizes = {0};
    for (uint32_t p = 0; p < joining->joint->parts.n; p++) {
        if (!number_nodes(joining, p, &sizes)) {
            return false;
        }
    }
    if (!allocate(joining, &sizes)) {
        return false;
    }
    for (uint32_t p = 0; p < joining->joint->parts.n; p++) {
        copy_part(joining, p);
    }
    add_meetings(joining);
    return add_edges(joining);
}

struct otter_graph *otter_graph_join(const struct otter_joint *joint)
{
    uint32_t n = joint->parts.n;
    struct joining joining = {.joint = joint,
                              .graph = calloc(1, sizeof *joining.graph),
                              .offsets = calloc(n + 1, sizeof *joining.offsets),
                              .numbers = calloc(n + 1, sizeof *joining.numbers)};
    bool is_good = joining.graph && joining.offsets && joining.numbers;
    if (is_good) {
        joining.graph->definitions = joint->definitions;
        joining.graph->places = joint->places;
        joining.graph->view = n > 0 ? joint->parts.items[0].graph->view : OTTER_VIEW_STRUCTURE;
        is_good = join(&joining);
    }
    for (uint32_t p = 0; joining.numbers && p < n; p++) {
        free(joining.numbers[p]);
    }
    OTTER_FREE(joining.numbers, joining.offsets, joining.next);
    if (!is_good) {
        otter_graph_destroy(joining.graph);
        return NULL;
    }
    return joining.graph;
}

void otter_joint_part_finish(struct otter_joint_part *part)
{
    otter_graph_destroy(part->graph);
    OTTER_FREE(part->locations, part->regions, part->is_split);
}

void otter_joint_finish(struct otter_joint *joint)
{
    for (uint32_t i = 0; i < joint->parts.n; i++) {
        otter_joint_part_finish(&joint->parts.items[i]);
    }
    OTTER_FREE(joint->parts.items, joint->meetings.items, joint->links.items);
    *joint = (struct otter_joint){0};
}
