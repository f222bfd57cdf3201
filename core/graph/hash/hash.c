// Hashes a graph from the names of its nodes and, for each edge, the names of its two ends.
#include "graph/hash/hash.h"

#include <stdlib.h>

#include "base/free.h"
#include "graph/hash/naming.h"
#include "graph/node.h"
#include "graph/numbers.h"

// Each round breaks one tie in each component. After the last round the remaining ties get
// arbitrary ranks, so equal graphs may have different hashes.
enum { MAX_ROUNDS = 64 };

// The members of a team may reach a barrier from different code, and a runtime may omit an implicit
// barrier. All runs agree only on whether the program's text contains the barrier.
static struct otter_hash of_barrier(const struct otter_graph *graph, uint32_t node)
{
    bool is_explicit = otter_node_construct(graph, node) == OTTER_CONSTRUCT_BARRIER_EXPLICIT;
    return otter_hash_mix_text((struct otter_hash){0, 0},
                               is_explicit ? "explicit barrier" : "barrier");
}

// Hashes a node's kind and label. Flags do not count, because they depend on the schedule: whether
// a task was cancelled, did not end, or was fulfilled in time.
static struct otter_hash of_node(const struct otter_graph *graph, uint32_t i,
                                 const struct otter_hash *regions, size_t n_regions)
{
    const struct otter_node *node = &graph->nodes[i];
    struct otter_hash hash = {0, 0};
    hash = otter_hash_mix_number(hash, node->kind);
    hash = otter_hash_mix_number(hash, otter_node_has_body(node) && node->task != OTTER_NONE
                                           ? graph->tasks[node->task].kind
                                           : OTTER_TASK_KIND_UNKNOWN);
    if (otter_node_is_barrier(graph, i)) {
        return otter_hash_mix(hash, of_barrier(graph, i));
    }
    return node->region < n_regions ? otter_hash_mix(hash, regions[node->region]) : hash;
}

// Sets each name to the hash of the node's kind and label.
static bool name_nodes(const struct otter_graph *graph, const struct otter_labels *labels,
                       struct otter_hash *nodes)
{
    struct otter_hash *regions = calloc(labels->n_regions + 1, sizeof *regions);
    if (regions) {
        for (size_t i = 0; i < labels->n_regions; i++) {
            const struct otter_label *label = &labels->regions[i];
            struct otter_hash what = otter_hash_mix_text((struct otter_hash){0, 0}, label->what);
            regions[i] = otter_hash_mix_text(what, label->where);
        }
        for (uint32_t i = 0; i < graph->n_nodes; i++) {
            nodes[i] = of_node(graph, i, regions, labels->n_regions);
        }
    }
    free(regions);
    return regions != NULL;
}

// ---- names

static void *allocate(const struct otter_graph *graph, size_t size)
{
    return calloc(graph->n_nodes + (size_t)1, size);
}

static bool allocate_names(struct otter_naming *naming)
{
    naming->parents = otter_numbers_create(naming->graph->n_nodes);
    naming->ranks = allocate(naming->graph, sizeof *naming->ranks);
    naming->names = allocate(naming->graph, sizeof *naming->names);
    return naming->parents && naming->ranks && naming->names;
}

static bool allocate_codes(struct otter_naming *naming)
{
    naming->codes = allocate(naming->graph, sizeof *naming->codes);
    naming->sums = allocate(naming->graph, sizeof *naming->sums);
    return naming->codes && naming->sums;
}

static bool break_ties(struct otter_naming *naming)
{
    bool is_final = naming->n_siblings == 0;
    bool is_good = is_final || allocate_codes(naming);
    for (uint32_t round = 1; is_good && !is_final; round++) {
        otter_naming_refine(naming);
        is_good = otter_naming_rank(naming, round == MAX_ROUNDS, &is_final);
        otter_naming_rename(naming);
    }
    return is_good;
}

bool otter_naming_begin(struct otter_naming *naming, const struct otter_labels *labels)
{
    return allocate_names(naming) && otter_naming_build_tree(naming) &&
           name_nodes(naming->graph, labels, naming->names);
}

static bool name_all(struct otter_naming *naming, const struct otter_labels *labels)
{
    if (!otter_naming_begin(naming, labels)) {
        return false;
    }
    otter_naming_rename(naming);
    return otter_naming_list_siblings(naming) && otter_naming_compare_siblings(naming) &&
           break_ties(naming);
}

void otter_naming_finish(struct otter_naming *naming)
{
    OTTER_FREE(naming->order, naming->parents, naming->ranks, naming->names, naming->codes,
               naming->sums, naming->siblings);
}

// ---- from names to hashes

static void sum_up(const struct otter_naming *naming, struct otter_hash *units)
{
    const struct otter_graph *graph = naming->graph;
    for (uint32_t from = 0; from < graph->n_nodes; from++) {
        uint32_t unit = naming->units ? naming->units[from] : 0;
        if (unit >= naming->n_units) {
            continue;
        }
        struct otter_hash sum = otter_hash_add(units[unit], naming->names[from]);
        for (uint32_t e = graph->first_edge[from]; e < graph->first_edge[from + 1]; e++) {
            uint32_t to = graph->edge_to[e];
            if (otter_naming_is_inside(naming, from, to)) {
                struct otter_hash edge =
                    otter_hash_mix_number(naming->names[from], graph->edge_kind[e]);
                sum = otter_hash_add(sum, otter_hash_mix(edge, naming->names[to]));
            }
        }
        units[unit] = sum;
    }
}

struct otter_hash *otter_graph_unit_hashes(const struct otter_graph *graph,
                                           const struct otter_labels *labels, const uint32_t *units,
                                           uint32_t n_units)
{
    struct otter_naming naming = {.graph = graph, .units = units, .n_units = n_units};
    struct otter_hash *hashes = calloc(n_units + (size_t)1, sizeof *hashes);
    if (hashes && name_all(&naming, labels)) {
        sum_up(&naming, hashes);
    } else {
        free(hashes);
        hashes = NULL;
    }
    otter_naming_finish(&naming);
    return hashes;
}

bool otter_graph_hash(const struct otter_graph *graph, const struct otter_labels *labels,
                      struct otter_hash *hash)
{
    struct otter_hash *unit = otter_graph_unit_hashes(graph, labels, NULL, 1);
    if (!unit) {
        return false;
    }
    *hash = otter_hash_mix_number(
        otter_hash_mix_number(otter_hash_mix(*unit, (struct otter_hash){0, 0}), graph->n_nodes),
        graph->n_edges);
    free(unit);
    return true;
}
