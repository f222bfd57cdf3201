// Sums up both critical paths by label.
#include <stdlib.h>

#include "base/free.h"
#include "report/form/analysis.h"

struct sums {
    const struct otter_analysis *analysis;
    uint64_t *of_labels;
};

static void add_ticks(void *user, uint32_t label, enum otter_state state, uint64_t ticks)
{
    (void)state;
    struct sums *sums = user;
    sums->of_labels[otter_account_label(&sums->analysis->account, label)] += ticks;
}

uint64_t otter_report_realised_labels(const struct otter_analysis *analysis, uint64_t *sums)
{
    uint64_t idle = 0;
    for (uint32_t i = 0; i < analysis->realised.steps.n; i++) {
        struct otter_path_step step = otter_realised_step(&analysis->realised, i);
        if (step.reason == OTTER_STEP_EXECUTED) {
            otter_piece_labels(analysis, step.node, step.begin, step.end, add_ticks,
                               &(struct sums){analysis, sums});
        } else if (step.reason == OTTER_STEP_MPI) {
            add_ticks(&(struct sums){analysis, sums}, analysis->graph->nodes[step.node].region,
                      OTTER_STATE_MPI, step.end - step.begin);
        } else {
            idle += step.end - step.begin;
        }
    }
    return idle;
}

void otter_path_labels_init(struct otter_path_labels *paths, const struct otter_analysis *analysis)
{
    size_t n = analysis->account.n_labels;
    paths->span = calloc(n, sizeof *paths->span);
    paths->realised = calloc(n, sizeof *paths->realised);
    otter_span_labels(analysis, paths->span);
    paths->idle = otter_report_realised_labels(analysis, paths->realised);
}

void otter_path_labels_finish(struct otter_path_labels *paths)
{
    OTTER_FREE(paths->span, paths->realised);
}
