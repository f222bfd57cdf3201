// Fills the tables of labels and of both critical paths.
#include <stdlib.h>

#include "report/table/table_fill.h"

// Returns the paths of the report, or else *own, which the caller finishes.
static const struct otter_path_labels *paths_of(const struct otter_report *report,
                                                struct otter_path_labels *own)
{
    if (report->path_labels) {
        return report->path_labels;
    }
    otter_path_labels_init(own, report->analysis);
    return own;
}

void otter_fill_labels(const struct otter_report *report, struct otter_sheet *table)
{
    static const struct otter_column columns[] = {
        {"executed_s", "executed", OTTER_COLUMN_SECONDS},
        {"executed_percent", "share", OTTER_COLUMN_PERCENT},
        {"blame_s", "blame", OTTER_COLUMN_SECONDS},
        {"realised_path_s", "realised", OTTER_COLUMN_SECONDS},
        {"span_s", "on span", OTTER_COLUMN_SECONDS},
        {"creating_s", "creating", OTTER_COLUMN_SECONDS},
    };
    OTTER_SET_COLUMNS(table, "label", columns);
    struct otter_count_columns counts = otter_count_columns_add(report, table, 2, OTTER_COUNT_ALL);
    const struct otter_account *account = &report->analysis->account;
    struct otter_path_labels own = {0};
    const struct otter_path_labels *paths = paths_of(report, &own);
    char text[OTTER_LABEL_SIZE];
    for (uint32_t i = 0; i < account->n_labels; i++) {
        double values[] = {otter_report_seconds(report, account->executed[i]),
                           otter_percent((double)account->executed[i], (double)account->total),
                           account->blame[i] * report->analysis->tick,
                           otter_report_seconds(report, paths->realised[i]),
                           otter_report_seconds(report, paths->span[i]),
                           otter_report_seconds(report, account->created[i])};
        if (account->executed[i] > 0 || account->created[i] > 0) {
            otter_count_columns_row(&counts, table, otter_report_label(report, i, text), values, i,
                                    1);
        }
    }
    otter_path_labels_finish(&own);
    otter_sheet_sort(table, 0);
}

void otter_fill_path(const struct otter_report *report, struct otter_sheet *table)
{
    static const struct otter_column columns[] = {
        {"realised_s", "realised", OTTER_COLUMN_SECONDS},
        {"realised_percent", "share", OTTER_COLUMN_PERCENT},
        {"span_s", "span", OTTER_COLUMN_SECONDS},
        {"span_percent", "of span", OTTER_COLUMN_PERCENT},
    };
    OTTER_SET_COLUMNS(table, "label", columns);
    const struct otter_analysis *analysis = report->analysis;
    struct otter_path_labels own = {0};
    const struct otter_path_labels *paths = paths_of(report, &own);
    char text[OTTER_LABEL_SIZE];
    const uint64_t *span = paths->span, *realised = paths->realised;
    double wall = (double)analysis->account.wall;
    for (uint32_t i = 0; i < analysis->account.n_labels; i++) {
        double values[] = {otter_report_seconds(report, realised[i]),
                           otter_percent((double)realised[i], wall),
                           otter_report_seconds(report, span[i]),
                           otter_percent((double)span[i], (double)analysis->span.span)};
        if (realised[i] > 0 || span[i] > 0) {
            otter_sheet_add(table, otter_report_label(report, i, text), values);
        }
    }
    double values[] = {otter_report_seconds(report, paths->idle),
                       otter_percent((double)paths->idle, wall), 0, 0};
    otter_sheet_add(table, "(between tasks)", values);
    otter_path_labels_finish(&own);
    otter_sheet_sort(table, 0);
}
