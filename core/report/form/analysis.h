// The report of an archive: what limited the program, as text and as JSON.
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include <jansson.h>

#include "analysis/findings/findings.h"
#include "graph/label.h"

struct otter_functions;
struct otter_label_choice;
struct otter_counts;
struct otter_node_slack;

struct otter_report {
    struct otter_archive *archive;
    const struct otter_analysis *analysis;
    const struct otter_findings *findings;
    const struct otter_labels *labels;
    bool is_full;       // a chain lists every step
    uint32_t max_steps; // a chain has only this many steps, the longest; 0: all
    // NULL: a table that needs them computes them
    const struct otter_node_slack *slack;
    const struct otter_path_labels *path_labels;
    // Events that were already read; only one table may use each walk. NULL: the table reads them.
    struct otter_loop_walk *loop_walk;
    struct otter_lock_walk *lock_walk;
    // of the samples; NULL: a table that needs them reads them
    const struct otter_functions *functions;
    struct otter_label_choice *choice; // of tables of samples; NULL: all labels
    const struct otter_counts *counts; // NULL: tables have no columns of counters
};

static inline double otter_report_seconds(const struct otter_report *report, uint64_t ticks)
{
    return (double)ticks * report->analysis->tick;
}

struct otter_screen {
    int width; // columns; lines have 60 to 100
    bool has_bold;
    // of the run, if the user named no archive: "recorded 3 minutes ago"; otherwise NULL
    const char *age;
};

// Prints one screen: about 40 lines.
void otter_report_print_summary(FILE *out, const struct otter_report *report,
                                struct otter_screen screen);
// Prints all findings in full.
void otter_report_print_findings(FILE *out, const struct otter_report *report,
                                 struct otter_screen screen);
// Returns all numbers.
json_t *otter_report_json(const struct otter_report *report);
// Prints the JSON as text. Returns OTTER_IO if not all was written, or OTTER_OK.
enum otter_status otter_report_print_json(FILE *out, const struct otter_report *report);

// Names a wait; the kinds of implicit barriers have different names. Never NULL.
const char *otter_report_wait_name(enum otter_construct construct);

enum { OTTER_LABEL_SIZE = 240 };

// Writes the label of a region, or of code between MPI calls, into `text` and returns `text`.
// Writes "(no label)" for other indexes, and for a region without a label. A note distinguishes
// regions with equal labels: "single fib.c:12, other".
const char *otter_report_label(const struct otter_report *report, uint32_t region,
                               char text[OTTER_LABEL_SIZE]);

// The ticks of both critical paths by label: account.n_labels places each.
struct otter_path_labels {
    uint64_t *span, *realised;
    uint64_t idle; // of the realised path, as otter_report_realised_labels returns them
};

void otter_path_labels_init(struct otter_path_labels *paths, const struct otter_analysis *analysis);
void otter_path_labels_finish(struct otter_path_labels *paths);

// Adds up the ticks of the realised path by label in `sums`, which has account.n_labels places, all
// 0. Returns the ticks in which no thread executed (latency and dispatch), without MPI calls.
uint64_t otter_report_realised_labels(const struct otter_analysis *analysis, uint64_t *sums);
