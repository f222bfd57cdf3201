// Fills the table of the MPI calls.
#include "report/table/table_fill.h"

void otter_fill_mpi(const struct otter_report *report, struct otter_sheet *table)
{
    static const struct otter_column columns[] = {
        {"calls", "calls", OTTER_COLUMN_COUNT},
        {"total_s", "total", OTTER_COLUMN_SECONDS},
        {"total_percent", "share", OTTER_COLUMN_PERCENT},
        {"mean_s", "mean", OTTER_COLUMN_SECONDS},
        {"longest_s", "longest", OTTER_COLUMN_SECONDS},
        {"sends", "sends", OTTER_COLUMN_COUNT},
        {"receives", "receives", OTTER_COLUMN_COUNT},
        {"sent_bytes", "sent", OTTER_COLUMN_BYTES},
        {"received_bytes", "received", OTTER_COLUMN_BYTES},
    };
    OTTER_SET_COLUMNS(table, "call", columns);
    const struct otter_analysis *analysis = report->analysis;
    const struct otter_mpi *mpi = &analysis->mpi;
    for (size_t i = 0; mpi->uses && i < analysis->definitions->n_regions; i++) {
        const struct otter_mpi_use *use = &mpi->uses[i];
        double total = otter_report_seconds(report, use->ticks);
        double values[] = {(double)use->n,
                           total,
                           otter_percent((double)use->ticks, (double)analysis->account.total),
                           use->n > 0 ? total / (double)use->n : 0,
                           otter_report_seconds(report, use->longest),
                           (double)use->n_sends,
                           (double)use->n_receives,
                           (double)use->sent,
                           (double)use->received};
        if (use->n > 0) {
            otter_sheet_add(table, analysis->definitions->regions[i].name, values);
        }
    }
    otter_sheet_sort(table, 1);
}
