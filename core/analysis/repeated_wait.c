// Follows the span path from wait to wait of each task.
#include "analysis/repeated_wait.h"

#include <stdlib.h>

#include "graph/numbers.h"

struct region_waits {
    uint64_t n;       // on the path
    uint64_t between; // ticks of the path from a wait to the next one of the same task
};

struct walk {
    const struct otter_analysis *analysis;
    struct region_waits *waits; // of each region
    uint32_t *last;             // region of the last wait of each task; OTTER_NONE: none
    uint64_t *time;             // ticks of the path up to this wait, of each task
};

static bool joins_tasks(const struct otter_analysis *analysis, uint32_t node)
{
    const struct otter_node *wait = &analysis->graph->nodes[node];
    enum otter_construct construct =
        otter_definitions_construct(analysis->definitions, wait->region);
    return wait->kind == OTTER_NODE_SYNC &&
           (construct == OTTER_CONSTRUCT_TASKWAIT || construct == OTTER_CONSTRUCT_TASKGROUP ||
            construct == OTTER_CONSTRUCT_TASKGROUP_WAIT);
}

static void follow(struct walk *walk)
{
    const struct otter_analysis *analysis = walk->analysis;
    const struct otter_span *span = &analysis->span;
    uint64_t now = 0;
    for (uint32_t i = 0; i < span->n_path; i++) {
        const struct otter_node *node = &analysis->graph->nodes[span->path[i]];
        now += otter_node_work(analysis->graph, &analysis->pieces, &analysis->costs, span->path[i]);
        if (!joins_tasks(analysis, span->path[i])) {
            continue;
        }
        bool is_repeated = walk->last[node->task] == node->region;
        walk->waits[node->region].n++;
        walk->waits[node->region].between += is_repeated ? now - walk->time[node->task] : 0;
        walk->last[node->task] = node->region;
        walk->time[node->task] = now;
    }
}

enum otter_status otter_repeated_wait_find(const struct otter_analysis *analysis,
                                           struct otter_repeated_wait *wait)
{
    size_t n_regions = analysis->definitions->n_regions, n_tasks = analysis->graph->n_tasks;
    struct walk walk = {.analysis = analysis,
                        .waits = calloc(n_regions + 1, sizeof *walk.waits),
                        .last = otter_numbers_create(n_tasks),
                        .time = calloc(n_tasks + 1, sizeof *walk.time)};
    bool is_good = walk.waits && walk.last && walk.time;
    *wait = (struct otter_repeated_wait){.region = OTTER_NONE};
    if (is_good) {
        follow(&walk);
    }
    uint64_t most = 0;
    for (uint32_t i = 0; i < n_regions && is_good; i++) {
        if (walk.waits[i].between > most && walk.waits[i].between * 2 >= analysis->span.span) {
            most = walk.waits[i].between;
            *wait = (struct otter_repeated_wait){i, walk.waits[i].n};
        }
    }
    free(walk.waits);
    free(walk.last);
    free(walk.time);
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}
