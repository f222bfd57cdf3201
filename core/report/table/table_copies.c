// Fills the tables of Kokkos' deep copies and fences.
#include <math.h>
#include <string.h>

#include "report/table/table_fill.h"
#include "trace/schema.h"

enum { FIRST_WITH_FENCES = 20210623 }; // version of the tools interface: Kokkos 3.5

// Stores the first `length` bytes of `text`; returns their value in a column of texts.
static double part(struct otter_sheet *table, const char *text, size_t length)
{
    char *copy = strndup(text, length);
    double value = otter_sheet_text(table, copy);
    free(copy);
    return value;
}

static bool is_used(const struct otter_report *report, uint32_t region,
                    enum otter_construct construct)
{
    return report->analysis->definitions->regions[region].construct == construct &&
           report->analysis->kokkos.costs[region].n > 0;
}

static size_t n_regions(const struct otter_report *report)
{
    return report->analysis->has_kokkos ? report->analysis->definitions->n_regions : 0;
}

// ---- copies

static void add_copy(const struct otter_report *report, uint32_t index, struct otter_sheet *table)
{
    const struct otter_kokkos_cost *cost = &report->analysis->kokkos.costs[index];
    const char *where = otter_kokkos_where(&report->analysis->definitions->regions[index]);
    const char *arrow = strstr(where, " <- ");
    size_t length = arrow ? (size_t)(arrow - where) : strlen(where);
    double seconds = otter_report_seconds(report, cost->total), bytes = (double)cost->bytes;
    double values[] = {
        bytes,
        (double)cost->n,
        seconds,
        seconds > 0 ? bytes / seconds / 1e9 : NAN,
        otter_percent((double)cost->total, (double)report->analysis->account.wall),
        part(table, where, length),
        otter_sheet_text(table, arrow ? arrow + strlen(" <- ") : ""),
        otter_report_seconds(report, otter_kokkos_duration(cost, 50)),
        otter_report_seconds(report, cost->max),
    };
    char text[OTTER_LABEL_SIZE];
    otter_sheet_add(table, otter_report_label(report, index, text), values);
}

void otter_fill_copies(const struct otter_report *report, struct otter_sheet *table)
{
    static const struct otter_column columns[] = {
        {"bytes", "bytes", OTTER_COLUMN_BYTES},
        {"count", "count", OTTER_COLUMN_COUNT},
        {"total_s", "total", OTTER_COLUMN_SECONDS},
        {"gigabytes_per_second", "GB/s", OTTER_COLUMN_RATIO},
        {"wall_percent", "of wall", OTTER_COLUMN_PERCENT},
        {"destination", "to", OTTER_COLUMN_TEXT},
        {"source", "from", OTTER_COLUMN_TEXT},
        {"median_s", "median", OTTER_COLUMN_SECONDS},
        {"max_s", "max", OTTER_COLUMN_SECONDS},
    };
    OTTER_SET_COLUMNS(table, "copy", columns);
    for (uint32_t i = 0; i < n_regions(report); i++) {
        if (is_used(report, i, OTTER_CONSTRUCT_KOKKOS_COPY)) {
            add_copy(report, i, table);
        }
    }
    otter_sheet_sort(table, 2);
}

// ---- fences

static void add_fence(const struct otter_report *report, uint32_t index, struct otter_sheet *table)
{
    const struct otter_kokkos_cost *cost = &report->analysis->kokkos.costs[index];
    const char *where = otter_kokkos_where(&report->analysis->definitions->regions[index]);
    size_t length = strcspn(where, ",");
    double values[] = {
        (double)cost->n,
        otter_report_seconds(report, cost->total),
        otter_percent((double)cost->total, (double)report->analysis->account.wall),
        otter_report_seconds(report, otter_kokkos_duration(cost, 50)),
        otter_report_seconds(report, cost->max),
        part(table, where, length),
        otter_sheet_text(table, where[length] ? where + length + strlen(", ") : ""),
    };
    char text[OTTER_LABEL_SIZE];
    otter_sheet_add(table, otter_report_label(report, index, text), values);
}

void otter_fill_fences(const struct otter_report *report, struct otter_sheet *table)
{
    static const struct otter_column columns[] = {
        {"count", "count", OTTER_COLUMN_COUNT},
        {"waiting_s", "waiting", OTTER_COLUMN_SECONDS},
        {"wall_percent", "of wall", OTTER_COLUMN_PERCENT},
        {"median_s", "median", OTTER_COLUMN_SECONDS},
        {"max_s", "max", OTTER_COLUMN_SECONDS},
        {"whose", "whose", OTTER_COLUMN_TEXT},
        {"space", "space", OTTER_COLUMN_TEXT},
    };
    OTTER_SET_COLUMNS(table, "fence", columns);
    for (uint32_t i = 0; i < n_regions(report); i++) {
        if (is_used(report, i, OTTER_CONSTRUCT_KOKKOS_FENCE)) {
            add_fence(report, i, table);
        }
    }
    otter_sheet_sort(table, 1);
    uint64_t interface =
        report->archive ? otter_archive_number(report->archive, "OTTER::KOKKOS_INTERFACE") : 0;
    if (interface > 0 && interface < FIRST_WITH_FENCES) {
        table->note =
            "Kokkos reports fences from version 3.5 on, and this program has an older one";
    }
}
