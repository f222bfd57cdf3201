// Several recordings of one program: ranges of its numbers, and the findings that they agree on.
#pragma once

#include "report/form/analysis.h"
#include "report/diff/diff_noise.h"
#include "report/diff/diff_run.h"

// A finding at a place.
struct otter_runs_finding {
    char *text;        // "imbalance: for a.c:7"
    uint32_t n;        // recordings with this finding
    uint32_t last_run; // number of the last recording with this finding
    uint32_t n_first;  // recordings in which it is the most costly
    // Percent of the thread time, in the recordings with this finding.
    double costs[OTTER_DIFF_MOST_RUNS];
    struct otter_spread cost;
};

struct otter_runs {
    struct otter_diff_run runs[OTTER_DIFF_MOST_RUNS];
    uint32_t n;
    struct otter_spread numbers[OTTER_N_DIFF_NUMBERS];
    struct {
        OTTER_VECTOR(struct otter_runs_finding);
    } findings;         // findings in most recordings first, then the most costly
    bool has_one_graph; // all task graphs are equal
    uint32_t n_incomplete;
};

// Reads 2 to OTTER_DIFF_MOST_RUNS archives of processes, one at a time. The caller finishes *runs
// in any case. *Errors*: OTTER_BAD_VALUE if the archives have different command lines or numbers of
// threads; any from reading. *complaint has the message.
enum otter_status otter_runs_init(struct otter_runs *runs, char *const *paths, uint32_t n,
                                  struct otter_complaint *complaint);
void otter_runs_finish(struct otter_runs *runs);

// Prints one screen.
void otter_runs_print(FILE *out, const struct otter_runs *runs, unsigned width);
// Returns all numbers as an object, which the caller owns.
json_t *otter_runs_json(const struct otter_runs *runs);
