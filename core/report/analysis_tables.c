// Fills the tables of a report.
#include "report/analysis_tables.h"

#include <stdio.h>
#include <stdlib.h>

#include "trace/schema.h"

enum { LABEL_SIZE = 240 };

const char *otter_report_table_name(enum otter_report_table table)
{
    static const char *const names[OTTER_N_TABLES] = {"tasks",   "regions", "labels",
                                                      "threads", "waits",   "critical-path"};
    return table < OTTER_N_TABLES ? names[table] : "unknown";
}

const char *otter_report_wait_name(enum otter_construct construct)
{
    switch (construct) {
    case OTTER_CONSTRUCT_BARRIER_WORKSHARE: return "!$omp implicit barrier (worksharing)";
    case OTTER_CONSTRUCT_BARRIER_PARALLEL: return "!$omp implicit barrier (parallel)";
    case OTTER_CONSTRUCT_BARRIER_TEAMS: return "!$omp implicit barrier (teams)";
    case OTTER_CONSTRUCT_BARRIER_IMPLEMENTATION: return "!$omp implicit barrier (runtime)";
    default: return otter_construct_name(construct);
    }
}

static const char *label_text(const struct otter_report *report, uint32_t region,
                              char text[LABEL_SIZE])
{
    const struct otter_labels *labels = report->labels;
    if (region >= labels->n_regions) {
        snprintf(text, LABEL_SIZE, "(no label)");
        return text;
    }
    return otter_label_text(otter_label_of(labels, region), text, LABEL_SIZE);
}

static double percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

static void fill_tasks(const struct otter_report *report, struct otter_sheet *table)
{
    static const struct otter_column columns[] = {
        {"count", "count", OTTER_COLUMN_COUNT},
        {"work_s", "work", OTTER_COLUMN_SECONDS},
        {"min_s", "min", OTTER_COLUMN_SECONDS},
        {"median_s", "median", OTTER_COLUMN_SECONDS},
        {"p99_s", "p99", OTTER_COLUMN_SECONDS},
        {"max_s", "max", OTTER_COLUMN_SECONDS},
        {"median_queued_s", "queued", OTTER_COLUMN_SECONDS},
        {"moved_percent", "moved", OTTER_COLUMN_PERCENT},
        {"span_s", "on span", OTTER_COLUMN_SECONDS},
        {"undeferred", "undeferred", OTTER_COLUMN_COUNT},
    };
    table->columns = columns;
    table->n_columns = sizeof columns / sizeof *columns;
    table->text_head = "task";
    char text[LABEL_SIZE];
    for (uint32_t i = 0; i < report->analysis->tasks.n; i++) {
        const struct otter_task_use *use = &report->analysis->tasks.items[i];
        double values[] = {(double)use->n,
                           otter_report_seconds(report, use->work),
                           otter_report_seconds(report, use->min),
                           otter_report_seconds(report, use->median),
                           otter_report_seconds(report, use->p99),
                           otter_report_seconds(report, use->max),
                           otter_report_seconds(report, use->median_queued),
                           percent((double)use->n_moved, (double)use->n),
                           otter_report_seconds(report, use->on_span),
                           (double)use->n_undeferred};
        otter_sheet_add(table, label_text(report, use->region, text), values);
    }
    otter_sheet_sort(table, 1);
}

