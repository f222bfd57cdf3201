// Sums up the realised path by label.
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
        const struct otter_path_step *step = &analysis->realised.steps.items[i];
        if (step->reason == OTTER_STEP_EXECUTED) {
            otter_piece_labels(analysis, step->node, step->begin, step->end, add_ticks,
                               &(struct sums){analysis, sums});
        } else if (step->reason == OTTER_STEP_MPI) {
            add_ticks(&(struct sums){analysis, sums}, analysis->graph->nodes[step->node].region,
                      OTTER_STATE_MPI, step->end - step->begin);
        } else {
            idle += step->end - step->begin;
        }
    }
    return idle;
}
