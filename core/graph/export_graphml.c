#include "graph/export_formats.h"
#include "graph/export_rows.h"
#include "graph/export_text.h"

// Columns before `first` are part of the element itself.
static void write_keys(FILE *out, const char *element, const struct otter_table *table,
                       size_t first)
{
    for (size_t i = first; i < table->n_columns; i++) {
        const struct otter_column *column = &table->columns[i];
        fprintf(out, "  <key id=\"%s_%s\" for=\"%s\" attr.name=\"%s\" attr.type=\"%s\"/>\n",
                element, column->name, element, column->name,
                column->kind == OTTER_VALUE_NUMBER ? "long" : "string");
    }
}

static void write_data(FILE *out, const char *element, const struct otter_table *table,
                       const struct otter_row *row, size_t first)
{
    for (size_t i = first; i < table->n_columns; i++) {
        const struct otter_value *value = &row->values[i];
        if (value->kind == OTTER_VALUE_NONE) {
            continue;
        }
        otter_put(out, "<data key=\"");
        otter_put(out, element);
        otter_put(out, "_");
        otter_put(out, table->columns[i].name);
        otter_put(out, "\">");
        if (value->kind == OTTER_VALUE_NUMBER) {
            otter_put_number(out, value->number);
        } else {
            otter_put_xml(out, value->text);
        }
        otter_put(out, "</data>");
    }
}

static void write_edge(FILE *out, const struct otter_export *what,
                       const struct otter_group_edge *edge, uint32_t i)
{
    struct otter_row row;
    otter_edge_row(what, edge, &row);
    otter_put(out, "    <edge source=\"");
    otter_put_number(out, edge->from);
    otter_put(out, "\" target=\"");
    otter_put_number(out, edge->to);
    otter_put(out, "\">");
    write_data(out, "edge", otter_edge_table(what), &row, 2);
    otter_put(out, "</edge>\n");
}

static void write_nodes(FILE *out, const struct otter_export *what)
{
    struct otter_row row;
    for (uint32_t i = 0; i < otter_export_n_nodes(what); i++) {
        otter_node_row(what, i, &row);
        otter_put(out, "    <node id=\"");
        otter_put_number(out, i);
        otter_put(out, "\">");
        write_data(out, "node", otter_node_table(what), &row, 1);
        otter_put(out, "</node>\n");
    }
}

void otter_export_graphml(FILE *out, const struct otter_export *what)
{
    bool is_structure = what->graph->view == OTTER_VIEW_STRUCTURE;
    otter_put(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                   "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
                   "  <key id=\"graph_view\" for=\"graph\" attr.name=\"view\" "
                   "attr.type=\"string\"/>\n");
    write_keys(out, "node", otter_node_table(what), 1);
    write_keys(out, "edge", otter_edge_table(what), 2);
    otter_put(out, "  <graph edgedefault=\"directed\">\n    <data key=\"graph_view\">");
    otter_put(out, is_structure ? "structure" : "fragments");
    otter_put(out, "</data>\n");
    write_nodes(out, what);
    otter_export_each_edge(out, what, write_edge);
    otter_put(out, "  </graph>\n</graphml>\n");
}
