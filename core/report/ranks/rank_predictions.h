// Predictions for all ranks of a merged archive.
#pragma once

#include "report/job/job_predict.h"

struct otter_prediction_request {
    const struct otter_what_if *changes;
    size_t n_changes;
    uint32_t first_threads, last_threads; // 0: as many as each rank had
    bool is_json;
};

// Prints predictions for the job. *Returns* an exit status. Prints a message for each error.
int otter_rank_predictions_print(struct otter_archive *archive,
                                 const struct otter_prediction_request *request);
