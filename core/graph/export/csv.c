// Writes tables as RFC 4180 defines them, but with Unix line ends.
#include "graph/export/formats.h"

#include "graph/export/rows.h"
#include "graph/export/text.h"

static void write_header(FILE *out, const struct otter_table *table)
{
    for (size_t i = 0; i < table->n_columns; i++) {
        otter_put(out, i ? "," : "");
        otter_put(out, table->columns[i].name);
    }
    otter_put(out, "\n");
}

static void write_row(FILE *out, const struct otter_table *table, const struct otter_row *row)
{
    for (size_t i = 0; i < table->n_columns; i++) {
        const struct otter_value *value = &row->values[i];
        otter_put(out, i ? "," : "");
        if (value->kind == OTTER_VALUE_NUMBER) {
            otter_put_number(out, value->number);
        } else if (value->kind == OTTER_VALUE_TEXT) {
            otter_put_csv(out, value->text);
        }
    }
    otter_put(out, "\n");
}

static void write_pair(FILE *out, const struct otter_export *export,
                       const struct otter_group_edge *edge, uint32_t i)
{
    otter_put_number(out, edge->from);
    otter_put(out, ",");
    otter_put_number(out, edge->to);
    otter_put(out, "\n");
}

void otter_export_csv(FILE *out, const struct otter_export *export)
{
    otter_put(out, "parent_node_id,child_node_id\n");
    otter_export_each_edge(out, export, write_pair);
}

void otter_export_csv_nodes(FILE *out, const struct otter_export *export)
{
    const struct otter_table *table = otter_node_table(export);
    struct otter_row row;
    write_header(out, table);
    for (uint32_t i = 0; i < otter_export_n_nodes(export); i++) {
        otter_node_row(export, i, &row);
        write_row(out, table, &row);
    }
}

static void write_edge(FILE *out, const struct otter_export *export,
                       const struct otter_group_edge *edge, uint32_t i)
{
    struct otter_row row;
    otter_edge_row(export, edge, &row);
    write_row(out, otter_edge_table(export), &row);
}

void otter_export_csv_edges(FILE *out, const struct otter_export *export)
{
    write_header(out, otter_edge_table(export));
    otter_export_each_edge(out, export, write_edge);
}