static void fill_regions(const struct otter_report *report, struct otter_sheet *table)
{
    static const struct otter_column columns[] = {
        {"executions", "count", OTTER_COLUMN_COUNT},
        {"wall_s", "wall", OTTER_COLUMN_SECONDS},
        {"mean_s", "mean", OTTER_COLUMN_SECONDS},
        {"threads", "threads", OTTER_COLUMN_RATIO},
        {"executing_s", "executing", OTTER_COLUMN_SECONDS},
        {"waiting_s", "waiting", OTTER_COLUMN_SECONDS},
        {"locks_s", "locks", OTTER_COLUMN_SECONDS},
        {"imbalance_s", "imbalance", OTTER_COLUMN_SECONDS},
        {"busiest_ratio", "busiest", OTTER_COLUMN_RATIO},
    };
    table->columns = columns;
    table->n_columns = sizeof columns / sizeof *columns;
    table->text_head = "region";
    char text[LABEL_SIZE];
    for (uint32_t i = 0; i < report->analysis->regions.n; i++) {
        const struct otter_region_use *use = &report->analysis->regions.items[i];
        double n = (double)use->n, members = (double)use->n_members;
        double mean = use->executing ? (double)use->executing / members : 0;
        double values[] = {n,
                           otter_report_seconds(report, use->wall),
                           otter_report_seconds(report, use->wall) / n,
                           members / n,
                           otter_report_seconds(report, use->executing),
                           otter_report_seconds(report, use->waiting),
                           otter_report_seconds(report, use->lock),
                           otter_report_seconds(report, use->imbalance),
                           mean > 0 ? (double)use->max_executing / n / mean : 0};
        otter_sheet_add(table, label_text(report, use->label, text), values);
    }
    otter_sheet_sort(table, 1);
}

static bool find_paths(const struct otter_report *report, uint64_t **span, uint64_t **realised)
{
    size_t n = report->analysis->account.n_labels;
    *span = calloc(n, sizeof **span);
    *realised = calloc(n, sizeof **realised);
    if (!*span || !*realised) {
        return false;
    }
    otter_span_labels(report->analysis, *span);
    return true;
}

static void fill_labels(const struct otter_report *report, struct otter_sheet *table)
{
    static const struct otter_column columns[] = {
        {"executed_s", "executed", OTTER_COLUMN_SECONDS},
        {"executed_percent", "share", OTTER_COLUMN_PERCENT},
        {"blame_s", "blame", OTTER_COLUMN_SECONDS},
        {"realised_path_s", "realised", OTTER_COLUMN_SECONDS},
        {"span_s", "on span", OTTER_COLUMN_SECONDS},
    };
    table->columns = columns;
    table->n_columns = sizeof columns / sizeof *columns;
    table->text_head = "label";
    const struct otter_account *account = &report->analysis->account;
    uint64_t *span, *realised;
    char text[LABEL_SIZE];
    if (find_paths(report, &span, &realised)) {
        otter_report_realised_labels(report->analysis, realised);
        for (uint32_t i = 0; i < account->n_labels; i++) {
            double values[] = {otter_report_seconds(report, account->executed[i]),
                               percent((double)account->executed[i], (double)account->total),
                               account->blame[i] * report->analysis->tick,
                               otter_report_seconds(report, realised[i]),
                               otter_report_seconds(report, span[i])};
            if (account->executed[i] > 0) {
                otter_sheet_add(table, label_text(report, i, text), values);
            }
        }
    } else {
        table->is_short_of_memory = true;
    }
    free(span);
    free(realised);
    otter_sheet_sort(table, 0);
}

static void fill_threads(const struct otter_report *report, struct otter_sheet *table)
{
    static const struct otter_column columns[] = {
        {"executing_s", "executing", OTTER_COLUMN_SECONDS},
        {"waiting_s", "waiting", OTTER_COLUMN_SECONDS},
        {"locks_s", "locks", OTTER_COLUMN_SECONDS},
        {"forking_s", "forking", OTTER_COLUMN_SECONDS},
        {"outside_s", "outside", OTTER_COLUMN_SECONDS},
        {"paused_s", "paused", OTTER_COLUMN_SECONDS},
    };
    static const enum otter_state states[] = {OTTER_STATE_EXECUTING, OTTER_STATE_WAITING,
                                              OTTER_STATE_LOCK,      OTTER_STATE_FORKING,
                                              OTTER_STATE_OUTSIDE,   OTTER_STATE_PAUSED};
    table->columns = columns;
    table->n_columns = sizeof columns / sizeof *columns;
    table->text_head = "thread";
    const struct otter_timeline *timeline = &report->analysis->timeline;
    for (uint32_t i = 0; i < timeline->n_lines; i++) {
        const struct otter_thread_line *line = &timeline->lines[i];
        uint64_t sums[OTTER_N_STATES] = {0};
        for (uint32_t k = 0; k < line->intervals.n; k++) {
            sums[line->intervals.items[k].state] +=
                otter_interval_end(timeline, line, k) - line->intervals.items[k].begin;
        }
        double values[OTTER_N_STATES];
        for (unsigned k = 0; k < OTTER_N_STATES; k++) {
            values[k] = otter_report_seconds(report, sums[states[k]]);
        }
        otter_sheet_add(table, timeline->definitions->locations[line->location].name, values);
    }
}

