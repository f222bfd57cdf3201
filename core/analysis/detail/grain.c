// Sums up the work below each task of a recursion.
#include "analysis/detail/grain.h"

#include <stdlib.h>

#include "base/free.h"

// of a construct, relative to a given one
enum side { SIDE_BELOW = 1, SIDE_ABOVE = 2, SIDE_BOTH = 3 };

struct level {              // the tasks at one depth of the recursion
    uint64_t total, own, n; // sum of `below`, sum of own work, and number of tasks
};

struct sums {
    const struct otter_analysis *analysis;
    // of each task: its work and its descendants' work, without the runtime's share
    uint64_t *below;
    uint32_t *depths;     // of each task of the recursion: its depth in the recursion
    unsigned char *sides; // of each region, enum side
    bool *has_tasks;      // of each task: whether it creates tasks of the recursion
    struct level *levels; // by depth
    uint32_t n_levels;
    uint64_t largest; // of `below`, in the recursion
};

static bool begins_task(const struct otter_graph *graph, uint32_t node)
{
    uint32_t task = graph->nodes[node].task;
    return task < graph->n_tasks && graph->tasks[task].first_node == node;
}

// A task begins after its creator, and before its descendants.
static void add_descendants(struct sums *sums, uint64_t overhead)
{
    const struct otter_analysis *analysis = sums->analysis;
    const struct otter_graph *graph = analysis->graph;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        if (otter_node_is_piece(&graph->nodes[i]) && graph->nodes[i].task < graph->n_tasks) {
            uint64_t work = otter_node_work(graph, &analysis->pieces, &analysis->costs, i);
            sums->below[graph->nodes[i].task] += work > overhead ? work - overhead : 0;
        }
    }
    for (uint32_t i = analysis->ready.n_order; i-- > 0;) {
        uint32_t task = graph->nodes[analysis->ready.order[i]].task;
        uint32_t creator = graph->tasks[task].creator;
        if (begins_task(graph, analysis->ready.order[i]) && creator != OTTER_NONE) {
            sums->below[creator] += sums->below[task];
        }
    }
}

static uint32_t region_of(const struct sums *sums, uint32_t task)
{
    const struct otter_graph *graph = sums->analysis->graph;
    uint32_t node = task != OTTER_NONE ? graph->tasks[task].first_node : OTTER_NONE;
    bool is_explicit = node != OTTER_NONE && graph->tasks[task].kind == OTTER_TASK_KIND_EXPLICIT;
    uint32_t region = is_explicit ? graph->nodes[node].region : OTTER_NONE;
    return region < graph->definitions->n_regions ? region : OTTER_NONE;
}

// Marks each construct below or above the marked ones. Returns whether it marked any.
static bool spread(struct sums *sums)
{
    const struct otter_graph *graph = sums->analysis->graph;
    bool has_more = false;
    for (uint32_t i = 0; i < graph->n_tasks; i++) {
        uint32_t region = region_of(sums, i), above = region_of(sums, graph->tasks[i].creator);
        if (region != OTTER_NONE && above != OTTER_NONE) {
            unsigned char below = sums->sides[above] & SIDE_BELOW;
            unsigned char on_top = sums->sides[region] & SIDE_ABOVE;
            has_more |= (sums->sides[region] | below) != sums->sides[region] ||
                        (sums->sides[above] | on_top) != sums->sides[above];
            sums->sides[region] |= below;
            sums->sides[above] |= on_top;
        }
    }
    return has_more;
}

static bool is_in_recursion(const struct sums *sums, uint32_t task)
{
    uint32_t region = region_of(sums, task);
    return region != OTTER_NONE && sums->sides[region] == SIDE_BOTH;
}

// Marks the constructs whose tasks create each other.
static void mark_recursion(struct sums *sums, uint32_t region)
{
    sums->sides[region] = SIDE_BOTH;
    while (spread(sums)) {
    }
}

// Returns the part of each piece that belongs to the runtime and therefore disappears with the
// task. In a recursion, half of the tasks may consist of nothing else.
static uint64_t overhead_of(const struct sums *sums)
{
    const struct otter_analysis *analysis = sums->analysis;
    uint64_t most = 2 * (analysis->costs.creation + analysis->costs.scheduling);
    for (uint32_t i = 0; i < analysis->tasks.n; i++) {
        const struct otter_task_use *use = &analysis->tasks.items[i];
        bool is_one =
            use->region < analysis->definitions->n_regions && sums->sides[use->region] == SIDE_BOTH;
        most = is_one && use->median < most ? use->median : most;
    }
    return most;
}

