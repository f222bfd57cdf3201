// Predictions for a job: each rank is replayed, and then the MPI calls between ranks.
#pragma once

#include "analysis/job/job_replay.h"
#include "report/predict/predict.h"
#include "report/predict/predict_labels.h"

struct otter_gaps_of_ranks {
    OTTER_VECTOR(struct otter_rank_gaps);
};

// The job with a certain number of threads per rank, with or without changes.
struct otter_job_prediction {
    uint32_t n_threads; // 0: as many as each rank had
    struct otter_gaps_of_ranks gaps[OTTER_N_REPLAY_POLICIES];
    uint64_t least, most;           // ticks of the job, over three scheduling policies
    struct otter_rank_times *times; // of each rank, with the policy of LLVM's runtime
};

struct otter_job_predictions {
    const struct otter_what_if *changes;
    size_t n_changes;
    uint32_t first, last; // threads; 0: as many as each rank had
    struct {
        OTTER_VECTOR(struct otter_rank_chain);
    } chains; // of each rank
    struct {
        OTTER_VECTOR(struct otter_job_prediction);
    } items;        // the first one replays the run itself
    unsigned known; // bits of the changes whose label occurs in a rank
    // labels of all ranks, for each change whose label occurs in no rank
    struct otter_known_labels *labels;
    uint64_t wall;    // ticks of the recorded job
    double tick;      // seconds
    double undivided; // work of all ranks that the replay does not divide
    double work;      // work of all ranks
};

// `changes` must outlive the predictions.
void otter_job_predictions_init(struct otter_job_predictions *predictions,
                                const struct otter_what_if *changes, size_t n_changes,
                                uint32_t first, uint32_t last);
void otter_job_predictions_finish(struct otter_job_predictions *predictions);

// The replays of one rank.
struct otter_rank_prediction {
    struct otter_rank_chain chain;
    struct otter_gaps_of_ranks gaps; // of each prediction of the job, for each policy
    uint32_t known;                  // bits of the changes whose label occurs in the rank
    double undivided, work;          // as in struct otter_job_predictions
};

// Replays a rank. A change whose label does not occur in the rank is ignored there. *own: zeros.
// *Thread*: several ranks at a time.
void otter_rank_prediction_init(struct otter_rank_prediction *own,
                                const struct otter_job_predictions *predictions, uint32_t number,
                                const struct otter_rank_calls *calls,
                                const struct otter_report *report);
void otter_rank_prediction_finish(struct otter_rank_prediction *own);

// Adds the rank last added to the job, before the job ends. Memory retained: 24 bytes per call and
// prediction.
void otter_job_predictions_add(struct otter_job_predictions *predictions,
                               const struct otter_report *report,
                               struct otter_rank_prediction *own);
// Prints an error for each change whose label occurs in no rank. Returns true if there is no such
// change.
bool otter_job_predictions_check(const struct otter_job_predictions *predictions);
// Replays the job, which has ended.
void otter_job_predictions_end(struct otter_job_predictions *predictions,
                               const struct otter_job *job);

void otter_job_predictions_print(FILE *out, const struct otter_job_predictions *predictions,
                                 const struct otter_job *job);
json_t *otter_job_predictions_json(const struct otter_job_predictions *predictions,
                                   const struct otter_job *job);
