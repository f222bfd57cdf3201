// The command line of `otter graph`, parsed.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "graph/export/export.h"

struct otter_graph_request {
    const struct otter_exporter *exporter;
    const char *output; // NULL: a file named after the archive
    enum otter_graph_view view;
    bool wants_hash, wants_fold, wants_groups, wants_all;
    const char *root; // as typed; NULL: all tasks
    bool is_root_a_node;
    uint32_t root_location, root_number; // the task's location and number; or the node's number
    uint32_t depth;
    bool has_depth;
};

// Reads the options; the archive, if one is named, is behind them, at optind. The texts live as
// long as `argv`. False, with help or an error printed: there is nothing to do, and the exit status
// is in *status.
bool otter_graph_request_read(struct otter_graph_request *request, int argc, char **argv,
                              int *status);