// Returns whether tasks of the recursion create several of its tasks on average, unlike a chain.
static bool is_tree(const struct sums *sums)
{
    uint64_t n_nested = 0, n_creators = 0;
    for (uint32_t i = 1; i < sums->n_levels; i++) {
        n_nested += sums->levels[i].n;
    }
    for (uint32_t i = 0; i < sums->analysis->graph->n_tasks; i++) {
        n_creators += sums->has_tasks[i];
    }
    return n_nested > 0 && 2 * n_nested >= 3 * n_creators;
}

static void add_depths(struct sums *sums)
{
    const struct otter_analysis *analysis = sums->analysis;
    const struct otter_graph *graph = analysis->graph;
    for (uint32_t i = 0; i < analysis->ready.n_order; i++) {
        uint32_t node = analysis->ready.order[i], task = graph->nodes[node].task;
        if (!begins_task(graph, node) || !is_in_recursion(sums, task)) {
            continue;
        }
        uint32_t creator = graph->tasks[task].creator;
        bool is_nested = is_in_recursion(sums, creator);
        uint32_t depth = is_nested ? sums->depths[creator] + 1 : 0;
        if (is_nested) {
            sums->has_tasks[creator] = true;
        }
        sums->largest = sums->below[task] > sums->largest ? sums->below[task] : sums->largest;
        sums->depths[task] = depth;
        sums->levels[depth].total += sums->below[task];
        sums->levels[depth].n++;
        sums->n_levels = depth + 1 > sums->n_levels ? depth + 1 : sums->n_levels;
    }
}

static void add_own_work(struct sums *sums)
{
    const struct otter_analysis *analysis = sums->analysis;
    const struct otter_graph *graph = analysis->graph;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        uint32_t task = graph->nodes[i].task;
        if (otter_node_is_piece(&graph->nodes[i]) && is_in_recursion(sums, task)) {
            sums->levels[sums->depths[task]].own +=
                otter_node_work(graph, &analysis->pieces, &analysis->costs, i);
        }
    }
}

// Tasks above the cut-off keep their own work; those at the cut-off execute everything below them.
static void choose(const struct sums *sums, uint64_t enough, struct otter_grain *grain)
{
    uint64_t above = 0, n_tasks = 0;
    grain->is_tree = is_tree(sums);
    for (uint32_t i = 0; i < sums->n_levels; i++) {
        const struct level *level = &sums->levels[i];
        grain->is_tree |= level->n > sums->levels[0].n; // not a chain of tasks
        n_tasks += level->n;
        if ((above + level->total) / n_tasks >= enough) {
            grain->depth = i;
            grain->inclusive = level->total / level->n;
        }
        above += level->own;
    }
    if (!grain->is_tree || sums->n_levels < 2) {
        grain->depth = OTTER_NONE;
    } else if (grain->depth == OTTER_NONE) {
        grain->inclusive = sums->levels[0].total / sums->levels[0].n;
        grain->largest = sums->largest >= enough ? sums->largest : 0;
    }
}

// Returns how many tasks of the construct one wait joins on average.
static uint64_t batch_of(const struct sums *sums, uint32_t region, unsigned char *is_join)
{
    const struct otter_graph *graph = sums->analysis->graph;
    uint64_t n = 0, n_joins = 0;
    for (uint32_t i = 0; i < graph->n_tasks; i++) {
        uint32_t last = region_of(sums, i) == region ? graph->tasks[i].last_node : OTTER_NONE;
        n += region_of(sums, i) == region;
        for (uint32_t e = last != OTTER_NONE ? graph->first_edge[last] : 0;
             last != OTTER_NONE && e < graph->first_edge[last + 1]; e++) {
            unsigned char *place = &is_join[graph->edge_to[e]];
            n_joins += graph->edge_kind[e] == OTTER_EDGE_JOIN && !*place;
            *place |= graph->edge_kind[e] == OTTER_EDGE_JOIN;
        }
    }
    return n_joins ? n / n_joins : n;
}

