// Makes the rows of a graph's tables: nodes or groups, edges, tasks.
#include "graph/export/rows.h"

#include <inttypes.h>
#include <string.h>

#include "graph/node.h"
#include "trace/schema.h"

static const struct otter_column node_columns[] = {
    {"id", OTTER_VALUE_NUMBER},          {"kind", OTTER_VALUE_TEXT},
    {"construct", OTTER_VALUE_TEXT},     {"what", OTTER_VALUE_TEXT},
    {"where", OTTER_VALUE_TEXT},         {"function", OTTER_VALUE_TEXT},
    {"file", OTTER_VALUE_TEXT},          {"line", OTTER_VALUE_NUMBER},
    {"task", OTTER_VALUE_TEXT},          {"task_index", OTTER_VALUE_NUMBER},
    {"task_kind", OTTER_VALUE_TEXT},     {"scope", OTTER_VALUE_NUMBER},
    {"start_ns", OTTER_VALUE_NUMBER},    {"end_ns", OTTER_VALUE_NUMBER},
    {"duration_ns", OTTER_VALUE_NUMBER}, {"location", OTTER_VALUE_NUMBER},
    {"thread", OTTER_VALUE_TEXT},        {"flags", OTTER_VALUE_TEXT},
    {"rank", OTTER_VALUE_NUMBER}, // only in joint graphs
};

static const struct otter_column group_columns[] = {
    {"id", OTTER_VALUE_NUMBER},         {"kind", OTTER_VALUE_TEXT},
    {"construct", OTTER_VALUE_TEXT},    {"what", OTTER_VALUE_TEXT},
    {"where", OTTER_VALUE_TEXT},        {"function", OTTER_VALUE_TEXT},
    {"file", OTTER_VALUE_TEXT},         {"line", OTTER_VALUE_NUMBER},
    {"task_kind", OTTER_VALUE_TEXT},    {"scope", OTTER_VALUE_NUMBER},
    {"n_nodes", OTTER_VALUE_NUMBER},    {"total_ns", OTTER_VALUE_NUMBER},
    {"longest_ns", OTTER_VALUE_NUMBER},
};

static const struct otter_column edge_columns[] = {
    {"source", OTTER_VALUE_NUMBER},
    {"target", OTTER_VALUE_NUMBER},
    {"kind", OTTER_VALUE_TEXT},
    {"n_edges", OTTER_VALUE_NUMBER}, // only for groups
};

static const struct otter_column task_columns[] = {
    {"index", OTTER_VALUE_NUMBER},     {"id", OTTER_VALUE_TEXT},
    {"kind", OTTER_VALUE_TEXT},        {"creator", OTTER_VALUE_NUMBER},
    {"location", OTTER_VALUE_NUMBER},  {"first_node", OTTER_VALUE_NUMBER},
    {"last_node", OTTER_VALUE_NUMBER}, {"flags", OTTER_VALUE_TEXT},
    {"rank", OTTER_VALUE_NUMBER}, // only in joint graphs
};

#define N_COLUMNS(columns) (sizeof(columns) / sizeof *(columns))
_Static_assert(N_COLUMNS(node_columns) <= OTTER_MAX_COLUMNS, "a row has room for each");

static const struct otter_table node_table = {node_columns, N_COLUMNS(node_columns) - 1};
static const struct otter_table joint_node_table = {node_columns, N_COLUMNS(node_columns)};
static const struct otter_table group_table = {group_columns, N_COLUMNS(group_columns)};
static const struct otter_table edge_table = {edge_columns, N_COLUMNS(edge_columns) - 1};
static const struct otter_table group_edge_table = {edge_columns, N_COLUMNS(edge_columns)};
static const struct otter_table task_table = {task_columns, N_COLUMNS(task_columns) - 1};
static const struct otter_table joint_task_table = {task_columns, N_COLUMNS(task_columns)};

const struct otter_table *otter_node_table(const struct otter_export *export)
{
    return export->groups ? &group_table : export->graph->places ? &joint_node_table : &node_table;
}

const struct otter_table *otter_edge_table(const struct otter_export *export)
{
    return export->groups ? &group_edge_table : &edge_table;
}

const struct otter_table *otter_task_table(const struct otter_export *export)
{
    return export->graph->places ? &joint_task_table : &task_table;
}

uint32_t otter_export_n_nodes(const struct otter_export *export)
{
    return export->groups ? export->groups->n_groups : export->graph->n_nodes;
}

uint32_t otter_export_n_edges(const struct otter_export *export)
{
    return export->groups ? export->groups->n_edges : export->graph->n_edges;
}

// ---- values

static const struct otter_value no_value;

static struct otter_value number(int64_t value)
{
    return (struct otter_value){.kind = OTTER_VALUE_NUMBER, .number = value};
}

static struct otter_value number_unless(uint32_t value, uint32_t nothing)
{
    return value == nothing ? no_value : number(value);
}

static struct otter_value text(const char *value)
{
    if (*value == '\0') {
        return no_value;
    }
    return (struct otter_value){.kind = OTTER_VALUE_TEXT, .text = value};
}

