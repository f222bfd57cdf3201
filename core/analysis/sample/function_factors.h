// By how much labels change if functions take another time.
#pragma once

#include "analysis/sample/frames.h"
#include "analysis/sample/interval_ratios.h"
#include "analysis/sample/samples.h"

struct otter_function_change {
    const char *function;
    double factor; // of the time in the function and in the functions that it calls
};

enum { OTTER_MAX_FUNCTION_CHANGES = 32 };

// Factors of the executed time, for each of account.n_labels labels; 1 for a label without samples.
// A label's factor is the mean of its samples' factors: the product of the factors of all changed
// functions in the call chain. Time without samples, in the kernel or blocked, does not change.
struct otter_function_factors {
    double *middle;
    // The interval of 95 %, as if the errors of all labels were independent.
    double *least, *most;
    struct otter_interval_ratios ratios;
    uint32_t found;                // bits of the changes whose functions have samples
    uint64_t n_changed, n_samples; // samples in changed functions, and all: while executing
};

// Returns OTTER_NO_MEMORY or OTTER_OK. The caller finishes *factors in any case.
enum otter_status otter_function_factors_init(struct otter_function_factors *factors,
                                              const struct otter_analysis *analysis,
                                              const struct otter_samples *samples,
                                              const struct otter_frames *frames,
                                              const struct otter_function_change *changes,
                                              size_t n_changes);
void otter_function_factors_finish(struct otter_function_factors *factors);
