// Writes the task graph at the end of the program, if a setting names a file for it.
//
// The code runs inside the user's program, on a thread with a stack of any size. Each failure
// prints one message.
#include "record/after.h"

#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/log.h"
#include "base/settings.h"
#include "graph/build/build.h"
#include "graph/export/export.h"
#include "graph/group/group.h"
#include "graph/label.h"
#include "graph/tasks.h"
#include "record/process/host.h"

// Allocated on the heap, because stacks may be small.
struct work {
    struct otter_archive *archive;
    struct otter_graph *graph;
    struct otter_labels labels;
    struct otter_build_findings findings;
    struct otter_complaint complaint;
    char path[PATH_MAX];
};

static enum otter_status prepare(struct work *work, const char *folder)
{
    enum otter_status status = otter_archive_open(folder, &work->archive, &work->complaint);
    if (status) {
        return status;
    }
    status = otter_graph_build(work->archive, OTTER_VIEW_STRUCTURE, &work->graph, &work->findings,
                               &work->complaint);
    if (status) {
        return status;
    }
    return otter_graph_drop_tasks(work->graph)
               ? otter_labels_init(&work->labels, work->graph->definitions)
               : OTTER_NO_MEMORY;
}

static void destroy(struct work *work)
{
    if (!work) {
        return;
    }
    if (work->labels.regions) {
        otter_labels_finish(&work->labels);
    }
    otter_graph_destroy(work->graph);
    if (work->archive) {
        otter_archive_close(work->archive);
    }
    free(work);
}

// Prints an error, even in quiet mode, because the user requested the file.
static void complain(const struct work *work, const char *file, enum otter_status status)
{
    static const char rest[] = "the archive is complete (otter graph can write the graph later)";
    if (work && *work->complaint.text) {
        otter_error("%s; %s", work->complaint.text, rest);
    } else {
        otter_error("cannot write graph '%s': %s; %s", file, otter_status_text(status), rest);
    }
}

static enum otter_status export_graph(struct work *work, const struct otter_exporter *exporter)
{
    struct otter_export export = {.graph = work->graph,
                                  .labels = &work->labels,
                                  .has_pauses = work->findings.n_pauses > 0,
                                  .title =
                                      otter_archive_property(work->archive, "OTTER::COMMAND_LINE")};
    struct otter_groups *groups = NULL;
    if (otter_export_is_too_large(exporter, work->graph)) {
        bool has_merged;
        groups = otter_groups_create_few(work->graph, &work->labels, OTTER_MAX_NODES_OF_A_PICTURE,
                                         &has_merged);
        if (!groups) {
            return OTTER_NO_MEMORY;
        }
        export.groups = groups;
    }
    enum otter_status status = otter_export_write(exporter, &export, work->path, &work->complaint);
    if (!status) {
        otter_note("task graph: %s%s", otter_host_short_path(work->path),
                   groups ? " (large: grouped by label; otter graph --all draws every node)" : "");
    }
    otter_groups_destroy(groups);
    return status;
}

// Sets work->path. A pipe, a terminal or /dev/null keeps its name; a file gets the process number
// and the ending.
static enum otter_status set_path(struct work *work, const char *name, const char *ending)
{
    struct stat info;
    if (*name == '/' && strlen(name) < sizeof(work->path) && stat(name, &info) == 0 &&
        !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) {
        strcpy(work->path, name);
        return OTTER_OK;
    }
    return otter_host_output_file(name, ending, work->path, sizeof(work->path));
}

// Writes the file `name`, unless `name` is empty.
static void write_file(struct work *work, const char *name, const char *format)
{
    if (!*name) {
        return;
    }
    const struct otter_exporter *exporter = otter_exporter_find(format);
    *work->path = *work->complaint.text = '\0';
    enum otter_status status = set_path(work, name, exporter->ending);
    if (!status) {
        status = export_graph(work, exporter);
    }
    if (status) {
        complain(work, *work->path ? work->path : name, status);
    }
}

static void write_files(const char *folder, const char *output, const char *nodes)
{
    struct work *work = calloc(1, sizeof(*work));
    enum otter_status status = work ? prepare(work, folder) : OTTER_NO_MEMORY;
    if (status) {
        complain(work, *output ? output : nodes, status);
    } else {
        write_file(work, output, otter_settings_get("task-graph-format"));
        write_file(work, nodes, "nodeattr");
    }
    destroy(work);
}

void otter_after_archive(const char *folder)
{
    const char *output = otter_settings_get("task-graph-output");
    const char *nodes = otter_settings_get("task-graph-nodeattr");
    if (!*output && !*nodes) {
        return;
    }
    // The program's locale might make printf write numbers with a comma.
    locale_t plain = newlocale(LC_ALL_MASK, "C", NULL);
    locale_t before = plain ? uselocale(plain) : NULL;
    write_files(folder, output, nodes);
    if (before) {
        uselocale(before);
        freelocale(plain);
    }
}
