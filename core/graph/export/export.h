// Exports graphs in several formats, whose fields core/cli/man/otter-graph.1.scd explains.
//
// Thread: any number of threads may export at the same time. An export function does not allocate.
#pragma once

#include <stdio.h>

#include "graph/graph.h"
#include "graph/group/group.h"
#include "graph/label.h"

// A picture of more nodes is unreadable: groups are drawn instead, unless the user requests all.
enum { OTTER_MAX_NODES_OF_A_PICTURE = 2000 };

// The graph to write.
struct otter_export {
    const struct otter_graph *graph;
    const struct otter_labels *labels; // labels of the same archive
    const struct otter_groups *groups; // written instead of nodes; NULL: write every node
    const char *title;                 // title of a picture: the program; NULL: none
    bool has_pauses;                   // recording was paused; times include the pauses
};

// Writes to `out`. Errors: the caller checks ferror() afterwards.
typedef void otter_export_function(FILE *out, const struct otter_export *export);

// An additional file that some formats write, besides the requested file.
struct otter_export_companion {
    const char *ending; // replaces the ending of the requested file: fib.csv, fib.nodes.csv
    otter_export_function *write;
};

struct otter_exporter {
    const char *name;   // "dot"
    const char *ending; // ".gv"
    const char *help;   // a help text of a few words
    otter_export_function *write;
    struct otter_export_companion companions[2];
    size_t n_companions;
};

// Returns the table of formats: dot, csv, json, graphml.
const struct otter_exporter *otter_exporters_table(size_t *n);

// Returns the format `name`, or NULL. "edge" is another name of "csv". "nodeattr", which writes
// {"nodes": [...]} as JSON, is not in the table.
const struct otter_exporter *otter_exporter_find(const char *name);

// Writes the file `path` and its companions. Each file is written under a temporary name, and
// renamed when all files are complete. A pipe or a device, such as /dev/stdout, is written
// directly. A dangling link, or a link of another user, is replaced. Errors: existing files are
// unchanged, and *complaint names the file and the reason.
enum otter_status otter_export_write(const struct otter_exporter *exporter,
                                     const struct otter_export *export, const char *path,
                                     struct otter_complaint *complaint);

// Returns whether this is a picture of more than OTTER_MAX_NODES_OF_A_PICTURE nodes.
bool otter_export_is_too_large(const struct otter_exporter *exporter,
                               const struct otter_graph *graph);

// Returns the path of a companion of `path`, which the caller frees; NULL if out of memory.
char *otter_export_companion_path(const struct otter_exporter *exporter, size_t companion,
                                  const char *path);
