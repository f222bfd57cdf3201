// Compares the task graphs of two archives.
#include "report/diff/diff_structure.h"

#include <stdio.h>

#include "base/text/utf8.h"
#include "graph/build/build.h"
#include "graph/fold/fold.h"
#include "graph/hash/difference.h"
#include "graph/hash/hash.h"
#include "graph/tasks.h"
#include "report/form/analysis.h"
#include "source/lines.h"

enum { NODE_SIZE = 320, MAX_CREATORS = 3 };

// Copies the labels of an archive, with their texts replaced by names.
static void name_labels(const struct otter_labels *labels, const struct otter_diff_labels *names,
                        struct otter_labels *named)
{
    char text[OTTER_LABEL_SIZE];
    *named = (struct otter_labels){.n_regions = labels->n_regions};
    named->regions = calloc(labels->n_regions + 1, sizeof *named->regions);
    for (size_t i = 0; i < labels->n_regions; i++) {
        otter_label_text(&labels->regions[i], text, sizeof text);
        const char *name = otter_diff_labels_name(names, text);
        named->regions[i] =
            (struct otter_label){.what = name == text ? labels->regions[i].what : name,
                                 .where = "",
                                 .function = "",
                                 .file = ""};
    }
}

static uint32_t count_tasks(const struct otter_graph *graph)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < graph->n_tasks; i++) {
        n += graph->tasks[i].number > 0;
    }
    return n;
}

static struct otter_graph *fold(const struct otter_graph *graph, const struct otter_labels *named,
                                struct otter_archive *archive, bool *is_in_full)
{
    struct otter_iterations iterations;
    struct otter_fold_findings findings = {0};
    otter_iterations_read(&iterations, archive);
    struct otter_graph *folded = otter_graph_fold(graph, named, &iterations, &findings);
    otter_iterations_finish(&iterations);
    *is_in_full = findings.n_unordered == 0 && findings.n_split == 0;
    otter_graph_drop_tasks(folded);
    return folded;
}

// Hashes the graph, unfolded and folded. Graphs that are equal unfolded are also equal folded.
static void hash_both(const struct otter_graph *graph, const struct otter_labels *named,
                      struct otter_archive *archive, const struct otter_diff_structure *reference,
                      struct otter_diff_structure *structure)
{
    otter_graph_hash(graph, named, &structure->unfolded);
    if (reference && otter_hash_is_equal(reference->unfolded, structure->unfolded)) {
        structure->folded = reference->folded;
        structure->is_folded_in_full = reference->is_folded_in_full;
        return;
    }
    struct otter_graph *folded = fold(graph, named, archive, &structure->is_folded_in_full);
    otter_graph_hash(folded, named, &structure->folded);
    otter_graph_destroy(folded);
}

enum otter_status otter_diff_structure_read(struct otter_archive *archive,
                                            const struct otter_labels *labels,
                                            const struct otter_diff_labels *names,
                                            const struct otter_diff_structure *reference,
                                            struct otter_diff_structure *structure,
                                            struct otter_complaint *complaint)
{
    struct otter_labels named;
    struct otter_graph *graph = NULL;
    name_labels(labels, names, &named);
    enum otter_status status =
        otter_graph_build(archive, OTTER_VIEW_STRUCTURE, &graph, NULL, complaint);
    if (!status) {
        structure->n_tasks = count_tasks(graph);
        hash_both(graph, &named, archive, reference, structure);
        otter_graph_destroy(graph);
    }
    free(named.regions);
    return status;
}

// ---- the first difference

struct side {
    struct otter_archive *archive;
    struct otter_labels labels, named;
    struct otter_graph *graph; // folded
    const char *name, *place;  // "before" and "before", or "rank 3" and "in rank 3"
    char place_text[32];
};

