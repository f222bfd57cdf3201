// Predictions: other numbers of threads, and labels that take another time.
#pragma once

#include "report/analysis.h"

// A label by its text and how much longer it takes; factor 0.5 is half the time.
struct otter_what_if {
    const char *label;
    double factor;
};

// A table of times on `first` to `last` threads, below the replay for the observed number.
// Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_what_if_print_threads(FILE *out, const struct otter_report *report,
                                              uint32_t first, uint32_t last);

// The time with all changes at once. Returns OTTER_NOT_FOUND if a label does not occur, whose index
// is then in *unknown; OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_what_if_print(FILE *out, const struct otter_report *report,
                                      const struct otter_what_if *changes, size_t n,
                                      size_t *unknown);

// One line: the label that gains most if it takes half the time. Prints nothing for graphs of more
// than 50,000 nodes.
// Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_what_if_print_best(FILE *out, const struct otter_report *report);
