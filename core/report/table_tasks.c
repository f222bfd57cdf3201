// Fills the table of explicit tasks.
#include "report/table_fill.h"

void otter_fill_tasks(const struct otter_report *report, struct otter_sheet *table)
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
    OTTER_SET_COLUMNS(table, columns);
    table->text_head = "task";
    char text[OTTER_LABEL_SIZE];
    for (uint32_t i = 0; i < report->analysis->tasks.n; i++) {
        const struct otter_task_use *use = &report->analysis->tasks.items[i];
        double values[] = {(double)use->n,
                           otter_report_seconds(report, use->work),
                           otter_report_seconds(report, use->min),
                           otter_report_seconds(report, use->median),
                           otter_report_seconds(report, use->p99),
                           otter_report_seconds(report, use->max),
                           otter_report_seconds(report, use->median_queued),
                           otter_percent((double)use->n_moved, (double)use->n),
                           otter_report_seconds(report, use->on_span),
                           (double)use->n_undeferred};
        otter_sheet_add(table, otter_report_label(report, use->region, text), values);
    }
    otter_sheet_sort(table, 1);
}
