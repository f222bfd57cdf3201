// Fills the tables of Kokkos' memory, by label and by space.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/table/table_fill.h"

static const struct otter_kokkos_level *level_of(const struct otter_report *report,
                                                 const char *space)
{
    const struct otter_definitions *definitions = report->analysis->definitions;
    for (size_t i = 0; i < definitions->n_metrics; i++) {
        const struct otter_kokkos_level *level = &report->analysis->kokkos.levels[i];
        if (level->n > 0 && strcmp(definitions->metrics[i].space, space) == 0) {
            return level;
        }
    }
    return NULL;
}

static void add_label(const struct otter_report *report, const struct otter_memory_use *use,
                      struct otter_sheet *table)
{
    const struct otter_kokkos_level *level = level_of(report, use->space);
    double wall = otter_report_seconds(report, report->analysis->account.wall);
    double values[] = {
        level ? (double)use->bytes_high : NAN,
        level ? otter_percent((double)use->bytes_high, (double)level->high_water) : NAN,
        level ? (double)use->n_high : NAN,
        (double)use->bytes_left,
        (double)use->n_left,
        (double)use->n_allocated,
        (double)use->bytes_allocated,
        otter_sheet_text(table, use->space),
        use->mean,
        (double)use->n_freed,
        (double)use->bytes_freed,
        wall > 0 ? (double)use->n_allocated / wall : NAN,
        wall > 0 ? (double)use->bytes_allocated / wall : NAN,
    };
    char text[OTTER_LABEL_SIZE];
    otter_sheet_add(table, otter_report_label(report, use->region, text), values);
}

enum { COLUMN_HIGH, COLUMN_HIGH_PERCENT, COLUMN_LEFT = 3, COLUMN_SPACE = 7 };

// Adds a line below the rows; unknown numbers are NAN.
static void add_sum(struct otter_sheet *table, const char *text, const char *space, double high,
                    double percent, double left)
{
    double values[OTTER_SHEET_COLUMNS];
    for (unsigned i = 0; i < table->n_columns; i++) {
        values[i] = NAN;
    }
    values[COLUMN_HIGH] = high;
    values[COLUMN_HIGH_PERCENT] = percent;
    values[COLUMN_LEFT] = left;
    values[COLUMN_SPACE] = otter_sheet_text(table, space);
    otter_sheet_add_sum(table, text, values);
}

// Adds blocks whose label is not in the archive: they were allocated during a pause, or freed under
// another name.
static void add_rest(const struct otter_report *report, const char *space,
                     const struct otter_kokkos_level *level, struct otter_sheet *table)
{
    uint64_t known = 0;
    char text[OTTER_LABEL_SIZE];
    for (uint32_t i = 0; i < report->analysis->memory.n; i++) {
        const struct otter_memory_use *use = &report->analysis->memory.items[i];
        known += strcmp(use->space, space) == 0 ? use->bytes_high : 0;
    }
    double high = (double)level->high_water - (double)known;
    if (high > 0) {
        snprintf(text, sizeof text, "other blocks of %s", space);
        add_sum(table, text, space, high, otter_percent(high, (double)level->high_water), NAN);
    }
}

static void add_high_waters(const struct otter_report *report, struct otter_sheet *table)
{
    const struct otter_definitions *definitions = report->analysis->definitions;
    char text[OTTER_LABEL_SIZE];
    for (size_t i = 0; i < definitions->n_metrics; i++) {
        const struct otter_kokkos_level *level = &report->analysis->kokkos.levels[i];
        const char *space = definitions->metrics[i].space;
        if (level->n > 0) {
            add_rest(report, space, level, table);
            snprintf(text, sizeof text, "all of %s", space);
            add_sum(table, text, space, (double)level->high_water, 100, (double)level->in_use);
        }
    }
}

// Adds no row if the archive does not have the number.
static void add_process(const struct otter_report *report, struct otter_sheet *table)
{
    uint64_t bytes =
        otter_definitions_number(report->analysis->definitions, "OTTER::RESIDENT_HIGH_WATER");
    if (bytes > 0) {
        add_sum(table, "resident memory", "process", (double)bytes, NAN, NAN);
    }
}

