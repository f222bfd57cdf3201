// Predictions for other numbers of threads and for changes of the program.
#pragma once

#include "report/predict/predict_labels.h"

struct otter_prediction {
    uint32_t n_threads;
    struct otter_replay_times times;
};

struct otter_predictions {
    struct otter_prediction observed; // the replay of the run itself
    struct otter_prediction quiet;    // the same without preemption, if is_quiet
    struct {
        OTTER_VECTOR(struct otter_prediction);
    } items;
    double undivided; // share of the work
    bool has_changes;
    bool is_quiet;      // changes are relative to `quiet`, otherwise to `observed`
    bool has_functions; // some change is of a function
    // the share of all samples that these functions have, with the interval of 95 %
    double least_share, most_share;
};

// *Returns* the next number of threads after `n` to predict; above `last`: none. A short range has
// all numbers; a long range has powers of 2 and both ends.
uint32_t otter_prediction_next(uint32_t n, uint32_t first, uint32_t last);

// Predicts the time with all changes together, on `first` to `last` threads; 0: as many as in the
// run. After a failure there is nothing to finish. Returns OTTER_NOT_FOUND if a label does not
// occur, after a message with the known ones, otherwise OTTER_OK.
enum otter_status otter_predict(const struct otter_report *report,
                                const struct otter_what_if *changes, size_t n, uint32_t first,
                                uint32_t last, struct otter_predictions *predictions);
// Returns the error of the replay of the run itself, relative to the wall time: 0.01 is 1 %.
double otter_prediction_error(const struct otter_report *report,
                              const struct otter_predictions *predictions);
// The share of the thread time without a processor from which on predictions leave it out.
#define OTTER_PREEMPTED 0.01
// The middle of the change of the time, relative to the replay of the run itself.
double otter_prediction_change(const struct otter_predictions *predictions,
                               const struct otter_prediction *prediction);
// Finds the smallest and the largest change of the time over all policies. Compares the time of
// each policy with that of the run itself under the same policy.
void otter_prediction_changes(const struct otter_predictions *predictions,
                              const struct otter_prediction *prediction, double *least,
                              double *most);
enum { OTTER_CHANGE_SIZE = 64 };
// Writes "-20.1 %", or "-20.1 to +3.4 %" if the ends differ by 1 point or more. Returns `text`.
const char *otter_prediction_change_text(double least, double most, char text[OTTER_CHANGE_SIZE]);
void otter_predictions_finish(struct otter_predictions *predictions);

// Returns OTTER_DEFECT if a prediction is outside of its bounds and therefore has no number,
// otherwise OTTER_OK.
enum otter_status otter_predictions_check(const struct otter_predictions *predictions);

void otter_predictions_print(FILE *out, const struct otter_report *report,
                             const struct otter_predictions *predictions);
// Returns OTTER_IO or OTTER_OK.
enum otter_status otter_predictions_print_json(FILE *out, const struct otter_report *report,
                                               const struct otter_predictions *predictions);

// Prints up to three changes that gain 1 % or more. The first is the best of a barrier that does
// not wait, a lock that is never busy, a balanced loop, and the taskwait of the finding on a chain.
// The second is the label that gains most if it takes half the time. The third is the function that
// executes most of the critical path, if the archive has samples. A graph with more than 4,000,000
// nodes, or whose replay is off by more than 20 %, gets a line that says so. Prints nothing if the
// finding is that the run is too short. Lines have at most `width` columns.
void otter_predict_best(FILE *out, const struct otter_report *report, int width);
