// A graph as tables. All formats with columns have the same columns.
#pragma once

#include "graph/export/export.h"

enum otter_value_kind {
    OTTER_VALUE_NONE = 0,
    OTTER_VALUE_NUMBER,
    OTTER_VALUE_TEXT,
};

struct otter_value {
    enum otter_value_kind kind;
    int64_t number;
    const char *text; // any bytes; each format escapes them
};

struct otter_column {
    const char *name;           // "start_ns"
    enum otter_value_kind kind; // kind of the values; each value may also be NONE
};

enum { OTTER_GRAPH_ID_SIZE = 36 };
enum { OTTER_MAX_COLUMNS = 19 };

struct otter_table {
    const struct otter_column *columns;
    size_t n_columns;
};

struct otter_row {
    struct otter_value values[OTTER_MAX_COLUMNS];
    char task_id[OTTER_GRAPH_ID_SIZE];
    char flags[64];
};

// Fills row `i` of a table of nodes or tasks.
typedef void otter_row_function(const struct otter_export *export, uint32_t i,
                                struct otter_row *row);

// Returns the table of groups if there are any, otherwise of nodes. The first column is the id.
const struct otter_table *otter_node_table(const struct otter_export *export);
uint32_t otter_export_n_nodes(const struct otter_export *export);
otter_row_function otter_node_row;

// Returns the table of edges between groups or nodes. The first two columns are source and target.
const struct otter_table *otter_edge_table(const struct otter_export *export);
uint32_t otter_export_n_edges(const struct otter_export *export);

// Calls `function` for each edge, in the order of sources; `i` counts from 0.
typedef void otter_edge_function(FILE *out, const struct otter_export *export,
                                 const struct otter_group_edge *edge, uint32_t i);
void otter_export_each_edge(FILE *out, const struct otter_export *export,
                            otter_edge_function *function);
void otter_edge_row(const struct otter_export *export, const struct otter_group_edge *edge,
                    struct otter_row *row);

// Returns the table of tasks.
const struct otter_table *otter_task_table(const struct otter_export *export);
otter_row_function otter_task_row;

// Returns "task", "barrier", ...: a node's own word, which may differ from its region's.
const char *otter_node_what(const struct otter_export *export, const struct otter_node *node);

// Returns the construct of a Kokkos label, "Kokkos parallel_for". "" for other nodes, whose `what`
// names the construct.
const char *otter_node_labelled(const struct otter_graph *graph, const struct otter_node *node);

// Writes "1:17", in a joint graph "2/1:17"; "" for initial and implicit tasks, which have no id.
// Returns `text`.
char *otter_task_id_text(const struct otter_graph *graph, const struct otter_graph_task *task,
                         char text[OTTER_GRAPH_ID_SIZE]);

// Returns the rank of a location of a joint graph; OTTER_NONE without ranks.
uint32_t otter_rank_of_location(const struct otter_graph *graph, uint16_t location);
// Returns the number of a location in its process.
uint32_t otter_number_of_location(const struct otter_graph *graph, uint16_t location);

// Writes the names of flags (enum otter_node_flag): "never_ran unfinished". Returns `text`.
const char *otter_flags_text(uint8_t flags, char *text, size_t size);

// Converts ticks to nanoseconds.
uint64_t otter_nanoseconds(const struct otter_graph *graph, uint64_t ticks);
