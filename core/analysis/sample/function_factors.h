// By how much the times of labels change if functions take a different time.
#pragma once

#include "analysis/sample/frames.h"
#include "analysis/sample/interval_ratios.h"
#include "analysis/sample/samples.h"

struct otter_function_change {
    const char *function;
    double factor; // of the time in the function and in the functions that it calls
};

enum { OTTER_MAX_FUNCTION_CHANGES = 32 };

// Returns whether `name` is the function's name, its last part, or either of them without its
// parameters or the arguments of its template.
bool otter_function_has_name(const char *function, const char *name);

// Factors by which the executed time of each of account.n_labels labels changes; 1 for a label
// without samples. A label's factor is the mean of its samples' factors: the product of the factors
// of all changed functions in the call chain. Time without samples, in the kernel or blocked, does
// not change.
struct otter_function_factors {
    double *middle;
    // The 95 % interval, assuming that the errors of the labels are independent.
    double *least, *most;
    struct otter_interval_ratios ratios;
    uint32_t found;                // bits of the changes whose functions have samples
    uint64_t n_changed, n_samples; // samples while executing: in changed functions, and all
};

// Returns OTTER_NO_MEMORY or OTTER_OK. The caller finishes *factors in any case.
enum otter_status otter_function_factors_init(struct otter_function_factors *factors,
                                              const struct otter_analysis *analysis,
                                              const struct otter_samples *samples,
                                              const struct otter_frames *frames,
                                              const struct otter_function_change *changes,
                                              size_t n_changes);
void otter_function_factors_finish(struct otter_function_factors *factors);