static enum otter_status build(struct side *side, const struct otter_diff_run *run,
                               struct otter_complaint *complaint)
{
    bool ignored;
    struct otter_graph *graph;
    otter_labels_init(&side->labels, otter_archive_definitions(side->archive));
    otter_lines_resolve(side->archive, &side->labels);
    name_labels(&side->labels, &run->labels, &side->named);
    enum otter_status status =
        otter_graph_build(side->archive, OTTER_VIEW_STRUCTURE, &graph, NULL, complaint);
    if (status) {
        return status;
    }
    side->graph = fold(graph, &side->named, side->archive, &ignored);
    otter_graph_destroy(graph);
    return OTTER_OK;
}

static enum otter_status open_side(struct side *side, const struct otter_diff_run *run,
                                   struct otter_complaint *complaint)
{
    enum otter_status status = otter_archive_open(run->path, &side->archive, complaint);
    return status ? status : build(side, run, complaint);
}

static void close_side(struct side *side)
{
    otter_graph_destroy(side->graph);
    free(side->named.regions);
    otter_labels_finish(&side->labels);
    if (side->archive) {
        otter_archive_close(side->archive);
    }
}

// "task fib.c:12 (1:5)"
static const char *node_text(const struct side *side, uint32_t node, char text[NODE_SIZE])
{
    char label[OTTER_LABEL_SIZE];
    const struct otter_node *item = &side->graph->nodes[node];
    const struct otter_graph_task *task =
        item->task == OTTER_NONE ? NULL : &side->graph->tasks[item->task];
    bool has_id = task && task->number > 0 && task->first_node == node;
    const char *part = item->kind == OTTER_NODE_END ? "the end of " : "";
    if (item->region == OTTER_NONE) {
        snprintf(label, sizeof label, "code outside of OpenMP");
    } else {
        otter_label_text(otter_label_of(&side->labels, item->region), label, sizeof label);
    }
    int length = snprintf(text, NODE_SIZE, "%s%s", part, label);
    if (has_id && length < NODE_SIZE) {
        snprintf(text + length, NODE_SIZE - (size_t)length, " (%u:%u)", (unsigned)task->location,
                 (unsigned)task->number);
    }
    return text;
}

// Writes the task of a node and its creators: "task fib.c:12 (1:5) < task fib.c:12 (1:1) < ..."
static void path_text(const struct side *side, uint32_t node, char *text, size_t size)
{
    char name[NODE_SIZE];
    const struct otter_graph *graph = side->graph;
    uint32_t task = node == OTTER_NONE ? OTTER_NONE : graph->nodes[node].task;
    size_t used = 0;
    *text = '\0';
    for (unsigned n = 0; task != OTTER_NONE && used < size; n++) {
        uint32_t first = graph->tasks[task].first_node;
        if (n == 0 && first != OTTER_NONE && graph->nodes[first].region == OTTER_NONE) {
            return; // the program's own code has no name
        }
        if (first == OTTER_NONE || n > MAX_CREATORS) {
            snprintf(text + used, size - used, ", and so on");
            return;
        }
        used += (size_t)snprintf(text + used, size - used, "%s%s", n ? ", created by " : "",
                                 node_text(side, first, name));
        task = graph->tasks[task].creator;
    }
}

// Returns the first node of the task that created the node's task, or OTTER_NONE.
static uint32_t creator_of(const struct side *side, uint32_t node)
{
    const struct otter_graph *graph = side->graph;
    uint32_t task = graph->nodes[node].task;
    uint32_t creator = task == OTTER_NONE ? OTTER_NONE : graph->tasks[task].creator;
    return creator == OTTER_NONE ? OTTER_NONE : graph->tasks[creator].first_node;
}

static void name_sides(struct side *sides, const char *const *ranks)
{
    static const char *const names[2] = {"before", "after"};
    for (int i = 0; i < 2; i++) {
        snprintf(sides[i].place_text, sizeof sides[i].place_text, "in %s", ranks ? ranks[i] : "");
        sides[i].name = ranks ? ranks[i] : names[i];
        sides[i].place = ranks ? sides[i].place_text : names[i];
    }
}

