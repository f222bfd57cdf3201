// Folds the teams of a graph, level by level.
#include "graph/fold/fold.h"

#include <stdlib.h>

#include "graph/fold/internal.h"
#include "graph/numbers.h"

static bool read_teams(struct otter_fold *fold)
{
    for (uint32_t i = 0; fold->level > 0 && i < fold->graph->n_teams; i++) {
        const struct otter_graph_team *team = &fold->graph->teams[i];
        if (otter_fold_team_level(fold, team) == fold->level && !otter_fold_read_team(fold, team)) {
            return false;
        }
    }
    return true;
}

static bool is_member(const struct otter_fold *fold, uint32_t task)
{
    return fold->team_of[task] != OTTER_NONE && fold->depths[task] == fold->level;
}

// Marks a task that is known to have no unit, while tasks inherit units.
static const uint32_t no_unit = OTTER_NONE - 1;

// Gives a task the unit of its nearest ancestor with a unit. Walks up to a task whose unit is
// known, and back.
static void spread_unit(struct otter_fold *fold, uint32_t task, uint32_t *path)
{
    uint32_t n = 0;
    while (task != OTTER_NONE && fold->task_units[task] == OTTER_NONE && !is_member(fold, task) &&
           fold->depths[task] >= fold->level && n < fold->graph->n_tasks) {
        path[n++] = task;
        task = otter_fold_parent(fold, task);
    }
    uint32_t unit = task == OTTER_NONE ? OTTER_NONE : fold->task_units[task];
    while (n > 0) {
        fold->task_units[path[--n]] = unit == OTTER_NONE ? no_unit : unit;
    }
}

static bool spread_units(struct otter_fold *fold)
{
    uint32_t *path = otter_numbers_create(fold->graph->n_tasks);
    if (!path) {
        return false;
    }
    for (uint32_t i = 0; i < fold->graph->n_tasks; i++) {
        spread_unit(fold, i, path);
    }
    for (uint32_t i = 0; i < fold->graph->n_tasks; i++) {
        if (fold->task_units[i] == no_unit) {
            fold->task_units[i] = OTTER_NONE;
        }
    }
    for (uint32_t i = 0; i < fold->graph->n_nodes; i++) {
        uint32_t task = fold->graph->nodes[i].task;
        if (fold->units[i] == OTTER_NONE && task != OTTER_NONE) {
            fold->units[i] = fold->task_units[task];
        }
    }
    free(path);
    return true;
}

// Returns the deepest level of a team.
static uint32_t deepest_level(const struct otter_fold *fold)
{
    uint32_t deepest = 0;
    for (uint32_t i = 0; i < fold->graph->n_teams; i++) {
        uint32_t level = otter_fold_team_level(fold, &fold->graph->teams[i]);
        deepest = level > deepest ? level : deepest;
    }
    return deepest;
}

// Returns the graph with the teams of one level folded; NULL if out of memory. Level 0 only omits
// nodes of the runtime. Sets *deepest to the deepest level of a team in `graph`.
static struct otter_graph *fold_level(const struct otter_graph *graph,
                                      const struct otter_fold *arguments, uint32_t level,
                                      uint32_t *deepest)
{
    struct otter_fold fold = *arguments;
    struct otter_graph *folded = NULL;
    fold.graph = graph;
    fold.level = level;
    if (otter_fold_init(&fold) && (level > 0 || otter_fold_omit_splitters(&fold)) &&
        read_teams(&fold) && spread_units(&fold) && otter_fold_match(&fold)) {
        *deepest = deepest_level(&fold);
        folded = otter_fold_rewrite(&fold);
    }
    otter_fold_finish(&fold);
    return folded;
}

// Removes the gaps that folded members left in `members`.
static void close_gaps(struct otter_graph *graph)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < graph->n_teams; i++) {
        struct otter_graph_team *team = &graph->teams[i];
        uint32_t first = team->first_member;
        team->first_member = n;
        for (uint32_t k = 0; k < team->n_members; k++) {
            graph->members[n++] = graph->members[first + k];
        }
    }
    graph->n_members = n;
}

struct otter_graph *otter_graph_fold(const struct otter_graph *graph,
                                     const struct otter_labels *labels,
                                     const struct otter_iterations *iterations,
                                     struct otter_fold_findings *findings)
{
    struct otter_fold_findings unread;
    findings = findings ? findings : &unread;
    *findings = (struct otter_fold_findings){0};
    const struct otter_fold arguments = {
        .labels = labels, .iterations = iterations, .findings = findings};
    uint32_t deepest = 0, unused;
    struct otter_graph *folded = fold_level(graph, &arguments, 0, &deepest);
    for (uint32_t level = deepest; folded && level > 0; level--) {
        struct otter_graph *outer = fold_level(folded, &arguments, level, &unused);
        otter_graph_destroy(folded);
        folded = outer;
    }
    if (folded) {
        close_gaps(folded);
    }
    return folded;
}
