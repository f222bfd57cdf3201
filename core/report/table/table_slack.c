// Fills the table of slack.
#include <math.h>

#include "analysis/detail/slack.h"
#include "report/table/table_fill.h"

static void add_row(const struct otter_report *report, struct otter_sheet *table,
                    const struct otter_slack_use *use)
{
    char text[OTTER_LABEL_SIZE];
    double tick = report->analysis->tick;
    double values[] = {otter_report_seconds(report, use->executed),
                       otter_report_seconds(report, use->least),
                       isinf(use->growth) ? NAN : 100 * use->growth,
                       otter_report_seconds(report, use->realised_least),
                       use->mean * tick,
                       use->realised_mean * tick,
                       (double)use->n};
    otter_sheet_add(table, otter_report_label(report, use->label, text), values);
}

void otter_fill_slack(const struct otter_report *report, struct otter_sheet *table)
{
    static const struct otter_column columns[] = {
        {"executed_s", "executed", OTTER_COLUMN_SECONDS},
        {"least_s", "slack", OTTER_COLUMN_SECONDS},
        {"growth_percent", "may grow", OTTER_COLUMN_PERCENT},
        {"realised_least_s", "in this run", OTTER_COLUMN_SECONDS},
        {"mean_s", "mean slack", OTTER_COLUMN_SECONDS},
        {"realised_mean_s", "mean in this run", OTTER_COLUMN_SECONDS},
        {"pieces", "pieces", OTTER_COLUMN_COUNT},
    };
    OTTER_SET_COLUMNS(table, "label", columns);
    struct otter_slack slack;
    otter_slack_init(&slack, report->analysis, report->slack);
    for (uint32_t i = 0; i < slack.n; i++) {
        add_row(report, table, &slack.items[i]);
    }
    otter_slack_finish(&slack);
}
