// Fills the tables of the critical path with one rank's part.
#include "report/diff/diff_path.h"

#include <stdlib.h>
#include <string.h>

static void fill_labels(const struct otter_job_path *path, uint32_t rank, struct otter_sheet *table)
{
    uint64_t *ticks = calloc(path->labels.n + (size_t)1, sizeof *ticks);
    for (uint32_t i = 0; i < path->job->stays.n; i++) {
        if (path->job->stays.items[i].rank == rank) {
            otter_job_path_add_up(path, i, ticks);
        }
    }
    for (uint32_t i = 0; i <= path->labels.n; i++) {
        double seconds = (double)ticks[i] * path->tick;
        if (ticks[i] > 0) {
            otter_sheet_add(table, otter_job_path_text(path, i), &seconds);
        }
    }
    free(ticks);
}

void otter_diff_path_fill(const struct otter_report *report, const struct otter_job *job,
                          const char *option, struct otter_sheet *table)
{
    static const struct otter_column columns[] = {{"realised_s", "realised", OTTER_COLUMN_SECONDS}};
    bool has_labels = strcmp(option, "critical-path") == 0;
    uint32_t number =
        (uint32_t)otter_definitions_number(report->analysis->definitions, "OTTER::RANK");
    uint32_t rank = otter_job_find_rank(job, number);
    struct otter_job_path path;
    otter_job_path_init(&path, job, false);
    path.tick = report->analysis->tick;
    if (has_labels) {
        OTTER_SET_COLUMNS(table, "label", columns);
        if (rank != OTTER_NONE) {
            otter_job_path_add(&path, report, rank);
            fill_labels(&path, rank, table);
        }
    } else {
        otter_job_path_fill_ranks(&path, rank, rank != OTTER_NONE ? rank + 1 : rank, table);
    }
    otter_job_path_finish(&path);
}
