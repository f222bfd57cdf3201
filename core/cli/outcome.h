// What became of a recording: the recorder's report, and the reason why there is nothing where something was expected.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "cli/child.h"
#include "cli/openmp.h"
#include "cli/program.h"

// A recording that was begun and not completed.
struct otter_left {
    pid_t pid;
    char *folder;
};

// What the recorder appended to the file named by OTTER_REPORT_FILE. A program may start others: all of them are counted.
struct otter_outcome {
    unsigned n_attached; // connectors loaded by a runtime
    bool has_kokkos;     // that for Kokkos among them
    unsigned n_archives; // complete
    unsigned n_empty;    // sessions without an event
    unsigned n_unwanted; // the program was asked for the settings alone
    unsigned n_failed;   // the recorder has said why
    pid_t *unfinished;   // processes that attached and said nothing more
    size_t n_unfinished;
    struct otter_left *left; // in the order in which they were begun
    size_t n_left;
};

// Creates the file for the report and names it in the environment. Returns its path, for otter_report_read; NULL: there is none.
char *otter_report_create(void);

// Takes what was reported, and removes the file and the path. Accepts NULL.
void otter_report_read(char *path, struct otter_outcome *outcome);
void otter_outcome_finish(struct otter_outcome *outcome);

// Says why nothing was recorded, or only a part, where the recorder could not say it.
void otter_outcome_explain(const struct otter_outcome *outcome, const struct otter_program *program,
                           const struct otter_openmp *openmp, const struct otter_child *child);
