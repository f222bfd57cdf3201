// Fills the table of explicit tasks.
#include <math.h>

#include "analysis/detail/task_details.h"
#include "report/table/table_fill.h"

static double creator_text(const struct otter_report *report, struct otter_sheet *table,
                           const struct otter_task_detail *detail)
{
    char label[OTTER_LABEL_SIZE], text[OTTER_LABEL_SIZE + 16];
    if (detail->creator == OTTER_NONE) {
        return NAN;
    }
    snprintf(text, sizeof text, "%s%s", otter_report_label(report, detail->creator, label),
             detail->has_more_creators ? " and others" : "");
    return otter_sheet_text(table, text);
}

static void add_row(const struct otter_report *report, struct otter_sheet *table,
                    const struct otter_count_columns *counts, const struct otter_task_use *use,
                    const struct otter_task_detail *detail)
{
    char text[OTTER_LABEL_SIZE];
    double mean = (double)use->work / report->analysis->account.n_threads;
    double values[] = {
        (double)use->n,
        otter_report_seconds(report, use->work),
        otter_report_seconds(report, detail->inclusive),
        otter_report_seconds(report, use->median),
        otter_report_seconds(report, use->max),
        otter_report_seconds(report, use->median_queued),
        otter_percent((double)use->n_moved, (double)use->n),
        otter_report_seconds(report, use->on_span),
        otter_report_seconds(report, use->min),
        otter_report_seconds(report, use->p99),
        otter_report_seconds(report, detail->p99_queued),
        otter_report_seconds(report, detail->creating),
        mean > 0 ? (double)detail->most / mean : NAN,
        report->analysis->account.blame[use->region] * report->analysis->tick,
        (double)use->n_undeferred,
        creator_text(report, table, detail),
    };
    otter_count_columns_row(counts, table, otter_report_label(report, use->region, text), values,
                            use->region, use->n);
}

void otter_fill_tasks(const struct otter_report *report, struct otter_sheet *table)
{
    static const struct otter_column columns[] = {
        {"count", "count", OTTER_COLUMN_COUNT},
        {"work_s", "work", OTTER_COLUMN_SECONDS},
        {"inclusive_s", "with below", OTTER_COLUMN_SECONDS},
        {"median_s", "median", OTTER_COLUMN_SECONDS},
        {"max_s", "max", OTTER_COLUMN_SECONDS},
        {"median_queued_s", "queued", OTTER_COLUMN_SECONDS},
        {"moved_percent", "moved", OTTER_COLUMN_PERCENT},
        {"span_s", "on span", OTTER_COLUMN_SECONDS},
        {"min_s", "min", OTTER_COLUMN_SECONDS},
        {"p99_s", "p99", OTTER_COLUMN_SECONDS},
        {"p99_queued_s", "p99 queued", OTTER_COLUMN_SECONDS},
        {"creating_s", "creating", OTTER_COLUMN_SECONDS},
        {"busiest_ratio", "busiest", OTTER_COLUMN_RATIO},
        {"blame_s", "blame", OTTER_COLUMN_SECONDS},
        {"undeferred", "undeferred", OTTER_COLUMN_COUNT},
        {"creator", "creator", OTTER_COLUMN_TEXT},
    };
    OTTER_SET_COLUMNS(table, "task", columns);
    struct otter_count_columns counts = otter_count_columns_add(report, table, 2, OTTER_COUNT_EACH);
    struct otter_task_details details;
    otter_task_details_init(&details, report->analysis);
    for (uint32_t i = 0; i < report->analysis->tasks.n; i++) {
        const struct otter_task_use *use = &report->analysis->tasks.items[i];
        add_row(report, table, &counts, use, &details.items[i]);
    }
    otter_task_details_finish(&details);
    otter_sheet_sort(table, 1);
}
