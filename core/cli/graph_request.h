// What the command line of `otter graph` asks for.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "graph/export/export.h"

struct otter_graph_request {
    const struct otter_exporter *exporter;
    const char *output; // NULL: named after the archive
    enum otter_graph_view view;
    bool wants_hash, wants_fold, wants_groups, wants_all;
    const char *root; // as it was typed, NULL: all tasks
    bool is_root_a_node;
    uint32_t root_location, root_number; // of a task; the node is in root_number
    uint32_t depth;
    bool has_depth;
};

// Reads the options; the archive, if one is named, is behind them, at optind. The texts live as long as `argv`.
// False, with help or an error printed: there is nothing to do, and the exit status is in *status.
bool otter_graph_request_read(struct otter_graph_request *request, int argc, char **argv,
                              int *status);
