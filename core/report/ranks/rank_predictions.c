// Predicts a job. Memory is needed for the MPI calls of all ranks, and for the ranks that are read
// at the same time.
#include "report/ranks/rank_predictions.h"

#include <stdlib.h>

#include "base/exit_status.h"
#include "base/log.h"
#include "analysis/job/each_rank.h"
#include "report/ranks/job_analysis.h"
#include "report/form/json.h"
#include "analysis/findings/read.h"

struct prediction {
    struct otter_job job;
    struct otter_job_predictions predictions;
};

static void replay(const void *user, const struct otter_report *report,
                   const struct otter_rank_calls *calls, void *own)
{
    const struct prediction *prediction = user;
    otter_rank_prediction_init(own, &prediction->predictions,
                               otter_selected_rank(report->archive)->number, calls, report);
}

static void add_report(void *user, const struct otter_report *report, void *own)
{
    struct prediction *prediction = user;
    otter_job_predictions_add(&prediction->predictions, report, own);
}

static void finish(void *own)
{
    otter_rank_prediction_finish(own);
}

// ---- all

static bool print(struct prediction *prediction, const struct otter_archive *archive, bool is_json)
{
    const struct otter_job *job = &prediction->job;
    otter_job_predictions_end(&prediction->predictions, job);
    otter_job_warn(job, archive);
    if (is_json) {
        return !otter_json_print(stdout, otter_job_predictions_json(&prediction->predictions, job));
    }
    otter_job_predictions_print(stdout, &prediction->predictions, job);
    return true;
}

int otter_rank_predictions_print(struct otter_archive *archive,
                                 const struct otter_prediction_request *request)
{
    struct prediction prediction = {.job = {.n_ranks_of_world = 0}};
    otter_job_predictions_init(&prediction.predictions, request->changes, request->n_changes,
                               request->first_threads, request->last_threads);
    static const struct otter_rank_use use = {.size = sizeof(struct otter_rank_prediction),
                                              .prepare = replay,
                                              .use = add_report,
                                              .finish = finish};
    uint32_t n_failed = otter_job_read_ranks(&prediction.job, archive, &use, &prediction, NULL);
    otter_job_conclude(&prediction.job, archive);
    bool is_good = prediction.job.ranks.n > 0 &&
                   otter_job_predictions_check(&prediction.predictions) &&
                   print(&prediction, archive, request->is_json);
    otter_job_predictions_finish(&prediction.predictions);
    otter_job_finish(&prediction.job);
    return is_good && n_failed == 0 ? OTTER_EXIT_OK : OTTER_EXIT_FAILED;
}
