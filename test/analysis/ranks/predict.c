// Executes a job again: as it was recorded, and with the changes of the text.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "report/job/job_predict.h"
#include "world.h"

// ---- without a change

static uint64_t *recorded_starts(const struct otter_analysis *analysis)
{
    const struct otter_graph *graph = analysis->graph;
    uint64_t *starts = calloc(graph->n_nodes + (size_t)1, sizeof *starts);
    for (uint32_t i = 0; i < graph->n_nodes && starts; i++) {
        starts[i] = graph->nodes[i].start - analysis->timeline.begin;
    }
    return starts;
}

static struct otter_rank_chain chains[MAX_RANKS];
static struct otter_rank_gaps recorded[MAX_RANKS];

static bool find_gaps(const struct otter_job *job, const struct otter_analysis *analyses)
{
    bool is_good = true;
    for (uint32_t i = 0; i < job->ranks.n && is_good; i++) {
        const struct otter_rank_calls *calls = otter_job_calls(job, i);
        uint64_t *starts = recorded_starts(&analyses[i]), ticks = calls->end - calls->begin;
        is_good = starts && !otter_rank_chain_init(&chains[i], calls, analyses[i].graph, NULL) &&
                  !otter_rank_gaps_init(&recorded[i], calls, starts, ticks, NULL);
        free(starts);
    }
    return is_good;
}

// *Returns* whether each rank of the replay ends when it ended in the run.
bool world_repeats(const struct otter_job *job)
{
    struct otter_rank_times times[MAX_RANKS];
    struct otter_job_replay replay;
    bool is_good = !otter_job_replay_init(&replay, job, chains) &&
                   otter_job_replay_run(&replay, recorded, times) == job->end - job->begin;
    for (uint32_t i = 0; i < job->ranks.n; i++) {
        is_good = is_good && times[i].end == otter_job_calls(job, i)->end - job->begin;
        otter_rank_gaps_finish(&recorded[i]);
        otter_rank_chain_finish(&chains[i]);
    }
    otter_job_replay_finish(&replay);
    return is_good;
}

// ---- with a change

struct prediction {
    struct otter_job job;
    char text[WHAT_IF_SIZE];
    struct otter_what_if change;
    struct otter_job_predictions predictions;
};

static struct prediction predictions[MAX_WHAT_IFS];

static bool add_rank(void *user, uint32_t rank, const struct otter_report *report)
{
    struct prediction *prediction = user;
    struct otter_rank_prediction own = {.known = 0};
    otter_rank_prediction_init(&own, &prediction->predictions,
                               prediction->job.ranks.items[rank].number,
                               otter_job_calls(&prediction->job, rank), report);
    otter_job_predictions_add(&prediction->predictions, report, &own);
    otter_rank_prediction_finish(&own);
    return true;
}

// Reads "LABEL=0.5x", or "threads=4".
static bool begin(struct prediction *own, const struct otter_job *job,
                  const struct otter_analysis *analyses, const char *text)
{
    uint32_t n_threads = 0;
    strcpy(own->text, text);
    own->job = *job;
    bool has_change = sscanf(text, "threads=%" SCNu32, &n_threads) != 1;
    bool is_good = !has_change || otter_what_if_read(own->text, &own->change);
    otter_job_predictions_init(&own->predictions, &own->change, has_change, n_threads, n_threads);
    for (uint32_t i = 0; i < job->ranks.n && is_good; i++) {
        is_good = report_rank(&analyses[i], i, own, add_rank);
    }
    return is_good;
}

bool world_begin_predictions(const struct world *world, const struct otter_job *job,
                             const struct otter_analysis *analyses)
{
    bool is_good = find_gaps(job, analyses);
    for (uint32_t i = 0; i < world->n_what_ifs && is_good; i++) {
        is_good = begin(&predictions[i], job, analyses, world->what_ifs[i]);
    }
    return is_good;
}

// Returns whether a rank has the label of the change; otherwise prints the labels that ranks have.
static bool is_known(const struct otter_job_predictions *own, const char *text)
{
    if (own->n_changes == 0 || own->known) {
        return true;
    }
    printf("\n--what-if='%s': no label; known:", text);
    for (uint32_t i = 0; i < own->labels[0].n; i++) {
        printf(" '%s'", own->labels[0].items[i]);
    }
    printf("\n");
    return false;
}

bool world_predict(const struct world *world, const struct otter_job *job)
{
    bool is_good = true;
    for (uint32_t i = 0; i < world->n_what_ifs; i++) {
        struct otter_job_predictions *own = &predictions[i].predictions;
        otter_job_predictions_end(own, job);
        if (is_known(own, world->what_ifs[i])) {
            printf("\n--what-if='%s'\n", world->what_ifs[i]);
            otter_job_predictions_print(stdout, own, job);
            json_t *json = otter_job_predictions_json(own, job);
            json_dumpf(json, stdout, JSON_REAL_PRECISION(9));
            printf("\n");
            json_decref(json);
        }
        otter_job_predictions_finish(own);
    }
    return is_good;
}
