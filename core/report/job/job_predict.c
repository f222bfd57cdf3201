// Replays the ranks of a job one after the other, and then their MPI calls.
#include "report/job/job_predict.h"

#include <stdlib.h>

#include "base/free.h"

static bool add_item(struct otter_job_predictions *predictions, uint32_t n_threads)
{
    return OTTER_VECTOR_ADD(&predictions->items,
                            (struct otter_job_prediction){.n_threads = n_threads});
}

enum otter_status otter_job_predictions_init(struct otter_job_predictions *predictions,
                                             const struct otter_what_if *changes, size_t n_changes,
                                             uint32_t first, uint32_t last)
{
    *predictions = (struct otter_job_predictions){
        .changes = changes, .n_changes = n_changes, .first = first, .last = last};
    predictions->labels = calloc(n_changes + 1, sizeof *predictions->labels);
    bool is_good = predictions->labels && add_item(predictions, 0);
    for (uint32_t n = first; n <= last && is_good; n = otter_prediction_next(n, first, last)) {
        is_good = add_item(predictions, n);
    }
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}

void otter_job_predictions_finish(struct otter_job_predictions *predictions)
{
    for (uint32_t i = 0; i < predictions->items.n; i++) {
        struct otter_job_prediction *item = &predictions->items.items[i];
        for (unsigned p = 0; p < OTTER_N_REPLAY_POLICIES; p++) {
            for (uint32_t r = 0; r < item->gaps[p].n; r++) {
                otter_rank_gaps_finish(&item->gaps[p].items[r]);
            }
            free(item->gaps[p].items);
        }
        free(item->times);
    }
    for (uint32_t r = 0; r < predictions->chains.n; r++) {
        otter_rank_chain_finish(&predictions->chains.items[r]);
    }
    for (size_t i = 0; i < predictions->n_changes && predictions->labels; i++) {
        otter_known_labels_finish(&predictions->labels[i]);
    }
    OTTER_FREE(predictions->labels, predictions->chains.items, predictions->items.items);
    *predictions = (struct otter_job_predictions){0};
}

// ---- one rank

struct rank {
    struct otter_replay *replay;
    const struct otter_rank_calls *calls;
    uint64_t *starts; // of each node
};

static enum otter_status run(const struct rank *rank, struct otter_job_prediction *item,
                             uint32_t n_threads, const double *factors)
{
    enum otter_status status = OTTER_OK;
    for (unsigned p = 0; p < OTTER_N_REPLAY_POLICIES && !status; p++) {
        struct otter_gaps_of_ranks *all = &item->gaps[p];
        uint64_t ticks;
        if (!OTTER_VECTOR_RESERVE(all)) {
            return OTTER_NO_MEMORY;
        }
        status =
            otter_replay_run_policy(rank->replay, n_threads, (enum otter_replay_policy)p, &ticks);
        OTTER_THEN(status, otter_rank_gaps_init(&all->items[all->n], rank->calls, rank->starts,
                                                ticks, factors));
        all->n += !status;
    }
    return status;
}

static enum otter_status apply(struct otter_job_predictions *predictions,
                               const struct otter_report *report, uint32_t rank,
                               struct otter_change_arrays *arrays)
{
    unsigned char *uses = otter_region_uses_of(report);
    bool is_good = uses;
    uint32_t known = 0;
    size_t n = predictions->n_changes;
    for (size_t i = 0; i < n && is_good; i++) {
        const struct otter_what_if *change = &predictions->changes[i];
        bool is_known = otter_change_labels(arrays, report, uses, change, rank);
        known |= (uint32_t)is_known << i;
    }
    is_good =
        is_good && !otter_change_functions(arrays, report, predictions->changes, n, rank, &known);
    predictions->known |= known;
    for (size_t i = 0; i < n && is_good; i++) {
        is_good =
            predictions->known >> i & 1 || otter_change_list_labels(&predictions->labels[i], report,
                                                                    uses, &predictions->changes[i]);
    }
    free(uses);
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}

bool otter_job_predictions_check(const struct otter_job_predictions *predictions)
{
    bool is_good = true;
    for (size_t i = 0; i < predictions->n_changes; i++) {
        if (!(predictions->known >> i & 1)) {
            otter_change_complain(&predictions->labels[i], &predictions->changes[i]);
            is_good = false;
        }
    }
    return is_good;
}