static bool is_task(const struct side *side, uint32_t node)
{
    return node != OTTER_NONE && side->graph->nodes[node].kind == OTTER_NODE_TASK;
}

static void write_node(const struct side *sides, const struct otter_difference *difference,
                       char *text)
{
    char before[NODE_SIZE], after[NODE_SIZE];
    const uint32_t *nodes = difference->nodes;
    size_t used;
    if (nodes[0] != OTTER_NONE && nodes[1] != OTTER_NONE) {
        used = (size_t)snprintf(text, OTTER_DIFF_PLACE, "%s has %s, %s has %s", sides[0].name,
                                node_text(&sides[0], nodes[0], before), sides[1].name,
                                node_text(&sides[1], nodes[1], after));
    } else {
        unsigned has = nodes[0] == OTTER_NONE;
        used = (size_t)snprintf(text, OTTER_DIFF_PLACE, "only %s has %s", sides[has].name,
                                node_text(&sides[has], nodes[has], before));
    }
    bool has_tasks = difference->n_tasks[0] > 0 || difference->n_tasks[1] > 0;
    if (has_tasks && used < OTTER_DIFF_PLACE &&
        (is_task(&sides[0], nodes[0]) || is_task(&sides[1], nodes[1]))) {
        snprintf(text + used, OTTER_DIFF_PLACE - used, " (tasks created here: %u %s, %u %s)",
                 difference->n_tasks[0], sides[0].place, difference->n_tasks[1], sides[1].place);
    }
}

static void write_edge(const struct side *sides, const struct otter_difference *difference,
                       char *text)
{
    char from[NODE_SIZE], to[NODE_SIZE];
    unsigned has = difference->targets[0] == OTTER_NONE;
    snprintf(text, OTTER_DIFF_PLACE, "only %s has the %s edge from %s to %s", sides[has].name,
             otter_edge_kind_name((enum otter_edge_kind)difference->edge_kind),
             node_text(&sides[has], difference->nodes[has], from),
             node_text(&sides[has], difference->targets[has], to));
}

static void write_place(const struct side *sides, const struct otter_difference *difference,
                        char text[OTTER_DIFF_PLACE])
{
    char path[OTTER_DIFF_PLACE], what[OTTER_DIFF_PLACE];
    bool is_edge = difference->kind == OTTER_DIFFERENCE_EDGE;
    if (is_edge) {
        write_edge(sides, difference, what);
    } else {
        write_node(sides, difference, what);
    }
    uint32_t place = is_edge ? creator_of(&sides[0], difference->nodes[0]) : difference->parents[0];
    path_text(&sides[0], place, path, sizeof path);
    snprintf(text, OTTER_DIFF_PLACE, "%.*s%s%.*s", OTTER_UTF8_CUT(what, 600), *path ? "; in " : "",
             OTTER_UTF8_CUT(path, 400));
}

enum otter_status otter_diff_structure_place(const struct otter_diff_run *before,
                                             const struct otter_diff_run *after,
                                             const char *const *ranks, char text[OTTER_DIFF_PLACE],
                                             struct otter_complaint *complaint)
{
    struct side sides[2] = {{0}};
    struct otter_difference difference;
    *text = '\0';
    name_sides(sides, ranks);
    enum otter_status status = open_side(&sides[0], before, complaint);
    OTTER_THEN(status, open_side(&sides[1], after, complaint));
    if (!status) {
        const struct otter_graph *const graphs[2] = {sides[0].graph, sides[1].graph};
        const struct otter_labels *const labels[2] = {&sides[0].named, &sides[1].named};
        otter_graph_differ(graphs, labels, &difference);
        if (difference.kind != OTTER_DIFFERENCE_NONE) {
            write_place(sides, &difference, text);
        }
    }
    close_side(&sides[0]);
    close_side(&sides[1]);
    return status;
}