uint64_t otter_nanoseconds(const struct otter_graph *graph, uint64_t ticks)
{
    uint64_t resolution = graph->definitions->clock.resolution;
    if (resolution == 0 || resolution == UINT64_C(1000000000)) {
        return ticks;
    }
    return (uint64_t)((unsigned __int128)ticks * 1000000000 / resolution);
}

// Returns a time in nanoseconds from the clock's offset; negative before the offset.
static struct otter_value time_of(const struct otter_graph *graph, uint64_t tick)
{
    uint64_t offset = graph->definitions->clock.offset;
    return number(tick >= offset ? (int64_t)otter_nanoseconds(graph, tick - offset)
                                 : -(int64_t)otter_nanoseconds(graph, offset - tick));
}

// Returns the difference of the exported, rounded times. An END has the duration of its scope.
static struct otter_value duration_of(const struct otter_graph *graph,
                                      const struct otter_node *node)
{
    bool is_end = node->kind == OTTER_NODE_END && node->scope != OTTER_NONE;
    uint64_t begin = is_end ? graph->nodes[node->scope].start : node->start;
    if (begin >= node->end) {
        return number(0);
    }
    // Times of a damaged archive may differ by more than INT64_MAX.
    uint64_t duration =
        (uint64_t)time_of(graph, node->end).number - (uint64_t)time_of(graph, begin).number;
    return number(duration > INT64_MAX ? INT64_MAX : (int64_t)duration);
}

const char *otter_node_what(const struct otter_export *export, const struct otter_node *node)
{
    switch ((enum otter_node_kind)node->kind) {
    case OTTER_NODE_SOURCE: return "ordered source";
    case OTTER_NODE_SINK: return "ordered sink";
    case OTTER_NODE_FULFIL: return "fulfil";
    case OTTER_NODE_SYNC:
        if (node->flags & OTTER_NODE_IMPLIED) { // the barrier has the region that it ends
            return OTTER_IMPLIED_BARRIER;
        }
        // fall through
    default: return otter_label_of(export->labels, node->region)->what;
    }
}

const char *otter_node_labelled(const struct otter_graph *graph, const struct otter_node *node)
{
    const struct otter_definitions *definitions = graph->definitions;
    bool is_kokkos = node->region < definitions->n_regions &&
                     otter_construct_is_kokkos(definitions->regions[node->region].construct);
    return is_kokkos ? otter_construct_name(definitions->regions[node->region].construct) : "";
}

uint32_t otter_rank_of_location(const struct otter_graph *graph, uint16_t location)
{
    bool has_rank = graph->places && location < graph->definitions->n_locations;
    return has_rank ? graph->places[location].rank : OTTER_NONE;
}

uint32_t otter_number_of_location(const struct otter_graph *graph, uint16_t location)
{
    bool has_rank = graph->places && location < graph->definitions->n_locations;
    return has_rank ? graph->places[location].location : location;
}

char *otter_task_id_text(const struct otter_graph *graph, const struct otter_graph_task *task,
                         char id[OTTER_GRAPH_ID_SIZE])
{
    uint32_t rank = otter_rank_of_location(graph, task->location);
    uint32_t location = otter_number_of_location(graph, task->location);
    *id = '\0';
    if (task->number != 0 && rank != OTTER_NONE) {
        snprintf(id, OTTER_GRAPH_ID_SIZE, "%" PRIu32 "/%" PRIu32 ":%" PRIu32, rank, location,
                 task->number);
    } else if (task->number != 0) {
        snprintf(id, OTTER_GRAPH_ID_SIZE, "%" PRIu32 ":%" PRIu32, location, task->number);
    }
    return id;
}

const char *otter_flags_text(uint8_t flags, char *joined, size_t size)
{
    static const struct {
        enum otter_node_flag flag;
        const char *name;
    } names[] = {
        {OTTER_NODE_NEVER_RAN, "never_ran"},   {OTTER_NODE_CANCELLED, "cancelled"},
        {OTTER_NODE_UNFINISHED, "unfinished"}, {OTTER_NODE_IMPLIED, "implied"},
        {OTTER_NODE_DETACHED, "detached"},     {OTTER_NODE_UNDEFERRED, "undeferred"},
    };
    size_t used = 0;
    *joined = '\0';
    for (size_t i = 0; flags && i < N_COLUMNS(names); i++) {
        if ((flags & names[i].flag) && used < size) {
            used += (size_t)snprintf(joined + used, size - used, "%s%s", used ? " " : "",
                                     names[i].name);
        }
    }
    return joined;
}

// ---- rows

static const struct otter_graph_task no_task = {.creator = OTTER_NONE};

static const struct otter_graph_task *task_of(const struct otter_graph *graph,
                                              const struct otter_node *node)
{
    return node->task < graph->n_tasks ? &graph->tasks[node->task] : &no_task;
}

static const char *thread_of(const struct otter_graph *graph, const struct otter_node *node)
{
    return node->location < graph->definitions->n_locations
               ? graph->definitions->locations[node->location].name
               : "";
}

