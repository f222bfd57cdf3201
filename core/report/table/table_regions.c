// Fills the table of parallel regions.
#include <math.h>

#include "report/table/table_fill.h"

// Columns for which the sum has a number.
enum { NO_WORK = 4, DELAY, TIED = 7, WAITING };

static double seconds(const struct otter_report *report, uint64_t ticks)
{
    return otter_report_seconds(report, ticks);
}

static void add_region(const struct otter_report *report, const struct otter_region_use *use,
                       struct otter_sheet *table)
{
    const struct otter_wait_account *waits = &report->analysis->account.regions[use->label];
    double n = (double)use->n, members = (double)use->n_members;
    double values[] = {
        n,
        seconds(report, use->wall),
        otter_percent((double)use->executing, (double)use->thread_time),
        seconds(report, use->imbalance),
        seconds(report, waits->no_work),
        seconds(report, waits->delay),
        seconds(report, use->executing),
        seconds(report, waits->tied),
        seconds(report, use->waiting),
        use->executing ? (double)use->max_executing / use->mean_executing : 0,
        seconds(report, use->late),
        seconds(report, use->wall) / n,
        members / n,
        seconds(report, use->lock),
    };
    char text[OTTER_LABEL_SIZE];
    otter_sheet_add(table, otter_report_label(report, use->label, text), values);
}

// Adds taskwaits, fences and other waits outside of regions, so that the rows add up to all waits.
static void add_outside(const struct otter_report *report, struct otter_sheet *table)
{
    const struct otter_account *account = &report->analysis->account;
    const struct otter_wait_account *waits = &account->regions[account->n_labels - 1];
    double values[OTTER_SHEET_COLUMNS];
    for (unsigned i = 0; i < table->n_columns; i++) {
        values[i] = NAN;
    }
    values[NO_WORK] = seconds(report, waits->no_work);
    values[DELAY] = seconds(report, waits->delay);
    values[TIED] = seconds(report, waits->tied);
    values[WAITING] = seconds(report, waits->ticks);
    if (waits->ticks > 0) {
        otter_sheet_add_sum(table, "outside of regions", values);
    }
}

void otter_fill_regions(const struct otter_report *report, struct otter_sheet *table)
{
    static const struct otter_column columns[] = {
        {"executions", "count", OTTER_COLUMN_COUNT},
        {"wall_s", "wall", OTTER_COLUMN_SECONDS},
        {"efficiency_percent", "efficiency", OTTER_COLUMN_PERCENT},
        {"imbalance_s", "imbalance", OTTER_COLUMN_SECONDS},
        {"no_work_s", "no work", OTTER_COLUMN_SECONDS},
        {"delay_s", "delay", OTTER_COLUMN_SECONDS},
        {"busy_s", "busy", OTTER_COLUMN_SECONDS},
        {"tied_s", "tied tasks", OTTER_COLUMN_SECONDS},
        {"waiting_s", "waiting", OTTER_COLUMN_SECONDS},
        {"busiest_ratio", "busiest", OTTER_COLUMN_RATIO},
        {"late_s", "late", OTTER_COLUMN_SECONDS},
        {"mean_s", "mean", OTTER_COLUMN_SECONDS},
        {"threads", "threads", OTTER_COLUMN_RATIO},
        {"locks_s", "locks", OTTER_COLUMN_SECONDS},
    };
    OTTER_SET_COLUMNS(table, "region", columns);
    for (uint32_t i = 0; i < report->analysis->regions.n; i++) {
        add_region(report, &report->analysis->regions.items[i], table);
    }
    add_outside(report, table);
    otter_sheet_sort(table, 1);
}