static bool allocate(struct sums *sums, const struct otter_analysis *analysis)
{
    size_t n = analysis->graph->n_tasks + (size_t)1;
    *sums = (struct sums){.analysis = analysis,
                          .below = calloc(n, sizeof(uint64_t)),
                          .depths = calloc(n, sizeof(uint32_t)),
                          .levels = calloc(n, sizeof(struct level)),
                          .sides = calloc(analysis->definitions->n_regions + (size_t)1, 1),
                          .has_tasks = calloc(n, sizeof(bool))};
    return sums->below && sums->depths && sums->sides && sums->levels && sums->has_tasks;
}

static void finish(struct sums *sums)
{
    OTTER_FREE(sums->below, sums->depths, sums->sides, sums->levels, sums->has_tasks);
}

unsigned char *otter_grain_mutual(const struct otter_analysis *analysis)
{
    const struct otter_graph *graph = analysis->graph;
    const struct sums sums = {.analysis = analysis};
    size_t n = analysis->definitions->n_regions + (size_t)1;
    unsigned char *sides = calloc(n, 1);
    for (uint32_t i = 0; sides && i < graph->n_tasks; i++) {
        uint32_t region = region_of(&sums, i), above = region_of(&sums, graph->tasks[i].creator);
        if (region != OTTER_NONE && above != OTTER_NONE && region != above) {
            sides[region] |= SIDE_BELOW;
            sides[above] |= SIDE_ABOVE;
        }
    }
    for (size_t i = 0; sides && i < n; i++) {
        sides[i] = sides[i] == SIDE_BOTH;
    }
    return sides;
}

enum otter_status otter_grain_group(const struct otter_analysis *analysis, uint32_t region,
                                    uint32_t *groups)
{
    struct sums sums;
    bool is_good = allocate(&sums, analysis);
    if (is_good) {
        mark_recursion(&sums, region);
    }
    for (uint32_t i = region; i < analysis->definitions->n_regions && is_good; i++) {
        groups[i] = sums.sides[i] == SIDE_BOTH ? region : groups[i];
    }
    finish(&sums);
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}

static bool has_taskloops(const struct otter_definitions *definitions)
{
    size_t i = 0;
    while (i < definitions->n_regions &&
           definitions->regions[i].construct != OTTER_CONSTRUCT_TASKLOOP) {
        i++;
    }
    return i < definitions->n_regions;
}

// Tasks at the cut-off are not small tasks even if contention makes them cost 1.5 times as much.
uint64_t otter_grain_enough(const struct otter_costs *costs, uint64_t cost)
{
    uint64_t alone = costs->creation + costs->scheduling;
    return OTTER_GRAIN_MARGIN * OTTER_EVEN_COST * (alone > cost / 2 ? alone : cost / 2);
}

enum otter_status otter_grain_advise(const struct otter_analysis *analysis, uint32_t region,
                                     uint64_t cost, struct otter_grain *grain)
{
    struct sums sums;
    *grain = (struct otter_grain){.depth = OTTER_NONE};
    unsigned char *is_join = calloc(analysis->graph->n_nodes + (size_t)1, 1);
    bool is_good = allocate(&sums, analysis) && is_join;
    if (is_good) {
        grain->batch = batch_of(&sums, region, is_join);
        mark_recursion(&sums, region);
        add_descendants(&sums, overhead_of(&sums));
        add_depths(&sums);
        add_own_work(&sums);
        choose(&sums, otter_grain_enough(&analysis->costs, cost), grain);
        grain->is_tree = grain->is_tree && !has_taskloops(analysis->definitions);
    }
    finish(&sums);
    free(is_join);
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}

enum otter_status otter_grain_depths(const struct otter_analysis *analysis, uint32_t region,
                                     uint32_t *depths)
{
    struct sums sums;
    bool is_good = allocate(&sums, analysis);
    if (is_good) {
        mark_recursion(&sums, region);
        add_depths(&sums);
    }
    for (uint32_t i = 0; i < analysis->graph->n_tasks && is_good; i++) {
        depths[i] = is_in_recursion(&sums, i) ? sums.depths[i] : OTTER_NONE;
    }
    finish(&sums);
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}