static void fill_waits(const struct otter_report *report, struct otter_sheet *table)
{
    static const struct otter_column columns[] = {
        {"waited_s", "waited", OTTER_COLUMN_SECONDS},
        {"waited_percent", "share", OTTER_COLUMN_PERCENT},
        {"delay_s", "delay", OTTER_COLUMN_SECONDS},
        {"tied_s", "tied", OTTER_COLUMN_SECONDS},
        {"no_work_s", "no work", OTTER_COLUMN_SECONDS},
    };
    table->columns = columns;
    table->n_columns = sizeof columns / sizeof *columns;
    table->text_head = "wait";
    const struct otter_account *account = &report->analysis->account;
    for (unsigned i = 0; i < OTTER_N_CONSTRUCTS; i++) {
        const struct otter_wait_account *wait = &account->waits[i];
        double values[] = {otter_report_seconds(report, wait->ticks),
                           percent((double)wait->ticks, (double)account->total),
                           otter_report_seconds(report, wait->delay),
                           otter_report_seconds(report, wait->tied),
                           otter_report_seconds(report, wait->no_work)};
        if (wait->ticks > 0) {
            otter_sheet_add(table, otter_report_wait_name((enum otter_construct)i), values);
        }
    }
    otter_sheet_sort(table, 0);
}

static void fill_path(const struct otter_report *report, struct otter_sheet *table)
{
    static const struct otter_column columns[] = {
        {"realised_s", "realised", OTTER_COLUMN_SECONDS},
        {"realised_percent", "share", OTTER_COLUMN_PERCENT},
        {"span_s", "span", OTTER_COLUMN_SECONDS},
        {"span_percent", "share", OTTER_COLUMN_PERCENT},
    };
    table->columns = columns;
    table->n_columns = sizeof columns / sizeof *columns;
    table->text_head = "label";
    const struct otter_analysis *analysis = report->analysis;
    uint64_t *span, *realised;
    char text[LABEL_SIZE];
    if (find_paths(report, &span, &realised)) {
        uint64_t idle = otter_report_realised_labels(analysis, realised);
        double wall = (double)analysis->account.wall;
        for (uint32_t i = 0; i < analysis->account.n_labels; i++) {
            double values[] = {otter_report_seconds(report, realised[i]),
                               percent((double)realised[i], wall),
                               otter_report_seconds(report, span[i]),
                               percent((double)span[i], (double)analysis->span.span)};
            if (realised[i] > 0 || span[i] > 0) {
                otter_sheet_add(table, label_text(report, i, text), values);
            }
        }
        double values[] = {otter_report_seconds(report, idle), percent((double)idle, wall), 0, 0};
        otter_sheet_add(table, "(between tasks)", values);
    } else {
        table->is_short_of_memory = true;
    }
    free(span);
    free(realised);
    otter_sheet_sort(table, 0);
}

bool otter_report_fill(const struct otter_report *report, enum otter_report_table kind,
                       struct otter_sheet *table)
{
    static void (*const fills[OTTER_N_TABLES])(const struct otter_report *,
                                               struct otter_sheet *) = {
        fill_tasks, fill_regions, fill_labels, fill_threads, fill_waits, fill_path};
    *table = (struct otter_sheet){.name = otter_report_table_name(kind)};
    fills[kind](report, table);
    if (table->is_short_of_memory) {
        otter_sheet_finish(table);
        return false;
    }
    return true;
}
