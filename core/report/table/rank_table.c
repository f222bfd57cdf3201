// Prints the numbers of all ranks of a job: which ranks differ, and in which number.
#include "report/table/rank_table.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/text/print.h"
#include "report/form/json.h"
#include "base/text/number.h"
#include "report/form/plain.h"

struct otter_rank_row otter_rank_row_of(uint32_t rank, const struct otter_report *report)
{
    const struct otter_analysis *analysis = report->analysis;
    const struct otter_efficiency *efficiency = &analysis->efficiency;
    struct otter_rank_row row = {
        .rank = rank,
        .n_threads = analysis->account.n_threads,
        .n_processors = otter_definitions_number(analysis->definitions, "OTTER::PROCESSORS"),
        .wall_s = otter_report_seconds(report, analysis->account.wall),
        .work_s = otter_report_seconds(report, analysis->span.work),
        .mpi_s = otter_report_seconds(report, analysis->account.mpi),
        .efficiency = efficiency->total,
        .mpi = efficiency->mpi,
        .serial = efficiency->serial,
        .regions = efficiency->regions,
        .is_complete = otter_analysis_is_complete(analysis),
        .is_cut_off = analysis->is_cut_off,
        .lacks_mpi = otter_mpi_is_missing(analysis->definitions),
    };
    return row;
}

// ---- text

static const struct number {
    const char *name;
    size_t offset;
    bool is_share, is_of_mpi;
} numbers[] = {
    {"wall time", offsetof(struct otter_rank_row, wall_s), false, false},
    {"work T1", offsetof(struct otter_rank_row, work_s), false, false},
    {"in MPI", offsetof(struct otter_rank_row, mpi_s), false, true},
    {"efficiency", offsetof(struct otter_rank_row, efficiency), true, false},
    {"  MPI", offsetof(struct otter_rank_row, mpi), true, true},
    {"  serial", offsetof(struct otter_rank_row, serial), true, false},
    {"  in regions", offsetof(struct otter_rank_row, regions), true, false},
};

static double value_of(const struct otter_rank_row *row, const struct number *number)
{
    return *(const double *)(const void *)((const char *)row + number->offset);
}

static const char *text_of(double value, bool is_share, char text[OTTER_MAX_NUMBER])
{
    if (!is_share) {
        return otter_duration_text(value, text);
    }
    snprintf(text, OTTER_MAX_NUMBER, "%.1f %%", 100 * value);
    return text;
}

static void print_number(FILE *out, const struct otter_rank_row *rows, size_t n,
                         const struct number *number)
{
    const struct otter_rank_row *least = rows, *most = rows;
    char low[OTTER_MAX_NUMBER], mean[OTTER_MAX_NUMBER], high[OTTER_MAX_NUMBER];
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        least = value_of(&rows[i], number) < value_of(least, number) ? &rows[i] : least;
        most = value_of(&rows[i], number) > value_of(most, number) ? &rows[i] : most;
        sum += value_of(&rows[i], number);
    }
    otter_print(out, "  %-14s %10s  rank %-5" PRIu32 " %10s %10s  rank %" PRIu32 "\n", number->name,
                text_of(value_of(least, number), number->is_share, low), least->rank,
                text_of(sum / (double)n, number->is_share, mean),
                text_of(value_of(most, number), number->is_share, high), most->rank);
}

static bool has_mpi(const struct otter_rank_row *rows, size_t n)
{
    size_t n_lacking = 0;
    for (size_t i = 0; i < n; i++) {
        n_lacking += rows[i].lacks_mpi;
    }
    return n_lacking < n;
}

static double mean_work(const struct otter_rank_row *rows, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += rows[i].work_s;
    }
    return sum / (double)n;
}

static int compare_outliers(const void *left, const void *right, void *user)
{
    const struct otter_rank_row *a = left, *b = right;
    double mean = *(double *)user, far_a = fabs(a->work_s - mean), far_b = fabs(b->work_s - mean);
    return far_a != far_b ? (far_a < far_b) - (far_a > far_b)
                          : (a->rank > b->rank) - (a->rank < b->rank);
}

enum { FINDING_WIDTH = 30 }; // with the columns before it and the sign after it, a line has 80

static void print_row(FILE *out, const struct otter_rank_row *row, double mean)
{
    char wall[OTTER_MAX_NUMBER], work[OTTER_MAX_NUMBER];
    otter_print(out, "%5" PRIu32 " %9s %9s %+7.1f %% %8.1f %%  ", row->rank,
                otter_duration_text(row->wall_s, wall), otter_duration_text(row->work_s, work),
                mean > 0 ? 100 * (row->work_s / mean - 1) : 0, 100 * row->efficiency);
    otter_plain_print(out, *row->finding ? row->finding : "nothing limits it", FINDING_WIDTH);
    otter_print(out, row->is_complete ? "\n" : " *\n");
}

void otter_rank_rows_print(FILE *out, struct otter_rank_row *rows, size_t n)
{
    double mean = mean_work(rows, n);
    otter_print(out, "  %-14s %10s  %-10s %10s %10s\n", "", "least", "", "mean", "largest");
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (!numbers[i].is_of_mpi || has_mpi(rows, n)) {
            print_number(out, rows, n, &numbers[i]);
        }
    }
    otter_print(out, "\n%5s %9s %9s %9s %10s  %s\n", "rank", "wall", "work", "to mean",
                "efficiency", "first finding");
    qsort_r(rows, n, sizeof *rows, compare_outliers, &mean);
    for (size_t i = 0; i < n; i++) {
        print_row(out, &rows[i], mean);
    }
}

// ---- JSON

static json_t *row_json(const struct otter_rank_row *row)
{
    json_t *object = json_object();
    otter_json_set_number(object, "rank", row->rank);
    otter_json_set_number(object, "threads", row->n_threads);
    otter_json_set_number(object, "processors", row->n_processors);
    otter_json_set(object, "wall_s", json_real(row->wall_s));
    otter_json_set(object, "work_s", json_real(row->work_s));
    otter_json_set(object, "mpi_s", json_real(row->mpi_s));
    otter_json_set(object, "efficiency", json_real(row->efficiency));
    otter_json_set(object, "mpi_efficiency", json_real(row->mpi));
    otter_json_set(object, "serial_efficiency", json_real(row->serial));
    otter_json_set(object, "regions_efficiency", json_real(row->regions));
    otter_json_set(object, "mpi_recorded", json_boolean(!row->lacks_mpi));
    otter_json_set(object, "cut_off", json_boolean(row->is_cut_off));
    otter_json_set(object, "complete", json_boolean(row->is_complete));
    otter_json_set_text(object, "first_finding", row->finding);
    otter_json_set(object, "first_finding_s", json_real(row->finding_s));
    return object;
}

json_t *otter_rank_rows_json(const struct otter_rank_row *rows, size_t n)
{
    json_t *all = json_array();
    for (size_t i = 0; i < n; i++) {
        json_array_append_new(all, row_json(&rows[i]));
    }
    return all;
}