// Fills the columns that nodes and groups have in common, from `id` to `line`. Returns the next
// value.
static struct otter_value *begin_row(const struct otter_export *export, uint32_t id,
                                     const struct otter_node *node, struct otter_row *row)
{
    const struct otter_label *label = otter_label_of(export->labels, node->region);
    struct otter_value *value = row->values;
    *value++ = number(id);
    bool is_whole = export->groups && export->groups->groups[id].is_whole;
    *value++ = text(is_whole ? "scope" : otter_node_kind_name((enum otter_node_kind)node->kind));
    *value++ = text(otter_node_labelled(export->graph, node));
    *value++ = text(otter_node_what(export, node));
    *value++ = text(label->where);
    *value++ = text(label->function);
    *value++ = text(label->file);
    *value++ = number_unless(label->line, 0);
    return value;
}

// Returns the start of the innermost labelled scope around a group; for an end, its own start.
static uint32_t group_scope(const struct otter_groups *groups, uint32_t i)
{
    const struct otter_group_place *place = &groups->places[groups->groups[i].place];
    bool is_begin = place->begin == i;
    return is_begin && place->parent != OTTER_NONE ? groups->places[place->parent].begin
                                                   : place->begin;
}

static void group_row(const struct otter_export *export, uint32_t i, struct otter_row *row)
{
    const struct otter_group *group = &export->groups->groups[i];
    const struct otter_node *node = &export->graph->nodes[group->first_node];
    struct otter_value *value = begin_row(export, i, node, row);
    enum otter_task_kind kind = (enum otter_task_kind)task_of(export->graph, node)->kind;
    *value++ = text(otter_node_has_body(node) ? otter_task_kind_name(kind) : "");
    *value++ = number_unless(group_scope(export->groups, i), OTTER_NONE);
    *value++ = number(group->n_nodes);
    *value++ = number((int64_t)otter_nanoseconds(export->graph, group->total));
    *value++ = number((int64_t)otter_nanoseconds(export->graph, group->longest));
}

void otter_node_row(const struct otter_export *export, uint32_t i, struct otter_row *row)
{
    if (export->groups) {
        group_row(export, i, row);
        return;
    }
    const struct otter_graph *graph = export->graph;
    const struct otter_node *node = &graph->nodes[i];
    const struct otter_graph_task *task = task_of(graph, node);
    struct otter_value *value = begin_row(export, i, node, row);
    *value++ = text(otter_task_id_text(graph, task, row->task_id));
    *value++ = number_unless(node->task, OTTER_NONE);
    *value++ = text(otter_task_kind_name((enum otter_task_kind)task->kind));
    *value++ = number_unless(node->scope, OTTER_NONE);
    *value++ = time_of(graph, node->start);
    *value++ = time_of(graph, node->end);
    *value++ = duration_of(graph, node);
    *value++ = number_unless(otter_number_of_location(graph, node->location), OTTER_NO_LOCATION);
    *value++ = text(thread_of(graph, node));
    *value++ = text(otter_flags_text(node->flags, row->flags, sizeof row->flags));
    *value++ = number_unless(otter_rank_of_location(graph, node->location), OTTER_NONE);
}

void otter_export_each_edge(FILE *out, const struct otter_export *export,
                            otter_edge_function *function)
{
    const struct otter_graph *graph = export->graph;
    if (export->groups) {
        for (uint32_t i = 0; i < export->groups->n_edges; i++) {
            function(out, export, &export->groups->edges[i], i);
        }
        return;
    }
    for (uint32_t from = 0; from < graph->n_nodes; from++) {
        for (uint32_t e = graph->first_edge[from]; e < graph->first_edge[from + 1]; e++) {
            const struct otter_group_edge edge = {.from = from,
                                                  .to = graph->edge_to[e],
                                                  .n_edges = 1,
                                                  .kind =
                                                      (enum otter_edge_kind)graph->edge_kind[e]};
            function(out, export, &edge, e);
        }
    }
}

void otter_edge_row(const struct otter_export *export, const struct otter_group_edge *edge,
                    struct otter_row *row)
{
    row->values[0] = number(edge->from);
    row->values[1] = number(edge->to);
    row->values[2] = text(otter_edge_kind_name(edge->kind));
    row->values[3] = number(edge->n_edges);
}

void otter_task_row(const struct otter_export *export, uint32_t i, struct otter_row *row)
{
    const struct otter_graph_task *task = &export->graph->tasks[i];
    struct otter_value *value = row->values;
    *value++ = number(i);
    *value++ = text(otter_task_id_text(export->graph, task, row->task_id));
    *value++ = text(otter_task_kind_name((enum otter_task_kind)task->kind));
    *value++ = number_unless(task->creator, OTTER_NONE);
    *value++ = number(otter_number_of_location(export->graph, task->location));
    *value++ = number_unless(task->first_node, OTTER_NONE);
    *value++ = number_unless(task->last_node, OTTER_NONE);
    *value++ = text(otter_flags_text(task->flags, row->flags, sizeof row->flags));
    *value++ = number_unless(otter_rank_of_location(export->graph, task->location), OTTER_NONE);
}
