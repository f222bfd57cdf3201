// The functions of the table in formats.c. Each format has a file.
#pragma once

#include "graph/export/export.h"

otter_export_function otter_export_dot;
otter_export_function otter_export_csv;       // edges: two columns, from and to
otter_export_function otter_export_csv_nodes; // the table of nodes
otter_export_function otter_export_csv_edges; // edges with their kinds
otter_export_function otter_export_json;
otter_export_function otter_export_nodeattr; // JSON with only nodes
otter_export_function otter_export_graphml;
