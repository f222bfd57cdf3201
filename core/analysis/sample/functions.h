// Functions in which threads execute, from the samples of an archive.
#pragma once

#include "analysis/sample/frames.h"
#include "analysis/sample/samples.h"

// A function while its thread executed a label, or was in another state.
struct otter_function_use {
    const char *function;   // "" for code without a module
    const char *where;      // the line with most samples: "fib.c:12"; "" if unknown
    uint32_t label;         // region, if the state is EXECUTING; otherwise OTTER_NONE
    enum otter_state state; // or OTTER_STATE_UNRECORDED
    uint64_t n_self;        // samples in the function itself
    uint64_t n_total;       // also in the functions that it calls
};

struct otter_functions {
    OTTER_VECTOR(struct otter_function_use); // the most samples first
    struct otter_samples samples;
    struct otter_frames frames;
};

// Stores the share of the samples that `n` of them have, with a probability of 95 %: from *low to
// *high (Wilson's interval of a binomial share).
void otter_sample_share(uint64_t n, uint64_t n_samples, double *low, double *high);

// Reads all samples of `analysis`, which is complete, and counts them. Memory: 36 bytes for each
// sample, and 32 for each function of each different call chain. The caller finishes *functions in
// any case. Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_functions_read(struct otter_functions *functions,
                                       const struct otter_analysis *analysis,
                                       const struct otter_labels *labels);
void otter_functions_finish(struct otter_functions *functions);
