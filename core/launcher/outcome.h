// The outcome of a recording: the recorder's report or, if nothing was recorded, the reason.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "launcher/child.h"
#include "launcher/openmp.h"
#include "launcher/program.h"

struct otter_left; // a recording that was not completed

// The lines that recorders appended to the file OTTER_REPORT_FILE. A program may start others; the
// lines of all of them are counted.
struct otter_outcome {
    unsigned n_attached; // connectors loaded by a runtime
    bool has_kokkos;     // whether the Kokkos connector is among them
    unsigned n_archives; // complete archives
    char **archives;     // folders of the complete archives; fewer if memory runs out
    size_t n_folders;
    unsigned n_empty;    // sessions without an event
    unsigned n_unwanted; // sessions whose program only printed the help of its tool
    unsigned n_gnu;      // archives of processes on GCC's OpenMP runtime, which is not recorded
    unsigned n_failed;   // failed sessions; the recorder has printed the reason
    pid_t *unfinished;   // processes that attached but did not report their end
    size_t n_unfinished;
    struct otter_job {
        char *folder; // NULL: no process was a rank of a job
        unsigned n_ranks;
        char *spawned; // the first archive whose rank also has another archive; NULL: none
        uint64_t n_events, n_tasks, n_lost;
    } job;                   // filled if the command has started the launcher of a job's ranks
    struct otter_left *left; // sorted by start
    size_t n_left;
};

// Creates the report file and exports its path. Returns the path for otter_report_read, or NULL.
char *otter_report_create(void);

// Reads the report, removes the file and frees `path`, which may be NULL.
void otter_report_read(char *path, struct otter_outcome *outcome);
void otter_outcome_finish(struct otter_outcome *outcome);

// Stores source lines in all archives. Prints a warning if it fails.
void otter_outcome_store_lines(const struct otter_outcome *outcome);

// Prints the closing block of a job, if the program was its launcher.
void otter_outcome_print_job(const struct otter_outcome *outcome);

// Prints why nothing or only a part was recorded, unless the recorder has printed it.
void otter_outcome_explain(const struct otter_outcome *outcome, const struct otter_program *program,
                           const struct otter_openmp *openmp, const struct otter_child *child);
