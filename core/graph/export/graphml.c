// Writes GraphML. Keys have short names, n0 and e0, because each value repeats its key.
#include "graph/export/formats.h"
#include "graph/export/rows.h"
#include "graph/export/text.h"

// Writes the keys of nodes ('n') or edges ('e'), from column `first` on. Earlier columns are
// attributes of the element itself.
static void write_keys(FILE *out, char element, const struct otter_table *table, size_t first)
{
    for (size_t i = first; i < table->n_columns; i++) {
        const struct otter_column *column = &table->columns[i];
        fprintf(out, "  <key id=\"%c%zu\" for=\"%s\" attr.name=\"%s\" attr.type=\"%s\"/>\n",
                element, i, element == 'n' ? "node" : "edge", column->name,
                column->kind == OTTER_VALUE_NUMBER ? "long" : "string");
    }
}

static void write_data(FILE *out, char element, const struct otter_table *table,
                       const struct otter_row *row, size_t first)
{
    for (size_t i = first; i < table->n_columns; i++) {
        const struct otter_value *value = &row->values[i];
        if (value->kind == OTTER_VALUE_NONE) {
            continue;
        }
        otter_put(out, element == 'n' ? "<data key=\"n" : "<data key=\"e");
        otter_put_number(out, (int64_t)i);
        otter_put(out, "\">");
        if (value->kind == OTTER_VALUE_NUMBER) {
            otter_put_number(out, value->number);
        } else {
            otter_put_xml(out, value->text);
        }
        otter_put(out, "</data>");
    }
}

static void write_edge(FILE *out, const struct otter_export *export,
                       const struct otter_group_edge *edge, uint32_t i)
{
    struct otter_row row;
    otter_edge_row(export, edge, &row);
    otter_put(out, "    <edge source=\"");
    otter_put_number(out, edge->from);
    otter_put(out, "\" target=\"");
    otter_put_number(out, edge->to);
    otter_put(out, "\">");
    write_data(out, 'e', otter_edge_table(export), &row, 2);
    otter_put(out, "</edge>\n");
}

static void write_nodes(FILE *out, const struct otter_export *export)
{
    struct otter_row row;
    for (uint32_t i = 0; i < otter_export_n_nodes(export); i++) {
        otter_node_row(export, i, &row);
        otter_put(out, "    <node id=\"");
        otter_put_number(out, i);
        otter_put(out, "\">");
        write_data(out, 'n', otter_node_table(export), &row, 1);
        otter_put(out, "</node>\n");
    }
}

void otter_export_graphml(FILE *out, const struct otter_export *export)
{
    bool is_structure = export->graph->view == OTTER_VIEW_STRUCTURE;
    otter_put(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                   "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
                   "  <key id=\"view\" for=\"graph\" attr.name=\"view\" "
                   "attr.type=\"string\"/>\n");
    write_keys(out, 'n', otter_node_table(export), 1);
    write_keys(out, 'e', otter_edge_table(export), 2);
    otter_put(out, "  <graph edgedefault=\"directed\">\n    <data key=\"view\">");
    otter_put(out, is_structure ? "structure" : "fragments");
    otter_put(out, "</data>\n");
    write_nodes(out, export);
    otter_export_each_edge(out, export, write_edge);
    otter_put(out, "  </graph>\n</graphml>\n");
}
