// Findings on explicit tasks: their creator, their order, their delay.
#include "analysis/find.h"
#include "analysis/scaled.h"

#include <stdlib.h>

#include "graph/numbers.h"

// Returns the ticks that each task executed before its last creation, with those of creation; NULL
// when memory is short. The caller frees them.
static uint64_t *executed_by_creators(const struct otter_analysis *analysis)
{
    const struct otter_graph *graph = analysis->graph;
    uint64_t *ticks = calloc((size_t)graph->n_tasks + 1, sizeof *ticks);
    for (uint32_t i = 0; ticks && i < graph->n_nodes; i++) {
        if (graph->nodes[i].task < graph->n_tasks && otter_node_creates(graph, i)) {
            ticks[graph->nodes[i].task] += analysis->pieces.work[i];
        }
    }
    return ticks;
}

static void find_creator(struct otter_search *search)
{
    const struct otter_analysis *analysis = search->analysis;
    if (!otter_search_is_worth(search, otter_search_unexplained(search))) {
        return;
    }
    uint64_t *executed = executed_by_creators(analysis);
    search->is_short_of_memory |= !executed;
    for (uint32_t i = 0; i < analysis->tasks.n && executed; i++) {
        const struct otter_task_use *use = &analysis->tasks.items[i];
        uint64_t cost = otter_search_unexplained(search);
        if (use->creator == OTTER_NONE || use->n < 16 || use->n == use->n_undeferred ||
            analysis->account.n_threads == 1 || !otter_search_is_worth(search, cost)) {
            continue;
        }
        double mean = (double)use->work / (double)use->n;
        double each = (double)executed[use->creator] / (double)use->n;
        if (mean < (analysis->account.n_threads - 1) * each) {
            otter_search_add(search,
                             (struct otter_finding){OTTER_FINDING_CREATOR, cost, use->region,
                                                    use->n, each / (mean > 0 ? mean : 1)});
            search->explained += cost;
        }
    }
    free(executed);
}

// Returns the label inside of regions with the most ticks on the heaviest path. *serial: ticks of
// the path outside.
static uint32_t heaviest_label(struct otter_search *search, uint64_t *serial)
{
    const struct otter_analysis *analysis = search->analysis;
    uint64_t *sums = calloc(analysis->account.n_labels, sizeof *sums);
    *serial = 0;
    if (!sums) {
        search->is_short_of_memory = true;
        return OTTER_NONE;
    }
    otter_span_labels(analysis, sums);
    uint32_t most = OTTER_NONE;
    for (uint32_t i = 0; i + 1 < analysis->account.n_labels; i++) {
        if (otter_definitions_construct(analysis->definitions, i) == OTTER_CONSTRUCT_INITIAL_TASK) {
            *serial += sums[i];
        } else if (sums[i] > 0 && (most == OTTER_NONE || sums[i] > sums[most])) {
            most = i;
        }
    }
    free(sums);
    return most;
}

static void find_chain(struct otter_search *search)
{
    const struct otter_analysis *analysis = search->analysis;
    const struct otter_span *span = &analysis->span;
    uint64_t cost = otter_search_unexplained(search);
    if (analysis->tasks.n == 0 || !otter_search_is_worth(search, cost)) {
        return;
    }
    uint64_t serial;
    uint32_t label = heaviest_label(search, &serial);
    double parallelism =
        span->span > serial ? (double)(span->work - serial) / (double)(span->span - serial) : 0;
    bool is_chain = parallelism < 2.0 * analysis->account.n_threads;
    search->is_short_of_memory |=
        is_chain && otter_repeated_wait_find(analysis, &search->findings->wait);
    otter_search_add(search,
                     (struct otter_finding){is_chain ? OTTER_FINDING_CHAIN : OTTER_FINDING_RAMP,
                                            cost, label, span->n_path, parallelism});
}

static void find_delay(struct otter_search *search)
{
    const struct otter_analysis *analysis = search->analysis;
    const struct otter_account *account = &analysis->account;
    uint64_t explained = search->explained_delay > account->scheduling ? search->explained_delay
                                                                       : account->scheduling;
    otter_search_add(
        search, (struct otter_finding){OTTER_FINDING_DELAY,
                                       account->delay > explained ? account->delay - explained : 0,
                                       OTTER_NONE, analysis->costs.n_schedulings, 0});
    otter_search_add(search,
                     (struct otter_finding){OTTER_FINDING_TIED, account->tied, OTTER_NONE, 0, 0});
}

// Returns the ticks from ready to begun of the pieces that continue a task on another thread.
static uint64_t migrating(const struct otter_analysis *analysis, uint32_t *last, uint64_t *n)
{
    const struct otter_graph *graph = analysis->graph;
    uint64_t ticks = 0;
    *n = 0;
    for (uint32_t i = 0; i < analysis->ready.n_order; i++) {
        uint32_t node = analysis->ready.order[i], task = graph->nodes[node].task;
        const struct otter_node *piece = &graph->nodes[node];
        if (piece->kind != OTTER_NODE_FRAGMENT ||
            graph->tasks[task].kind != OTTER_TASK_KIND_EXPLICIT) {
            continue;
        }
        if (last[task] != OTTER_NONE && last[task] != piece->location) {
            uint64_t ready = analysis->ready.times[node];
            ticks += piece->start > ready ? piece->start - ready : 0;
            (*n)++;
        }
        last[task] = piece->location;
    }
    return ticks;
}

// Only untied tasks change threads.
static void find_migrations(struct otter_search *search)
{
    uint64_t n;
    uint32_t *last = otter_numbers_create(search->analysis->graph->n_tasks);
    if (!last) {
        search->is_short_of_memory = true;
        return;
    }
    uint64_t ticks = migrating(search->analysis, last, &n);
    free(last);
    if (otter_search_is_worth(search, ticks)) {
        otter_search_add(search, (struct otter_finding){OTTER_FINDING_MIGRATION, ticks, OTTER_NONE,
                                                        n, (double)ticks / (double)n});
        search->explained_delay += ticks;
    }
}

void otter_find_in_tasks(struct otter_search *search)
{
    find_creator(search);
    find_chain(search);
    find_migrations(search);
    find_delay(search);
}
