// The command line of `otter graph`, parsed.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "report/ranks/rank_hashes.h"
#include "graph/export/export.h"

struct otter_graph_request {
    const struct otter_exporter *exporter;
    const char *rank;                                // as typed; NULL: none
    struct otter_rank_hash *rank_hashes, *rank_hash; // of all ranks; of the selected rank, or NULL
    const char *output;                              // NULL: a file named after the archive
    enum otter_graph_view view;
    bool wants_hash, wants_fold, wants_groups, wants_all;
    const char *root; // as typed; NULL: all tasks
    bool is_root_a_node;
    uint32_t root_rank;                  // of the task; OTTER_NONE: not named
    uint32_t root_location, root_number; // the task's location and number; or the node's number
    uint32_t depth;
    bool has_depth;
};

// Parses the options. The arguments from optind on remain. `request` points into `argv`.
// Returns OTTER_EXIT_OK, OTTER_EXIT_HELP, or OTTER_EXIT_USAGE after printing an error.
int otter_graph_request_read(struct otter_graph_request *request, int argc, char **argv);
