// Writes one JSON object in the "node-link" form of networkx, with tasks and teams in addition to
// nodes and edges, one entry per line.
#include "graph/export/formats.h"
#include "graph/export/rows.h"
#include "graph/export/text.h"

// Writes the members of an object, omitting missing values.
static void write_members(FILE *out, const struct otter_table *table, const struct otter_row *row)
{
    const char *separator = "";
    for (size_t i = 0; i < table->n_columns; i++) {
        const struct otter_value *value = &row->values[i];
        if (value->kind == OTTER_VALUE_NONE) {
            continue;
        }
        otter_put(out, separator);
        otter_put(out, "\"");
        otter_put(out, table->columns[i].name);
        otter_put(out, "\": ");
        if (value->kind == OTTER_VALUE_NUMBER) {
            otter_put_number(out, value->number);
        } else {
            otter_put_json(out, value->text);
        }
        separator = ", ";
    }
}

// Writes the separator before an entry of a list.
static void begin_entry(FILE *out, bool *is_first)
{
    otter_put(out, *is_first ? "\n  {" : "},\n  {");
    *is_first = false;
}

static void end_list(FILE *out, bool is_empty)
{
    otter_put(out, is_empty ? "]" : "}\n]");
}

static void write_table(FILE *out, const struct otter_export *export,
                        const struct otter_table *table, uint32_t n, otter_row_function *fill)
{
    struct otter_row row;
    bool is_first = true;
    for (uint32_t i = 0; i < n; i++) {
        fill(export, i, &row);
        begin_entry(out, &is_first);
        write_members(out, table, &row);
    }
    end_list(out, is_first);
}

static void write_nodes(FILE *out, const struct otter_export *export)
{
    otter_put(out, "\"nodes\": [");
    write_table(out, export, otter_node_table(export), otter_export_n_nodes(export),
                otter_node_row);
}

static void write_edge(FILE *out, const struct otter_export *export,
                       const struct otter_group_edge *edge, uint32_t i)
{
    struct otter_row row;
    bool is_first = i == 0;
    otter_edge_row(export, edge, &row);
    begin_entry(out, &is_first);
    write_members(out, otter_edge_table(export), &row);
}

static void write_edges(FILE *out, const struct otter_export *export)
{
    otter_put(out, "\"edges\": [");
    otter_export_each_edge(out, export, write_edge);
    end_list(out, otter_export_n_edges(export) == 0);
}

static void write_tasks(FILE *out, const struct otter_export *export)
{
    otter_put(out, "\"tasks\": [");
    write_table(out, export, otter_task_table(export), export->graph->n_tasks, otter_task_row);
}

static void put_index(FILE *out, const char *name, uint32_t index)
{
    otter_put(out, name);
    if (index == OTTER_NONE) {
        otter_put(out, "null");
    } else {
        otter_put_number(out, index);
    }
}

static void write_team(FILE *out, const struct otter_graph *graph,
                       const struct otter_graph_team *team)
{
    const char *separator = "";
    put_index(out, "\"begin_node\": ", team->begin_node);
    put_index(out, ", \"end_node\": ", team->end_node);
    otter_put(out, ", \"members\": [");
    for (uint32_t i = 0; i < team->n_members; i++) {
        put_index(out, separator, graph->members[team->first_member + i]);
        separator = ", ";
    }
    otter_put(out, "]");
}

static void write_teams(FILE *out, const struct otter_export *export)
{
    const struct otter_graph *graph = export->graph;
    bool is_first = true;
    otter_put(out, "\"teams\": [");
    for (uint32_t i = 0; i < graph->n_teams; i++) {
        begin_entry(out, &is_first);
        write_team(out, graph, &graph->teams[i]);
    }
    end_list(out, is_first);
}

void otter_export_json(FILE *out, const struct otter_export *export)
{
    bool is_structure = export->graph->view == OTTER_VIEW_STRUCTURE;
    otter_put(out, "{\"directed\": true, \"multigraph\": true,\n\"graph\": {\"view\": ");
    otter_put(out, is_structure ? "\"structure\"" : "\"fragments\"");
    otter_put(out, export->groups ? ", \"grouped_by\": \"label\"" : "");
    if (export->title) {
        otter_put(out, ", \"title\": ");
        otter_put_json(out, export->title);
    }
    otter_put(out, "},\n");
    write_nodes(out, export);
    otter_put(out, ",\n");
    write_edges(out, export);
    if (!export->groups) { // tasks and teams refer to nodes, not to groups
        otter_put(out, ",\n");
        write_tasks(out, export);
        otter_put(out, ",\n");
        write_teams(out, export);
    }
    otter_put(out, "}\n");
}

void otter_export_nodeattr(FILE *out, const struct otter_export *export)
{
    otter_put(out, "{");
    write_nodes(out, export);
    otter_put(out, "}\n");
}
