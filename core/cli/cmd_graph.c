// The command `otter graph`: writes the task graph of an archive as a picture or a table.
#include <stdlib.h>

#include "base/log.h"
#include "base/text/print.h"
#include "cli/command.h"
#include "analysis/job/each_rank.h"
#include "cli/request/graph_file.h"
#include "report/ranks/graph_gaps.h"
#include "cli/request/graph_request.h"
#include "cli/request/memory.h"
#include "cli/request/open.h"
#include "cli/progress.h"
#include "report/ranks/rank_graphs.h"
#include "graph/build/build.h"
#include "graph/export/export.h"
#include "graph/fold/fold.h"
#include "graph/hash/hash.h"
#include "graph/kernel.h"
#include "graph/select.h"
#include "graph/tasks.h"
#include "source/lines.h"

// ---- the graph

static void replace_graph(struct otter_graph **graph, struct otter_graph *made)
{
    otter_graph_destroy(*graph);
    *graph = made;
}

// *Returns* the task that --root names, or OTTER_NONE.
static uint32_t find_root(const struct otter_graph_request *request,
                          const struct otter_graph *graph)
{
    if (request->is_root_a_node) {
        return otter_graph_task_of(graph, request->root_number);
    }
    uint32_t location = request->root_location;
    if (graph->places) {
        location = otter_graph_find_location(graph, request->root_rank, location);
    }
    bool is_of_graph = (graph->places != NULL) == (request->root_rank != OTTER_NONE);
    return is_of_graph ? otter_graph_find_task(graph, location, request->root_number) : OTTER_NONE;
}

// Returns false after printing an error.
static bool select_root(const struct otter_graph_request *request, struct otter_graph **graph)
{
    uint32_t task = find_root(request, *graph);
    if (task == OTTER_NONE || (*graph)->tasks[task].first_node == OTTER_NONE) {
        bool has_rank = request->root_rank != OTTER_NONE, has_ranks = (*graph)->places != NULL;
        const char *hint = "";
        if (!request->is_root_a_node && request->root_number == 0) {
            hint = ": to name an initial or implicit task, use one of its nodes";
        } else if (has_ranks && !has_rank && !request->is_root_a_node) {
            hint = ": with all ranks, the id of a task begins with its rank, as in 0/1:17";
        } else if (has_rank && !has_ranks) {
            hint = ": the ids of its tasks have no ranks, as in 1:17";
        }
        otter_error("there is no %s '%s' in this graph%s",
                    request->is_root_a_node ? "node" : "task", request->root, hint);
        return false;
    }
    replace_graph(graph, otter_graph_select(*graph, task, request->depth));
    return true;
}

static void note_findings(const struct otter_fold_findings *findings)
{
    if (findings->n_unordered > 0 || findings->n_split > 0) {
        otter_note(
            "not completely folded: the runtime did not report each iteration of a loop or each "
            "section separately. The order within them is left out, and edges between their tasks "
            "depend on the number of threads");
    }
}

static void fold(const struct otter_labels *labels, struct otter_archive *archive,
                 struct otter_graph **graph)
{
    struct otter_iterations iterations;
    struct otter_fold_findings findings;
    otter_iterations_read(&iterations, archive);
    replace_graph(graph, otter_graph_fold(*graph, labels, &iterations, &findings));
    otter_iterations_finish(&iterations);
    note_findings(&findings);
}

// Folds the graph and selects its root, as requested. Returns false after printing an error.
static bool shape_graph(const struct otter_graph_request *request, struct otter_archive *archive,
                        const struct otter_labels *labels, struct otter_graph **graph)
{
    if (request->wants_fold) {
        fold(labels, archive, graph);
    }
    return !request->root || select_root(request, graph);
}

// ---- the output

static void print_hash(const struct otter_graph_request *request, const struct otter_graph *graph,
                       const struct otter_labels *labels)
{
    struct otter_hash hash;
    char text[OTTER_HASH_TEXT];
    otter_graph_hash(graph, labels, &hash);
    if (request->rank_hash) {
        *request->rank_hash = (struct otter_rank_hash){true, hash};
    } else {
        otter_print(stdout, "%s\n", otter_hash_text(hash, text));
    }
}

static void note_pauses(const struct otter_graph_request *request, bool has_pauses)
{
    if (has_pauses && !request->wants_hash) {
        otter_note("recording was paused: times of constructs that were open include the pauses "
                   "(--view=fragments and otter info exclude them)");
    }
}

// Shapes a graph, and writes it or prints its hash.
static bool finish_graph(const struct otter_graph_request *request, struct otter_archive *archive,
                         struct otter_graph **graph, struct otter_labels *labels, bool has_pauses)
{
    note_pauses(request, has_pauses);
    if (!shape_graph(request, archive, labels, graph)) {
        return false;
    }
    otter_graph_drop_tasks(*graph);
    if (!request->wants_hash) {
        return otter_graph_write(request, archive, *graph, labels, has_pauses);
    }
    print_hash(request, *graph, labels);
    return true;
}

