// The command line of `otter diff`, parsed.
#pragma once

#include "report/diff/diff.h"
#include "report/diff/diff_condition.h"

enum otter_diff_form { OTTER_DIFF_TEXT, OTTER_DIFF_CSV, OTTER_DIFF_JSON };

enum { OTTER_DIFF_CONDITIONS = 64, OTTER_DIFF_CHANGES = 16 };

struct otter_diff_request {
    enum otter_diff_form form;
    const char *table; // NULL: the summary
    unsigned n_tables; // number of options that name a table
    const char *sort, *junit;
    struct otter_diff_style style;
    char *paths[2][OTTER_DIFF_MOST_RUNS]; // before, after
    uint32_t n_paths[2];
    bool is_after; // the archives that follow belong to the second side
    struct otter_condition conditions[OTTER_DIFF_CONDITIONS];
    size_t n_conditions;
    struct otter_what_if changes[OTTER_DIFF_CHANGES];
    size_t n_changes;
    bool is_predicting;
    bool has_rank;
    uint32_t rank;
};

// Parses the arguments. `request` points into `argv`. Returns OTTER_EXIT_OK, OTTER_EXIT_HELP, or
// OTTER_EXIT_USAGE after printing an error.
int otter_diff_request_read(struct otter_diff_request *request, int argc, char **argv);
