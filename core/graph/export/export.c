// Writes the files of an export, each complete or not at all.
#include "graph/export/export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

static const struct otter_exporter nodeattr = {
    "nodeattr", ".json", "nodes, as one object", otter_export_nodeattr, {{0}}, 0};

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
    return strcmp(exporter->name, "dot") == 0 && graph->n_nodes > OTTER_MOST_NODES_OF_A_PICTURE;
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

enum { MAX_FILES = 3, BUFFER_SIZE = 1 << 18 };

// A file that is written at `temporary`, then renamed to `path`.
struct output {
    char *path;
    char *temporary; // NULL: written at `path`
};

static enum otter_status complain(struct otter_complaint *complaint, const char *path, int error)
{
    error = error ? error : EIO;
    snprintf(complaint->text, sizeof complaint->text, "cannot write graph '%s': %s", path,
             strerror(error));
    return otter_status_from_errno(error);
}

// Returns the target of a link, so that the link itself is not replaced; a dangling link is
// returned as it is. NULL when memory is short.
static char *follow_links(const char *path)
{
    char *real = realpath(path, NULL);
    return real || errno == ENOMEM ? real : strdup(path);
}

// Returns whether another user made the link: in a folder that all may write to, such a link may
// point to a file of ours.
static bool is_link_of_others(const char *path)
{
    struct stat info;
    return path && lstat(path, &info) == 0 && S_ISLNK(info.st_mode) && info.st_uid != geteuid() &&
           info.st_uid != 0;
}

static enum otter_status choose_temporary(struct output *output, struct otter_complaint *complaint)
{
    output->temporary = otter_path("%s.%ld.part", output->path, (long)getpid());
    return output->temporary ? OTTER_OK : complain(complaint, output->path, ENOMEM);
}

// Sets the paths of an output. Frees `path`, or stores it; `path` may be NULL.
static enum otter_status choose_paths(struct output *output, char *path,
                                      struct otter_complaint *complaint)
{
    struct stat info;
    if (is_link_of_others(path)) {
        *output = (struct output){.path = path};
        return choose_temporary(output, complaint);
    }
    *output = (struct output){.path = path ? follow_links(path) : NULL};
    if (!output->path) {
        enum otter_status status = complain(complaint, path ? path : "", ENOMEM);
        free(path);
        return status;
    }
    free(path);
    bool is_there = stat(output->path, &info) == 0;
    if (is_there && S_ISDIR(info.st_mode)) {
        return complain(complaint, output->path, EISDIR);
    }
    if (is_there && access(output->path, W_OK) != 0) {
        return complain(complaint, output->path, errno);
    }
    if (is_there && !S_ISREG(info.st_mode)) {
        return OTTER_OK;
    }
    return choose_temporary(output, complaint);
}

// Creates a new file. Removes an existing file or link of this name, which another user made, or a
// process with our number left behind.
static FILE *create(const char *path)
{
    unlink(path);
    return fopen(path, "wxe");
}

static enum otter_status write_file(const struct output *output, otter_export_function *write,
                                    const struct otter_export *export,
                                    struct otter_complaint *complaint)
{
    FILE *out = output->temporary ? create(output->temporary) : fopen(output->path, "we");
    if (!out) {
        return complain(complaint, output->path, errno);
    }
    char *buffer = malloc(BUFFER_SIZE); // NULL: the stream allocates a smaller buffer
    if (buffer) {
        setvbuf(out, buffer, _IOFBF, BUFFER_SIZE);
    }
    errno = 0;
    write(out, export);
    bool failed = fflush(out) != 0 || ferror(out);
    int error = errno;
    if (fclose(out) != 0 && !failed) {
        failed = true;
        error = errno;
    }
    free(buffer);
    return failed ? complain(complaint, output->path, error) : OTTER_OK;
}

static enum otter_status write_files(const struct otter_exporter *exporter,
                                     const struct otter_export *export, const char *path,
                                     struct output *outputs, struct otter_complaint *complaint)
{
    enum otter_status status = choose_paths(&outputs[0], strdup(path), complaint);
    if (!status) {
        status = write_file(&outputs[0], exporter->write, export, complaint);
    }
    if (!outputs[0].temporary) {
        return status; // a pipe has no companions
    }
    for (size_t i = 0; i < exporter->n_companions && !status; i++) {
        struct output *output = &outputs[i + 1];
        status = choose_paths(output, otter_export_companion_path(exporter, i, path), complaint);
        if (!status) {
            status = write_file(output, exporter->companions[i].write, export, complaint);
        }
    }
    return status;
}

static enum otter_status rename_all(struct output *outputs, struct otter_complaint *complaint)
{
    for (size_t i = 0; i < MAX_FILES; i++) {
        if (!outputs[i].temporary) {
            continue;
        }
        if (rename(outputs[i].temporary, outputs[i].path) != 0) {
            return complain(complaint, outputs[i].path, errno);
        }
        free(outputs[i].temporary);
        outputs[i].temporary = NULL;
    }
    return OTTER_OK;
}

enum otter_status otter_export_write(const struct otter_exporter *exporter,
                                     const struct otter_export *export, const char *path,
                                     struct otter_complaint *complaint)
{
    struct output outputs[MAX_FILES] = {{0}};
    enum otter_status status = write_files(exporter, export, path, outputs, complaint);
    if (!status) {
        status = rename_all(outputs, complaint);
    }
    for (size_t i = 0; i < MAX_FILES; i++) {
        if (outputs[i].temporary) {
            unlink(outputs[i].temporary);
        }
        free(outputs[i].temporary);
        free(outputs[i].path);
    }
    return status;
}
