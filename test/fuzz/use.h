// All that is done with a graph, or with an archive, once it has been read.
#pragma once

#include <stdio.h>

#include "graph/graph.h"
#include "graph/label.h"

// Where texts go that nobody reads.
FILE *fuzz_nowhere(void);

// One of all ways: in a format, grouped or not, folded or a part of it; hashed.
void fuzz_use_graph(const struct otter_graph *graph, const struct otter_labels *labels,
                    uint8_t how);

// What one of the commands that read archives does with it.
void fuzz_use_archive(struct otter_archive *archive, uint8_t how);
