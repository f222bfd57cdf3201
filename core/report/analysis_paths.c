// Sums up the realised path by label.
#include "analysis/states.h"
#include "report/analysis.h"

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

// Adds the time in calls of MPI, of the thread that executes the step's piece. Before the first and
// behind the last piece that is the first thread. *Returns* the rest of the step.
static uint64_t add_calls(struct sums *sums, const struct otter_path_step *step)
{
    const struct otter_analysis *analysis = sums->analysis;
    const struct otter_timeline *timeline = &analysis->timeline;
    uint32_t index = step->node == OTTER_NONE
                         ? 0
                         : timeline->line_of[analysis->graph->nodes[step->node].location];
    uint64_t rest = step->end - step->begin;
    if (index >= timeline->n_lines) {
        return rest;
    }
    const struct otter_thread_line *line = &timeline->lines[index];
    for (uint32_t i = otter_interval_at(line, step->begin);
         i < line->intervals.n && line->intervals.items[i].begin < step->end; i++) {
        const struct otter_interval *interval = &line->intervals.items[i];
        uint64_t begin = interval->begin > step->begin ? interval->begin : step->begin;
        uint64_t end = otter_interval_end(timeline, line, i);
        end = end < step->end ? end : step->end;
        if (interval->state == OTTER_STATE_MPI && begin < end) {
            add_ticks(sums, interval->label, OTTER_STATE_MPI, end - begin);
            rest -= end - begin;
        }
    }
    return rest;
}

uint64_t otter_report_realised_labels(const struct otter_analysis *analysis, uint64_t *sums)
{
    uint64_t idle = 0;
    for (uint32_t i = 0; i < analysis->realised.steps.n; i++) {
        const struct otter_path_step *step = &analysis->realised.steps.items[i];
        if (step->reason == OTTER_STEP_EXECUTED) {
            otter_piece_labels(analysis, step->node, step->begin, step->end, add_ticks,
                               &(struct sums){analysis, sums});
        } else {
            idle += add_calls(&(struct sums){analysis, sums}, step);
        }
    }
    return idle;
}
