// How a graph leaves Otter: a table of formats. Each writes to a stream, without allocating, and any number of threads may
// write at a time. What the fields mean is in core/cli/man/otter-graph.1.scd.
#pragma once

#include <stdio.h>

#include "graph/graph.h"
#include "graph/group/group.h"
#include "graph/label.h"

// A picture of more nodes shows nothing: its groups are drawn unless somebody asks for all.
enum { OTTER_MOST_NODES_OF_A_PICTURE = 2000 };

// What is written.
struct otter_export {
    const struct otter_graph *graph;
    const struct otter_labels *labels; // of the same archive
    const struct otter_groups
        *groups;       // of the graph: written instead of its nodes. NULL: every node
    const char *title; // over a picture: the program. NULL: none
    bool has_pauses;   // recording was paused, which the times of what was open do not leave out
};

// Whoever calls it looks at ferror() afterwards.
typedef void otter_export_function(FILE *out, const struct otter_export *what);

// A further file, which belongs to the one that was asked for.
struct otter_export_companion {
    const char *ending; // put in place of that one's: fib.csv, fib.nodes.csv
    otter_export_function *write;
};

struct otter_exporter {
    const char *name;   // "dot"
    const char *ending; // ".gv"
    const char *help;   // a few words
    otter_export_function *write;
    struct otter_export_companion companions[2];
    size_t n_companions;
};

// dot, csv, json, graphml.
const struct otter_exporter *otter_exporters_table(size_t *n);

// By name; "edge" is "csv". Also "nodeattr", which is not in the table: {"nodes": [...]} as JSON. NULL: there is none.
const struct otter_exporter *otter_exporter_find(const char *name);

// Writes the file `path` and its companions. Each is written under another name beside it and renamed when all are whole, so that
// there is never half a file; what is no regular file (a pipe, /dev/stdout) is written to as it is. A link that leads nowhere, or that
// another person has made, is replaced. On failure nothing is left,
// what was there before stays, and *complaint says what could not be written and why.
enum otter_status otter_export_write(const struct otter_exporter *exporter,
                                     const struct otter_export *what, const char *path,
                                     struct otter_complaint *complaint);

// Is this a picture of more nodes than anybody can look at?
bool otter_export_is_too_large(const struct otter_exporter *exporter,
                               const struct otter_graph *graph);

// The name of a companion of `path`. The caller frees it; NULL: out of memory.
char *otter_export_companion_path(const struct otter_exporter *exporter, size_t companion,
                                  const char *path);
