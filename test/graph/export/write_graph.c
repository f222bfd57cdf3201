// Writes a graph made by formula in every format, with all nodes and grouped: write_graph SHAPE
// SIZE FOLDER.
//
// Shapes:
// - chain: tasks, each created by its predecessor
// - fork: a task that creates all others, and a taskwait
// - random: edges of all kinds from lower to higher nodes
// - hostile: labels of any bytes
// - framed: nested Kokkos regions with such labels, and a kernel in each
// - fragments: a chain of fragments
// - empty
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/export/export.h"
#include "small_graph.h"

#define TEN_TIMES(text) text text text text text text text text text text

// Names of Kokkos kernels; the last is not UTF-8.
static const char *const hostile_names[] = {
    TEN_TIMES(TEN_TIMES(TEN_TIMES("long\n\"µ\""))),
    "plain",
    "a \"quoted\" one",
    "comma, semicolon; tab\t",
    "line\nbreak\r\n",
    "<b>&amp;</b>",
    "back\\slash \\N",
    "]]>",
    "Größe µs 🦦",
    " spaces ",
    "=1+1",
    "{record|field}",
    "\x01\x1b[31m",
    "-1",
    "+1",
    "@SUM(1)",
    "\t=1",
    "\r=1",
    "a;=1",
    "\xc2\x9b"
    "31m \xc2\x85 \x7f",
    "\xe2\x80\xae reversed \xe2\x80\x8f\xe2\x81\xa6\xd8\x9c",
    "\xe2\x80\xa8 line \xef\xbb\xbf",
    "none \xef\xbf\xbe \xef\xbf\xbf",
    "\xff\xfe no UTF-8",
};

enum { N_HOSTILE = sizeof hostile_names / sizeof *hostile_names };

static uint32_t add_task(struct small_graph *small, enum otter_node_kind kind, uint32_t creator,
                         uint32_t region)
{
    uint32_t task =
        small_graph_task(small, OTTER_TASK_KIND_EXPLICIT, creator, small->graph.n_tasks + 1);
    return small_graph_node(small, kind, task, region);
}

static void make_chain(struct small_graph *small, enum otter_node_kind kind, uint32_t size)
{
    uint32_t region =
        small_graph_region(small, OTTER_CONSTRUCT_TASK, "!$omp task @a+0x1", "!$omp task");
    for (uint32_t i = 0; i < size; i++) {
        add_task(small, kind, i ? i - 1 : OTTER_NONE, region);
        if (i > 0) {
            small_graph_edge(small, i - 1, i, OTTER_EDGE_CREATION);
        }
    }
}

static void make_fork(struct small_graph *small, uint32_t size)
{
    uint32_t region =
        small_graph_region(small, OTTER_CONSTRUCT_TASK, "!$omp task @a+0x1", "!$omp task");
    uint32_t waiting = small_graph_region(small, OTTER_CONSTRUCT_TASKWAIT, "!$omp taskwait @a+0x2",
                                          "!$omp taskwait");
    uint32_t creator = add_task(small, OTTER_NODE_TASK, OTTER_NONE, region);
    uint32_t wait = small_graph_node(small, OTTER_NODE_SYNC, 0, waiting);
    for (uint32_t i = 0; i < size; i++) {
        uint32_t child = add_task(small, OTTER_NODE_TASK, 0, region);
        small_graph_edge(small, creator, child, OTTER_EDGE_CREATION);
        small_graph_edge(small, child, wait, OTTER_EDGE_JOIN);
    }
}

static void make_random(struct small_graph *small, uint32_t size)
{
    uint32_t region =
        small_graph_region(small, OTTER_CONSTRUCT_TASK, "!$omp task @a+0x1", "!$omp task");
    uint64_t state = size;
    for (uint32_t i = 0; i < size; i++) {
        add_task(small, OTTER_NODE_TASK, OTTER_NONE, region);
        small->graph.nodes[i].flags = (uint8_t)(i % 32);
        for (unsigned e = 0; e < 3 && i > 0; e++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            uint32_t from = (uint32_t)((state >> 33) % i);
            small_graph_edge(small, from, i,
                             (enum otter_edge_kind)(1 + (state >> 20) % (OTTER_N_EDGE_KINDS - 1)));
        }
    }
}

