// Functions in which threads execute, from the samples of an archive.
#pragma once

#include "analysis/sample/frames.h"
#include "analysis/sample/samples.h"
#include "analysis/sample/share.h"

// The samples of a function while its thread executed one label, or was in one other state.
struct otter_function_use {
    const char *function;   // "" for code without a module
    const char *where;      // the line with the most samples: "fib.c:12"; "" if unknown
    uint32_t label;         // region, if the state is EXECUTING; otherwise OTTER_NONE
    enum otter_state state; // or OTTER_STATE_UNRECORDED
    uint64_t n_self;        // samples in the function itself
    uint64_t n_total;       // samples in the function or in functions that it calls
    uint64_t n_path;        // of n_self: on the realised path
};

struct otter_function_uses {
    OTTER_VECTOR(struct otter_function_use); // in descending order of samples
};

enum { OTTER_PATH_FUNCTIONS = 3 };

struct otter_path_function {
    const char *function;
    uint64_t n; // its own samples on the realised path
};

struct otter_functions {
    struct otter_function_uses uses;
    struct otter_function_uses lines; // for each line with samples; n_total equals n_self
    struct otter_path_function on_path[OTTER_PATH_FUNCTIONS]; // in descending order of samples
    uint32_t n_on_path;                                       // fewer if there are no more
    struct otter_samples samples;
    struct otter_frames frames;
};

// Returns the line with the most samples while threads executed `label`, except those of the
// recorder, and stores the number of all these samples; NULL if there is none.
const struct otter_function_use *otter_functions_hottest(const struct otter_functions *functions,
                                                         uint32_t label, uint64_t *n_samples);

// Reads and counts all samples of the completed `analysis`. Memory: 40 bytes for each sample, and
// 40 for each function of each different call chain. The caller finishes *functions in any case.
// Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_functions_read(struct otter_functions *functions,
                                       const struct otter_analysis *analysis,
                                       const struct otter_labels *labels);
void otter_functions_finish(struct otter_functions *functions);