static enum otter_status add_chain(struct otter_job_predictions *predictions,
                                   const struct otter_rank_calls *calls,
                                   const struct otter_graph *graph, const double *factors)
{
    if (!OTTER_VECTOR_RESERVE(&predictions->chains)) {
        return OTTER_NO_MEMORY;
    }
    return otter_rank_chain_init(&predictions->chains.items[predictions->chains.n++], calls, graph,
                                 factors);
}

static enum otter_status run_all(struct otter_job_predictions *predictions,
                                 const struct otter_report *report, const struct rank *rank,
                                 const struct otter_replay_changes *changes)
{
    uint32_t own = report->analysis->account.n_threads;
    const struct otter_rank_chain *chain = &predictions->chains.items[predictions->chains.n - 1];
    enum otter_status status = run(rank, &predictions->items.items[0], own, NULL);
    status =
        !status && predictions->n_changes > 0 ? otter_replay_change(rank->replay, changes) : status;
    if (!status) {
        double work = (double)report->analysis->span.work;
        predictions->work += work;
        predictions->undivided += work * otter_replay_undivided(rank->replay);
    }
    for (uint32_t i = 1; i < predictions->items.n && !status; i++) {
        struct otter_job_prediction *item = &predictions->items.items[i];
        status = run(rank, item, item->n_threads > 0 ? item->n_threads : own, chain->factors);
    }
    return status;
}

enum otter_status otter_job_predictions_add(struct otter_job_predictions *predictions,
                                            const struct otter_job *job,
                                            const struct otter_report *report)
{
    struct otter_change_arrays arrays;
    const struct otter_graph *graph = report->analysis->graph;
    predictions->tick = report->analysis->tick;
    enum otter_status status = otter_change_arrays_init(&arrays, report);
    if (status) {
        return status;
    }
    struct rank rank = {otter_replay_create(report->analysis, NULL),
                        otter_job_calls(job, job->ranks.n - 1),
                        calloc(graph->n_nodes + (size_t)1, sizeof *rank.starts)};
    status = rank.replay && rank.starts
                 ? apply(predictions, report, job->ranks.items[job->ranks.n - 1].number, &arrays)
                 : OTTER_NO_MEMORY;
    OTTER_THEN(status, add_chain(predictions, rank.calls, graph, arrays.factors));
    if (!status) {
        struct otter_replay_changes changes = otter_changes_of(&arrays);
        otter_replay_watch(rank.replay, rank.starts);
        status = run_all(predictions, report, &rank, &changes);
    }
    otter_replay_destroy(rank.replay);
    free(rank.starts);
    otter_change_arrays_finish(&arrays);
    return status;
}

// ---- all ranks

// A rank for which memory ran out lacks the gaps of some policies.
static bool is_whole(const struct otter_job_prediction *item, uint32_t n_ranks)
{
    for (unsigned p = 0; p < OTTER_N_REPLAY_POLICIES; p++) {
        if (item->gaps[p].n != n_ranks) {
            return false;
        }
    }
    return true;
}

static enum otter_status execute(struct otter_job_replay *replay, struct otter_job_prediction *item,
                                 uint32_t n_ranks)
{
    struct otter_rank_times *other = calloc(n_ranks + (size_t)1, sizeof *other);
    item->times = calloc(n_ranks + (size_t)1, sizeof *item->times);
    item->least = UINT64_MAX;
    for (unsigned p = 0; p < OTTER_N_REPLAY_POLICIES && other && item->times; p++) {
        uint64_t ticks = otter_job_replay_run(replay, item->gaps[p].items,
                                              p == OTTER_REPLAY_STEALING ? item->times : other);
        item->least = ticks < item->least ? ticks : item->least;
        item->most = ticks > item->most ? ticks : item->most;
    }
    free(other);
    return other && item->times ? OTTER_OK : OTTER_NO_MEMORY;
}

enum otter_status otter_job_predictions_end(struct otter_job_predictions *predictions,
                                            const struct otter_job *job)
{
    struct otter_job_replay replay;
    predictions->wall = job->end - job->begin;
    if (predictions->chains.n != job->ranks.n) {
        return OTTER_NO_MEMORY;
    }
    enum otter_status status = otter_job_replay_init(&replay, job, predictions->chains.items);
    for (uint32_t i = 0; i < predictions->items.n && !status; i++) {
        struct otter_job_prediction *item = &predictions->items.items[i];
        status =
            is_whole(item, job->ranks.n) ? execute(&replay, item, job->ranks.n) : OTTER_NO_MEMORY;
    }
    otter_job_replay_finish(&replay);
    return status;
}
