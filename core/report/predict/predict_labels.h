// Changes of a program, and the labels that they may name.
#pragma once

#include "analysis/replay/replay.h"
#include "analysis/sample/function_factors.h"
#include "analysis/sample/share.h"
#include "report/form/label_choice.h"

enum otter_what_if_kind {
    OTTER_WHAT_IF_FACTOR = 0, // "LABEL=0.5x"
    OTTER_WHAT_IF_BARRIER,    // "drop barrier LABEL"
    OTTER_WHAT_IF_TASKWAIT,   // "drop taskwait LABEL"
    OTTER_WHAT_IF_LOCK,       // "drop lock LABEL"
    OTTER_WHAT_IF_BALANCE,    // "balance LABEL": the members of a loop execute equal work
    OTTER_WHAT_IF_CUT_OFF,    // "cut-off LABEL at 5": deeper tasks are executed immediately
    OTTER_WHAT_IF_FUNCTION,   // "function:NAME=0.5x": with the functions that it calls
};

struct otter_what_if {
    enum otter_what_if_kind kind;
    const char *label;
    double value;  // factor of FACTOR and FUNCTION, depth of CUT_OFF
    bool has_rank; // "rank 2: " before the change: only this rank changes
    uint32_t rank;
};

// Reads a change. Ends `text` after the label, to which the change then points. Returns false for
// other texts.
bool otter_what_if_read(char *text, struct otter_what_if *change);

// How a run uses each region: bits by region, account.n_labels of them.
enum otter_region_use_bit {
    OTTER_USED_EXECUTED = 1 << 0,
    OTTER_USED_BARRIER = 1 << 1,
    OTTER_USED_TASKWAIT = 1 << 2,
    OTTER_USED_LOCK = 1 << 3,
    OTTER_USED_LOOP = 1 << 4,
    OTTER_USED_DEVICE = 1 << 5,
    OTTER_USED_MPI = 1 << 6,
    OTTER_USED_TASK = 1 << 7, // explicit
};

// Returns an array that the caller frees.
unsigned char *otter_region_uses_of(const struct otter_report *report);

// The changes of a replay, which the caller initialises and frees.
struct otter_change_arrays {
    double *factors;
    double *at_least, *at_most; // the factors at both ends of the sampling error; NULL: no error
    struct otter_interval_ratios ratios; // additional factors of intervals
    double least_share, most_share;      // shares of the samples that changed functions have
    unsigned char *changes;
    uint32_t *cut_offs;
};

// Sets all arrays so that nothing changes.
void otter_change_arrays_init(struct otter_change_arrays *arrays,
                              const struct otter_report *report);
void otter_change_arrays_finish(struct otter_change_arrays *arrays);
// Returns the changes as a replay takes them; the arrays must outlive them.
static inline struct otter_replay_changes otter_changes_of(const struct otter_change_arrays *arrays)
{
    return (struct otter_replay_changes){.factors = arrays->factors,
                                         .changes = arrays->changes,
                                         .cut_offs = arrays->cut_offs,
                                         .of_intervals = arrays->ratios.lines};
}
// Applies a change to one region.
void otter_change_region(struct otter_change_arrays *arrays, uint32_t region,
                         enum otter_what_if_kind kind, double value);
// Applies a change to all regions with its label, unless the change is for another rank than
// `rank`. *Returns* whether any region was changed.
bool otter_change_labels(struct otter_change_arrays *arrays, const struct otter_report *report,
                         const unsigned char *uses, const struct otter_what_if *change,
                         uint32_t rank);
// Applies the changes of functions, after all others. Sets in `*known` the bits of the changes
// whose function has samples.
void otter_change_functions(struct otter_change_arrays *arrays, const struct otter_report *report,
                            const struct otter_what_if *changes, size_t n, uint32_t rank,
                            uint32_t *known);
// Returns the function with the most samples on the critical path; NULL if no function has at least
// a fifth of them. Ignores functions that mostly call others, and functions without source lines.
const char *otter_path_function(const struct otter_report *report);
// Adds the labels or functions that the change may name.
void otter_change_list_labels(struct otter_known_labels *known, const struct otter_report *report,
                              const unsigned char *uses, const struct otter_what_if *change);
// Prints an error that no region has the label of a change, and lists the known labels.
void otter_change_complain(struct otter_known_labels *known, const struct otter_what_if *change);