static void make_hostile(struct small_graph *small)
{
    for (uint32_t i = 0; i < N_HOSTILE; i++) {
        uint32_t region = small_graph_region(small, OTTER_CONSTRUCT_KOKKOS_FOR, hostile_names[i],
                                             hostile_names[i]);
        add_task(small, OTTER_NODE_BEGIN, OTTER_NONE, region);
        if (i > 0) {
            small_graph_edge(small, i - 1, i, OTTER_EDGE_ORDER);
        }
    }
}

// A node in the scope that `begin` begins.
static uint32_t add_step(struct small_graph *small, enum otter_node_kind kind, uint32_t begin,
                         uint32_t region)
{
    uint32_t node = small_graph_node(small, kind, 0, region);
    small->graph.nodes[node].scope = begin;
    if (node > 0) {
        small_graph_edge(small, node - 1, node, OTTER_EDGE_ORDER);
    }
    return node;
}

static void make_framed(struct small_graph *small)
{
    uint32_t kernel = small_graph_region(small, OTTER_CONSTRUCT_KOKKOS_REDUCE, hostile_names[1],
                                         hostile_names[1]);
    uint32_t begins[N_HOSTILE], scope = OTTER_NONE;
    small_graph_task(small, OTTER_TASK_KIND_INITIAL, OTTER_NONE, 0);
    for (uint32_t i = 0; i < N_HOSTILE; i++) {
        uint32_t region = small_graph_region(small, OTTER_CONSTRUCT_KOKKOS_REGION, hostile_names[i],
                                             hostile_names[i]);
        scope = begins[i] = add_step(small, OTTER_NODE_BEGIN, scope, region);
        uint32_t begin = add_step(small, OTTER_NODE_BEGIN, scope, kernel);
        add_step(small, OTTER_NODE_END, begin, kernel);
    }
    for (uint32_t i = N_HOSTILE; i-- > 0;) {
        add_step(small, OTTER_NODE_END, begins[i], small->graph.nodes[begins[i]].region);
    }
}

static bool make(struct small_graph *small, const char *shape, uint32_t size)
{
    small->graph.view =
        strcmp(shape, "fragments") == 0 ? OTTER_VIEW_FRAGMENTS : OTTER_VIEW_STRUCTURE;
    if (strcmp(shape, "chain") == 0) {
        make_chain(small, OTTER_NODE_TASK, size);
    } else if (strcmp(shape, "fragments") == 0) {
        make_chain(small, OTTER_NODE_FRAGMENT, size);
    } else if (strcmp(shape, "fork") == 0) {
        make_fork(small, size);
    } else if (strcmp(shape, "random") == 0) {
        make_random(small, size);
    } else if (strcmp(shape, "hostile") == 0) {
        make_hostile(small);
    } else if (strcmp(shape, "framed") == 0) {
        make_framed(small);
    } else if (strcmp(shape, "empty") != 0) {
        return false;
    }
    small_graph_seal(small);
    return true;
}

static bool write(const struct otter_export *what, const char *format, const char *folder,
                  const char *name)
{
    const struct otter_exporter *exporter = otter_exporter_find(format);
    struct otter_complaint complaint;
    char path[4096];
    snprintf(path, sizeof path, "%s/%s%s", folder, name, exporter->ending);
    if (otter_export_write(exporter, what, path, &complaint)) {
        fprintf(stderr, "%s\n", complaint.text);
        return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    static const char *const formats[] = {"dot", "csv", "json", "graphml"};
    struct small_graph small;
    struct otter_labels labels;
    uint32_t size = argc > 2 ? (uint32_t)atoi(argv[2]) : 0;
    small_graph_init(&small, size + 4 * N_HOSTILE + 2, size + N_HOSTILE + 2);
    if (argc != 4 || !make(&small, argv[1], size) ||
        otter_labels_init(&labels, &small.definitions)) {
        fprintf(stderr, "usage: write_graph SHAPE SIZE FOLDER\n");
        return 2;
    }
    struct otter_groups *groups = otter_groups_create(&small.graph, &labels);
    struct otter_export what = {
        .graph = &small.graph, .labels = &labels, .title = hostile_names[5]};
    bool is_written = write(&what, "nodeattr", argv[3], "nodeattr");
    for (unsigned i = 0; i < 4; i++) {
        what.groups = NULL;
        is_written = is_written && write(&what, formats[i], argv[3], "graph");
        what.groups = groups;
        is_written = is_written && write(&what, formats[i], argv[3], "grouped");
    }
    otter_groups_destroy(groups);
    otter_labels_finish(&labels);
    small_graph_finish(&small);
    return is_written ? 0 : 1;
}