void otter_fill_memory(const struct otter_report *report, struct otter_sheet *table)
{
    static const struct otter_column columns[] = {
        {"high_bytes", "at high", OTTER_COLUMN_BYTES},
        {"high_percent", "of high", OTTER_COLUMN_PERCENT},
        {"high_blocks", "blocks", OTTER_COLUMN_COUNT},
        {"left_bytes", "left", OTTER_COLUMN_BYTES},
        {"left_blocks", "blocks", OTTER_COLUMN_COUNT},
        {"allocations", "allocs", OTTER_COLUMN_COUNT},
        {"allocated_bytes", "allocated", OTTER_COLUMN_BYTES},
        {"space", "space", OTTER_COLUMN_TEXT},
        {"mean_bytes", "mean", OTTER_COLUMN_BYTES},
        {"frees", "frees", OTTER_COLUMN_COUNT},
        {"freed_bytes", "freed", OTTER_COLUMN_BYTES},
        {"allocations_per_second", "allocs/s", OTTER_COLUMN_RATIO},
        {"bytes_per_second", "per s", OTTER_COLUMN_BYTES},
    };
    OTTER_SET_COLUMNS(table, "memory", columns);
    for (uint32_t i = 0; i < report->analysis->memory.n; i++) {
        add_label(report, &report->analysis->memory.items[i], table);
    }
    if (report->analysis->has_kokkos) {
        add_high_waters(report, table);
    }
    add_process(report, table);
}

// ---- by space

// `level`: NULL if the archive has no samples of the space.
static void add_space(const struct otter_report *report, const char *space,
                      const struct otter_kokkos_level *level, struct otter_sheet *table)
{
    uint64_t begin = report->analysis->timeline.begin;
    struct otter_memory_use sum = {0};
    for (uint32_t i = 0; i < report->analysis->memory.n; i++) {
        const struct otter_memory_use *use = &report->analysis->memory.items[i];
        if (strcmp(use->space, space) == 0) {
            sum.mean += use->mean;
            sum.n_allocated += use->n_allocated;
            sum.bytes_allocated += use->bytes_allocated;
            sum.n_freed += use->n_freed;
            sum.bytes_freed += use->bytes_freed;
        }
    }
    double values[] = {
        level ? (double)level->high_water : NAN,
        level ? otter_report_seconds(report, level->most_time - begin) : NAN,
        level ? (double)level->in_use : NAN,
        sum.mean,
        (double)sum.n_allocated,
        (double)sum.bytes_allocated,
        (double)sum.n_freed,
        (double)sum.bytes_freed,
    };
    otter_sheet_add(table, space, values);
}

static bool is_first_of_space(const struct otter_memory_uses *uses, uint32_t index)
{
    uint32_t i = 0;
    while (i < index && strcmp(uses->items[i].space, uses->items[index].space) != 0) {
        i++;
    }
    return i == index;
}

void otter_fill_spaces(const struct otter_report *report, struct otter_sheet *table)
{
    static const struct otter_column columns[] = {
        {"high_bytes", "high water", OTTER_COLUMN_BYTES},
        {"high_time_s", "after", OTTER_COLUMN_SECONDS},
        {"end_bytes", "at end", OTTER_COLUMN_BYTES},
        {"mean_bytes", "mean", OTTER_COLUMN_BYTES},
        {"allocations", "allocs", OTTER_COLUMN_COUNT},
        {"allocated_bytes", "allocated", OTTER_COLUMN_BYTES},
        {"frees", "frees", OTTER_COLUMN_COUNT},
        {"freed_bytes", "freed", OTTER_COLUMN_BYTES},
    };
    OTTER_SET_COLUMNS(table, "space", columns);
    if (!report->analysis->has_kokkos) {
        return;
    }
    const struct otter_definitions *definitions = report->analysis->definitions;
    for (size_t i = 0; i < definitions->n_metrics; i++) {
        const struct otter_kokkos_level *level = &report->analysis->kokkos.levels[i];
        if (level->n > 0) {
            add_space(report, definitions->metrics[i].space, level, table);
        }
    }
    const struct otter_memory_uses *uses = &report->analysis->memory;
    for (uint32_t i = 0; i < uses->n; i++) {
        const char *space = uses->items[i].space;
        if (!level_of(report, space) && is_first_of_space(uses, i)) {
            add_space(report, space, NULL, table);
        }
    }
    otter_sheet_sort(table, 0);
}
