// Writes the files of an export, each complete or not at all.
#include "graph/export/export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/output/new_file.h"
#include "base/path.h"
#include "graph/export/formats.h"

static const struct otter_exporter exporters[] = {
    {"dot", ".gv", "a picture, for Graphviz", otter_export_dot, {{0}}, 0},
    {"csv",
     ".csv",
     "edges, with tables of nodes and edges beside them",
     otter_export_csv,
     {{".nodes.csv", otter_export_csv_nodes}, {".edges.csv", otter_export_csv_edges}},
     2},
    {"json", ".json", "everything, as one object", otter_export_json, {{0}}, 0},
    {"graphml", ".graphml", "for networkx, igraph, yEd, Gephi", otter_export_graphml, {{0}}, 0},
};

static const struct otter_exporter nodeattr = {.name = "nodeattr",
                                               .ending = ".json",
                                               .help = "nodes, as one object",
                                               .write = otter_export_nodeattr};

enum { N_EXPORTERS = sizeof exporters / sizeof *exporters };

const struct otter_exporter *otter_exporters_table(size_t *n)
{
    *n = N_EXPORTERS;
    return exporters;
}

const struct otter_exporter *otter_exporter_find(const char *name)
{
    if (strcmp(name, "edge") == 0) { // the name in earlier versions of Otter
        name = "csv";
    }
    for (size_t i = 0; i < N_EXPORTERS; i++) {
        if (strcmp(exporters[i].name, name) == 0) {
            return &exporters[i];
        }
    }
    return strcmp(name, nodeattr.name) == 0 ? &nodeattr : NULL;
}

bool otter_export_is_too_large(const struct otter_exporter *exporter,
                               const struct otter_graph *graph)
{
    return strcmp(exporter->name, "dot") == 0 && graph->n_nodes > OTTER_MAX_NODES_OF_A_PICTURE;
}

char *otter_export_companion_path(const struct otter_exporter *exporter, size_t companion,
                                  const char *path)
{
    size_t length = strlen(path), ending = strlen(exporter->ending);
    if (length > ending && strcmp(path + length - ending, exporter->ending) == 0) {
        length -= ending;
    }
    return otter_path("%.*s%s", (int)length, path, exporter->companions[companion].ending);
}

// ---- files

enum { MAX_FILES = 3 };

static enum otter_status complain(struct otter_complaint *complaint, const char *path, int error)
{
    snprintf(complaint->text, sizeof complaint->text, "cannot write graph '%s': %s", path,
             otter_new_file_error(error));
    return otter_status_from_errno(error);
}

// `path` may be NULL if out of memory.
static enum otter_status write_file(struct otter_new_file *output, const char *path,
                                    otter_export_function *write, const struct otter_export *export,
                                    struct otter_complaint *complaint)
{
    int error = path ? otter_new_file_open(output, path) : ENOMEM;
    if (!error) {
        write(output->stream, export);
        error = otter_new_file_close(output);
    }
    const char *named = output->path ? output->path : path ? path : "";
    return error ? complain(complaint, named, error) : OTTER_OK;
}

static enum otter_status write_files(const struct otter_exporter *exporter,
                                     const struct otter_export *export, const char *path,
                                     struct otter_new_file *outputs,
                                     struct otter_complaint *complaint)
{
    enum otter_status status = write_file(&outputs[0], path, exporter->write, export, complaint);
    if (!outputs[0].temporary) {
        return status; // a pipe has no companions
    }
    for (size_t i = 0; i < exporter->n_companions && !status; i++) {
        char *companion = otter_export_companion_path(exporter, i, path);
        status = write_file(&outputs[i + 1], companion, exporter->companions[i].write, export,
                            complaint);
        free(companion);
    }
    return status;
}

static enum otter_status rename_all(struct otter_new_file *outputs,
                                    struct otter_complaint *complaint)
{
    for (size_t i = 0; i < MAX_FILES; i++) {
        int error = otter_new_file_publish(&outputs[i]);
        if (error) {
            return complain(complaint, outputs[i].path, error);
        }
    }
    return OTTER_OK;
}

enum otter_status otter_export_write(const struct otter_exporter *exporter,
                                     const struct otter_export *export, const char *path,
                                     struct otter_complaint *complaint)
{
    struct otter_new_file outputs[MAX_FILES] = {{0}};
    enum otter_status status = write_files(exporter, export, path, outputs, complaint);
    if (!status) {
        status = rename_all(outputs, complaint);
    }
    for (size_t i = 0; i < MAX_FILES; i++) {
        otter_new_file_finish(&outputs[i]);
    }
    return status;
}
