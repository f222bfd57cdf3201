// Prints and checks the joint graph of the ranks of a text.
#include <inttypes.h>
#include <stdlib.h>

#include "analysis/job/job_links.h"
#include "check/graph.h"
#include "graph/build/build.h"
#include "graph/joint.h"
#include "world.h"

// The definitions of all ranks, one after the other.
struct whole {
    struct otter_definitions definitions;
    struct otter_location locations[MAX_RANKS * MAX_THREADS];
    struct otter_graph_place places[MAX_RANKS * MAX_THREADS];
    struct otter_region regions[MAX_RANKS * MAX_REGIONS];
};

static void add_definitions(struct whole *whole, const struct otter_definitions *definitions,
                            uint32_t rank, struct otter_joint_part *part)
{
    part->n_regions = (uint32_t)definitions->n_regions;
    part->locations = calloc(definitions->n_locations + 1, sizeof *part->locations);
    part->regions = calloc(definitions->n_regions + 1, sizeof *part->regions);
    for (uint32_t i = 0; i < definitions->n_locations; i++) {
        size_t at = whole->definitions.n_locations++;
        part->locations[i] = (uint32_t)at;
        whole->locations[at] = definitions->locations[i];
        whole->places[at] = (struct otter_graph_place){rank, i};
    }
    for (uint32_t i = 0; i < definitions->n_regions; i++) {
        part->regions[i] = (uint32_t)whole->definitions.n_regions;
        whole->regions[whole->definitions.n_regions++] = definitions->regions[i];
    }
}

static bool add_part(const struct world *world, struct otter_job *job, uint32_t i,
                     enum otter_graph_view view, struct otter_joint *joint, struct whole *whole)
{
    const struct otter_definitions *definitions = &world->scenes[i]->definitions;
    struct otter_builder *builder = otter_builder_create(definitions, view);
    struct otter_joint_part part = {.graph = NULL};
    if (!builder || !world_play(world, world->scenes[i], otter_builder_add, builder) ||
        otter_builder_finish(builder, &part.graph, NULL) || !OTTER_VECTOR_RESERVE(&joint->parts)) {
        return false;
    }
    add_definitions(whole, definitions, world->numbers[i], &part);
    part.is_split = calloc(part.graph->n_nodes + 1, sizeof *part.is_split);
    joint->parts.items[joint->parts.n++] = part;
    for (uint32_t k = 0; k < otter_job_calls(job, i)->calls.n; k++) {
        otter_job_calls(job, i)->calls.items[k].node = OTTER_NONE;
    }
    free(
        otter_rank_calls_find_nodes(otter_job_calls(job, i), part.graph, definitions->n_locations));
    return part.is_split != NULL;
}

// ---- output

static void print_node(const struct otter_graph *graph, uint32_t i, uint64_t time)
{
    const struct otter_node *node = &graph->nodes[i];
    if (node->location == OTTER_NO_LOCATION) {
        printf("meeting");
    } else {
        printf("rank %" PRIu32, graph->places[node->location].rank);
    }
    printf(" %s %s at %" PRIu64, otter_node_kind_name(node->kind),
           graph->definitions->regions[node->region].name, time);
}

static void print_edges(const struct otter_graph *graph, const char *view)
{
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        for (uint32_t e = graph->first_edge[i]; e < graph->first_edge[i + 1]; e++) {
            enum otter_edge_kind kind = graph->edge_kind[e];
            uint32_t to = graph->edge_to[e];
            if (kind == OTTER_EDGE_MESSAGE || kind == OTTER_EDGE_COLLECTIVE) {
                printf("%s: %s from ", view, otter_edge_kind_name(kind));
                print_node(graph, i, otter_edge_leaves(&graph->nodes[i], kind));
                printf(" to ");
                print_node(graph, to, otter_edge_arrives(&graph->nodes[to]));
                printf("\n");
            }
        }
    }
}

// `may_lead_back`: only edges between two ranks may lead back in time, since their clocks may
// differ.
static bool check(const struct otter_graph *graph, bool may_lead_back)
{
    struct otter_check_report *report = calloc(1, sizeof *report);
    struct otter_graph_checker checker = {
        .report = report,
        .fragment_time =
            calloc(graph->definitions->n_locations + 1, sizeof *checker.fragment_time)};
    bool is_good = true;
    otter_check_graph(&checker, graph);
    for (unsigned i = 0; is_good && i < OTTER_N_CHECKS; i++) {
        const struct otter_check_result *result = &report->results[i];
        if (otter_check_errors(result) > 0 && (i != OTTER_CHECK_ORDER || !may_lead_back)) {
            printf("check: %s\n", result->deviations[OTTER_QUIRK_NONE].first[0].text);
            is_good = false;
        }
    }
    free(checker.fragment_time);
    free(report);
    return is_good;
}

static bool print_view(const struct world *world, struct otter_job *job, enum otter_graph_view view)
{
    struct whole *whole = calloc(1, sizeof *whole);
    struct otter_joint joint = {.definitions = &whole->definitions, .places = whole->places};
    uint64_t n_nowhere = 0;
    const char *name = view == OTTER_VIEW_STRUCTURE ? "structure" : "fragments";
    whole->definitions.locations = whole->locations;
    whole->definitions.regions = whole->regions;
    bool is_good = true;
    for (uint32_t i = 0; i < world->n && is_good; i++) {
        is_good = add_part(world, job, i, view, &joint, whole);
    }
    is_good = is_good && !otter_job_link(job, &joint, &n_nowhere);
    struct otter_graph *graph = is_good ? otter_graph_join(&joint) : NULL;
    if (graph) {
        printf("\n%s: %" PRIu32 " nodes, %" PRIu32 " edges, %" PRIu64
               " operations without an edge\n",
               name, graph->n_nodes, graph->n_edges, n_nowhere);
        print_edges(graph, name);
    }
    is_good = graph && check(graph, job->unmatched.backwards > 0);
    otter_graph_destroy(graph);
    otter_joint_finish(&joint);
    free(whole);
    return is_good;
}

bool world_print_joint(const struct world *world, struct otter_job *job)
{
    return print_view(world, job, OTTER_VIEW_STRUCTURE) &&
           print_view(world, job, OTTER_VIEW_FRAGMENTS);
}
