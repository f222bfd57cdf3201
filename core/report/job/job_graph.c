// Builds one task graph of all ranks of a merged archive.
#include "report/job/job_graph.h"

#include <stdlib.h>

#include "analysis/job/job_links.h"
#include "base/free.h"
#include "graph/kernel.h"
#include "graph/numbers.h"
#include "source/lines.h"
#include "analysis/findings/read.h"

// ---- numbers in the whole archive

// The locations of a rank are in the order of the whole archive.
static void find_locations(const struct otter_job_graph *all,
                           const struct otter_definitions *definitions, uint32_t rank,
                           struct otter_joint_part *part)
{
    size_t at = 0;
    part->locations = calloc(definitions->n_locations + 1, sizeof *part->locations);
    for (size_t i = 0; i < definitions->n_locations; i++) {
        while (at < all->n_locations && all->files[at] != definitions->locations[i].file) {
            at++;
        }
        part->locations[i] = at < all->n_locations ? (uint32_t)at : OTTER_NO_LOCATION;
        if (at < all->n_locations) {
            all->places[at] = (struct otter_graph_place){rank, (uint32_t)i};
        }
    }
}

static void find_regions(const struct otter_job_graph *all,
                         const struct otter_definitions *definitions, struct otter_joint_part *part)
{
    part->n_regions = (uint32_t)definitions->n_regions;
    part->regions = otter_numbers_create(definitions->n_regions);
    for (uint32_t i = 0; i < part->n_regions; i++) {
        uint32_t shared = definitions->regions[i].shared;
        part->regions[i] = shared < all->n_regions ? shared : OTTER_NONE;
    }
}

// ---- labels

// Ranks of one program have the same regions, so most ranks add no labels.
static bool has_new_regions(const struct otter_job_graph *all, const struct otter_joint_part *part)
{
    for (uint32_t i = 0; i < part->n_regions; i++) {
        if (part->regions[i] != OTTER_NONE && !all->has_label[part->regions[i]]) {
            return true;
        }
    }
    return false;
}

static void add_labels(struct otter_job_graph *all, const struct otter_archive *archive,
                       const struct otter_joint_part *part)
{
    struct otter_labels labels;
    if (!has_new_regions(all, part)) {
        return;
    }
    otter_labels_init(&labels, otter_archive_definitions(archive));
    otter_lines_resolve(archive, &labels);
    otter_kernels_set_lines(part->graph, &labels);
    for (uint32_t i = 0; i < part->n_regions; i++) {
        uint32_t shared = part->regions[i];
        if (shared != OTTER_NONE && !all->has_label[shared]) {
            otter_labels_set(&all->labels, shared, otter_label_of(&labels, i));
            all->has_label[shared] = true;
        }
    }
    otter_labels_finish(&labels);
}

// ---- one rank

enum otter_status otter_rank_graph_read(struct otter_rank_graph *rank,
                                        struct otter_archive *archive, enum otter_graph_view view,
                                        struct otter_build_findings *findings,
                                        struct otter_complaint *complaint)
{
    struct otter_joint_part *part = &rank->part;
    *rank = (struct otter_rank_graph){.calls = {.last = OTTER_NONE}};
    enum otter_status status = otter_graph_build(archive, view, &part->graph, findings, complaint);
    if (status) {
        return status;
    }
    part->is_split = calloc((size_t)part->graph->n_nodes + 1, sizeof *part->is_split);
    otter_rank_calls_read(&rank->calls, archive);
    free(otter_rank_calls_find_nodes(&rank->calls, part->graph,
                                     otter_archive_definitions(archive)->n_locations));
    return OTTER_OK;
}

void otter_rank_graph_finish(struct otter_rank_graph *rank)
{
    otter_joint_part_finish(&rank->part);
    otter_rank_calls_finish(&rank->calls);
}

void otter_job_graph_add(struct otter_job_graph *all, const struct otter_archive *archive,
                         struct otter_rank_graph *rank)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    uint32_t number = definitions->ranks[definitions->rank].number;
    find_locations(all, definitions, number, &rank->part);
    find_regions(all, definitions, &rank->part);
    add_labels(all, archive, &rank->part);
    otter_job_add(&all->job, number, definitions->rank, &rank->calls);
    OTTER_VECTOR_APPEND(&all->joint.parts, rank->part);
    rank->part = (struct otter_joint_part){.graph = NULL};
}

// ---- all ranks

void otter_job_graph_begin(struct otter_job_graph *all, const struct otter_archive *archive,
                           enum otter_graph_view view)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    size_t n = definitions->n_locations;
    *all = (struct otter_job_graph){.view = view,
                                    .places = calloc(n + 1, sizeof *all->places),
                                    .n_locations = n,
                                    .n_regions = definitions->n_regions,
                                    .files = calloc(n + 1, sizeof *all->files),
                                    .has_label =
                                        calloc(definitions->n_regions + 1, sizeof *all->has_label)};
    for (size_t i = 0; i < n; i++) {
        all->files[i] = definitions->locations[i].file;
    }
    otter_labels_init_unknown(&all->labels, definitions->n_regions);
}

static uint32_t count_backwards(const struct otter_graph *graph)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        for (uint32_t e = graph->first_edge[i]; e < graph->first_edge[i + 1]; e++) {
            enum otter_edge_kind kind = (enum otter_edge_kind)graph->edge_kind[e];
            n += (kind == OTTER_EDGE_MESSAGE || kind == OTTER_EDGE_COLLECTIVE) &&
                 otter_edge_leaves(&graph->nodes[i], kind) >
                     otter_edge_arrives(&graph->nodes[graph->edge_to[e]]);
        }
    }
    return n;
}

bool otter_job_graph_end(struct otter_job_graph *all, const struct otter_archive *archive)
{
    uint32_t n_ranks = (uint32_t)otter_archive_number(archive, "OTTER::RANKS");
    all->joint.definitions = otter_archive_definitions(archive);
    all->joint.places = all->places;
    otter_job_match(&all->job, n_ranks);
    otter_job_link(&all->job, &all->joint, &all->gaps.n_nowhere);
    all->graph = otter_graph_join(&all->joint);
    otter_joint_finish(&all->joint);
    all->gaps.unmatched = all->job.unmatched;
    all->gaps.n_partial = all->job.n_partial;
    all->gaps.n_backwards = all->graph ? count_backwards(all->graph) : 0;
    return all->graph != NULL;
}

void otter_job_graph_finish(struct otter_job_graph *all)
{
    otter_labels_finish(&all->labels);
    otter_joint_finish(&all->joint);
    otter_job_finish(&all->job);
    OTTER_FREE(all->places, all->files, all->has_label);
    *all = (struct otter_job_graph){.graph = NULL};
}
