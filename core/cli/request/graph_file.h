// The file of `otter graph`.
#pragma once

#include "cli/request/graph_request.h"
#include "graph/graph.h"
#include "graph/label.h"

// Writes the graph in the format of the request, grouped by label if a picture of it would be too
// large, or on request. May merge labels. *Returns* false after printing an error.
bool otter_graph_write(const struct otter_graph_request *request,
                       const struct otter_archive *archive, const struct otter_graph *graph,
                       struct otter_labels *labels, bool has_pauses);
