// Fills the table of parallel regions.
#include "report/table_fill.h"

void otter_fill_regions(const struct otter_report *report, struct otter_sheet *table)
{
    static const struct otter_column columns[] = {
        {"executions", "count", OTTER_COLUMN_COUNT},
        {"wall_s", "wall", OTTER_COLUMN_SECONDS},
        {"executing_s", "executing", OTTER_COLUMN_SECONDS},
        {"waiting_s", "waiting", OTTER_COLUMN_SECONDS},
        {"imbalance_s", "imbalance", OTTER_COLUMN_SECONDS},
        {"busiest_ratio", "busiest", OTTER_COLUMN_RATIO},
        {"efficiency_percent", "efficiency", OTTER_COLUMN_PERCENT},
        {"late_s", "late", OTTER_COLUMN_SECONDS},
        {"mean_s", "mean", OTTER_COLUMN_SECONDS},
        {"threads", "threads", OTTER_COLUMN_RATIO},
        {"locks_s", "locks", OTTER_COLUMN_SECONDS},
    };
    OTTER_SET_COLUMNS(table, columns);
    table->text_head = "region";
    char text[OTTER_LABEL_SIZE];
    for (uint32_t i = 0; i < report->analysis->regions.n; i++) {
        const struct otter_region_use *use = &report->analysis->regions.items[i];
        double n = (double)use->n, members = (double)use->n_members;
        double mean = use->executing ? (double)use->executing / members : 0;
        double values[] = {n,
                           otter_report_seconds(report, use->wall),
                           otter_report_seconds(report, use->executing),
                           otter_report_seconds(report, use->waiting),
                           otter_report_seconds(report, use->imbalance),
                           mean > 0 ? (double)use->max_executing / n / mean : 0,
                           otter_percent((double)use->executing, (double)use->thread_time),
                           otter_report_seconds(report, use->late),
                           otter_report_seconds(report, use->wall) / n,
                           members / n,
                           otter_report_seconds(report, use->lock)};
        otter_sheet_add(table, otter_report_label(report, use->label, text), values);
    }
    otter_sheet_sort(table, 1);
}
