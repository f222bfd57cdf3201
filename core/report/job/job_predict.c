// Replays the ranks of a job, and then their MPI calls.
#include "report/job/job_predict.h"

#include <stdlib.h>

#include "base/free.h"

static void add_item(struct otter_job_predictions *predictions, uint32_t n_threads)
{
    OTTER_VECTOR_APPEND(&predictions->items, (struct otter_job_prediction){.n_threads = n_threads});
}

void otter_job_predictions_init(struct otter_job_predictions *predictions,
                                const struct otter_what_if *changes, size_t n_changes,
                                uint32_t first, uint32_t last)
{
    *predictions = (struct otter_job_predictions){
        .changes = changes, .n_changes = n_changes, .first = first, .last = last};
    predictions->labels = calloc(n_changes + 1, sizeof *predictions->labels);
    add_item(predictions, 0);
    for (uint32_t n = first; n <= last; n = otter_prediction_next(n, first, last)) {
        add_item(predictions, n);
    }
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
    for (size_t i = 0; i < predictions->n_changes; i++) {
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
    struct otter_rank_prediction *own;
};

static void run(const struct rank *rank, uint32_t n_threads, const double *factors)
{
    for (unsigned p = 0; p < OTTER_N_REPLAY_POLICIES; p++) {
        struct otter_rank_gaps gaps;
        uint64_t ticks;
        otter_replay_run_policy(rank->replay, n_threads, (enum otter_replay_policy)p, &ticks);
        otter_rank_gaps_init(&gaps, rank->calls, rank->starts, ticks, factors);
        OTTER_VECTOR_APPEND(&rank->own->gaps, gaps);
    }
}

static void apply(const struct otter_job_predictions *predictions,
                  const struct otter_report *report, uint32_t rank,
                  struct otter_change_arrays *arrays, uint32_t *known)
{
    unsigned char *uses = otter_region_uses_of(report);
    size_t n = predictions->n_changes;
    for (size_t i = 0; i < n; i++) {
        const struct otter_what_if *change = &predictions->changes[i];
        *known |= (uint32_t)otter_change_labels(arrays, report, uses, change, rank) << i;
    }
    otter_change_functions(arrays, report, predictions->changes, n, rank, known);
    free(uses);
}

// Adds the labels of the rank, for each change whose label occurs in no rank so far.
static void add_labels(struct otter_job_predictions *predictions, const struct otter_report *report)
{
    unsigned char *uses = otter_region_uses_of(report);
    for (size_t i = 0; i < predictions->n_changes; i++) {
        if (!(predictions->known >> i & 1)) {
            otter_change_list_labels(&predictions->labels[i], report, uses,
                                     &predictions->changes[i]);
        }
    }
    free(uses);
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

static void run_all(const struct otter_job_predictions *predictions,
                    const struct otter_report *report, const struct rank *rank,
                    const struct otter_replay_changes *changes)
{
    uint32_t n_own = report->analysis->timeline.n_lines;
    struct otter_rank_prediction *own = rank->own;
    run(rank, n_own, NULL);
    if (predictions->n_changes > 0) {
        otter_replay_change(rank->replay, changes);
    }
    own->work = (double)report->analysis->span.work;
    own->undivided = own->work * otter_replay_undivided(rank->replay);
    for (uint32_t i = 1; i < predictions->items.n; i++) {
        uint32_t n_threads = predictions->items.items[i].n_threads;
        run(rank, n_threads > 0 ? n_threads : n_own, own->chain.factors);
    }
}

static void replay(const struct otter_job_predictions *predictions,
                   const struct otter_report *report, struct rank *rank,
                   const struct otter_change_arrays *arrays)
{
    const struct otter_graph *graph = report->analysis->graph;
    rank->starts = calloc(graph->n_nodes + (size_t)1, sizeof *rank->starts);
    rank->replay = otter_replay_create(report->analysis, NULL);
    struct otter_replay_changes changes = otter_changes_of(arrays);
    otter_replay_watch(rank->replay, rank->starts);
    run_all(predictions, report, rank, &changes);
}

void otter_rank_prediction_init(struct otter_rank_prediction *own,
                                const struct otter_job_predictions *predictions, uint32_t number,
                                const struct otter_rank_calls *calls,
                                const struct otter_report *report)
{
    struct otter_change_arrays arrays;
    struct rank rank = {.calls = calls, .own = own};
    otter_change_arrays_init(&arrays, report);
    apply(predictions, report, number, &arrays, &own->known);
    otter_rank_chain_init(&own->chain, calls, report->analysis->graph, arrays.factors);
    replay(predictions, report, &rank, &arrays);
    otter_replay_destroy(rank.replay);
    free(rank.starts);
    otter_change_arrays_finish(&arrays);
}

void otter_rank_prediction_finish(struct otter_rank_prediction *own)
{
    for (uint32_t i = 0; i < own->gaps.n; i++) {
        otter_rank_gaps_finish(&own->gaps.items[i]);
    }
    free(own->gaps.items);
    otter_rank_chain_finish(&own->chain);
    *own = (struct otter_rank_prediction){.known = 0};
}

static void add_gaps(struct otter_job_predictions *predictions, struct otter_rank_prediction *own)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < predictions->items.n; i++) {
        for (unsigned p = 0; p < OTTER_N_REPLAY_POLICIES; p++, next++) {
            OTTER_VECTOR_APPEND(&predictions->items.items[i].gaps[p], own->gaps.items[next]);
            own->gaps.items[next] = (struct otter_rank_gaps){0};
        }
    }
}

void otter_job_predictions_add(struct otter_job_predictions *predictions,
                               const struct otter_report *report, struct otter_rank_prediction *own)
{
    predictions->tick = report->analysis->tick;
    predictions->known |= own->known;
    add_labels(predictions, report);
    OTTER_VECTOR_APPEND(&predictions->chains, own->chain);
    own->chain = (struct otter_rank_chain){0};
    predictions->work += own->work;
    predictions->undivided += own->undivided;
    add_gaps(predictions, own);
}

// ---- all ranks

static void execute(struct otter_job_replay *replay, struct otter_job_prediction *item,
                    uint32_t n_ranks)
{
    struct otter_rank_times *other = calloc(n_ranks + (size_t)1, sizeof *other);
    item->times = calloc(n_ranks + (size_t)1, sizeof *item->times);
    item->least = UINT64_MAX;
    for (unsigned p = 0; p < OTTER_N_REPLAY_POLICIES; p++) {
        uint64_t ticks = otter_job_replay_run(replay, item->gaps[p].items,
                                              p == OTTER_REPLAY_STEALING ? item->times : other);
        item->least = ticks < item->least ? ticks : item->least;
        item->most = ticks > item->most ? ticks : item->most;
    }
    free(other);
}

void otter_job_predictions_end(struct otter_job_predictions *predictions,
                               const struct otter_job *job)
{
    struct otter_job_replay replay;
    predictions->wall = job->end - job->begin;
    otter_job_replay_init(&replay, job, predictions->chains.items);
    for (uint32_t i = 0; i < predictions->items.n; i++) {
        execute(&replay, &predictions->items.items[i], job->ranks.n);
    }
    otter_job_replay_finish(&replay);
}