static void announce(struct otter_archive *archive)
{
    otter_announce_memory(archive, OTTER_NEED_OF_GRAPH);
    otter_progress_begin(archive, 1);
}

// Builds the graph of the archive of one process, and writes it or prints its hash.
static bool make_graph(const struct otter_graph_request *request, struct otter_archive *archive,
                       const char *path, struct otter_labels *labels)
{
    struct otter_graph *graph;
    struct otter_build_findings findings;
    struct otter_graph_gaps gaps = {0};
    struct otter_complaint complaint;
    if (!request->rank_hash) {
        announce(archive);
    }
    enum otter_status status =
        otter_graph_build(archive, request->view, &graph, &findings, &complaint);
    if (!request->rank_hash) {
        otter_progress_end(archive);
    }
    if (status) {
        otter_error("%s", complaint.text);
        return false;
    }
    otter_graph_gaps_add(&gaps, archive, &findings);
    otter_graph_gaps_warn(&gaps, path);
    if (!request->wants_hash) {
        otter_kernels_set_lines(graph, labels);
    }
    bool has_pauses = findings.n_pauses > 0 && request->view == OTTER_VIEW_STRUCTURE;
    bool is_done = finish_graph(request, archive, &graph, labels, has_pauses);
    otter_graph_destroy(graph);
    return is_done;
}

static bool graph_archive(struct otter_archive *archive, const struct otter_graph_request *request)
{
    struct otter_labels labels;
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    otter_labels_init(&labels, definitions);
    if (!request->wants_hash) { // depends only on the archive: the program's file may have changed
        otter_lines_resolve(archive, &labels);
    }
    bool is_done = make_graph(request, archive, definitions->folder, &labels);
    otter_labels_finish(&labels);
    return is_done;
}

// ---- all ranks of a merged archive

static bool graph_ranks(struct otter_archive *archive, const struct otter_graph_request *request)
{
    struct otter_job_graph all;
    bool is_whole, has_pauses;
    if (request->wants_fold) {
        otter_error("'--fold-team' folds the graph of one rank: choose one with --rank=N");
        return false;
    }
    bool is_done = otter_rank_graphs_read(&all, archive, request->view, &is_whole, &has_pauses);
    if (is_done) {
        is_done = finish_graph(request, archive, &all.graph, &all.labels, has_pauses) && is_whole;
        otter_graph_destroy(all.graph);
    }
    if (is_done) {
        otter_rank_graphs_note(&all.job);
    }
    otter_job_graph_finish(&all);
    return is_done;
}

struct rank_hash {
    struct otter_rank_hash hash;
    bool is_done;
};

static void hash_rank(const void *user, struct otter_archive *archive, void *result)
{
    struct rank_hash *own = result;
    struct otter_graph_request request = *(const struct otter_graph_request *)user;
    request.rank_hash = &own->hash;
    own->is_done = graph_archive(archive, &request);
}

static bool add_hash(void *user, struct otter_archive *archive, void *result)
{
    struct otter_graph_request *request = user;
    const struct rank_hash *own = result;
    request->rank_hashes[otter_archive_definitions(archive)->rank] = own->hash;
    return own->is_done;
}

static bool hash_ranks(struct otter_archive *archive, struct otter_graph_request *request)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    request->rank_hashes = calloc(definitions->n_ranks, sizeof *request->rank_hashes);
    static const struct otter_rank_steps steps = {
        .size = sizeof(struct rank_hash), .read = hash_rank, .use = add_hash};
    announce(archive);
    uint32_t n_failed = otter_each_rank(archive, &steps, request);
    otter_progress_end(archive);
    otter_rank_hashes_print(definitions, request->rank_hashes);
    free(request->rank_hashes);
    return n_failed == 0;
}

static int run(int argc, char **argv)
{
    struct otter_graph_request request;
    struct otter_archive *archive;
    int status = otter_graph_request_read(&request, argc, argv);
    OTTER_THEN(status, otter_open_argument(argc, argv, request.rank, &archive));
    if (status) {
        return status;
    }
    bool is_done = !otter_has_ranks(archive) ? graph_archive(archive, &request)
                   : request.wants_hash      ? hash_ranks(archive, &request)
                                             : graph_ranks(archive, &request);
    otter_archive_close(archive);
    return is_done ? OTTER_EXIT_OK : OTTER_EXIT_FAILED;
}

const struct otter_command otter_command_graph = {
    .name = "graph",
    .summary = "write the task graph of an archive",
    .print_help = otter_help_graph,
    .run = run,
};
