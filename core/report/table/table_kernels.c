// Fills the tables of Kokkos' kernels, and of the tree of regions and kernels.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/table/table_fill.h"
#include "trace/schema.h"

static const char *kind_of(const struct otter_report *report, uint32_t region)
{
    switch (otter_definitions_construct(report->analysis->definitions, region)) {
    case OTTER_CONSTRUCT_KOKKOS_FOR: return "for";
    case OTTER_CONSTRUCT_KOKKOS_REDUCE: return "reduce";
    case OTTER_CONSTRUCT_KOKKOS_SCAN: return "scan";
    case OTTER_CONSTRUCT_KOKKOS_REGION: return "region";
    case OTTER_CONSTRUCT_KOKKOS_COPY: return "copy";
    case OTTER_CONSTRUCT_KOKKOS_FENCE: return "fence";
    default: return "";
    }
}

static const struct otter_label *label_of(const struct otter_report *report, uint32_t region)
{
    return otter_label_of(report->labels, region);
}

// Returns the label without its place, which has a column of its own.
static const char *name_of(const struct otter_report *report, uint32_t region)
{
    return label_of(report, region)->what;
}

static double seconds_each(const struct otter_report *report, uint64_t ticks, uint64_t n)
{
    return n > 0 ? otter_report_seconds(report, ticks) / (double)n : NAN;
}

static void add_kernel(const struct otter_report *report, const struct otter_kernel_use *use,
                       const struct otter_count_columns *counts, struct otter_sheet *table)
{
    const struct otter_kokkos_cost *cost = use->cost;
    const struct otter_region_use *teams = use->teams;
    const struct otter_wait_account *waits = &report->analysis->account.regions[use->region];
    const struct otter_region *region = &report->analysis->definitions->regions[use->region];
    double values[] = {
        (double)cost->n,
        otter_report_seconds(report, cost->total),
        otter_percent((double)cost->total, (double)report->analysis->account.wall),
        otter_report_seconds(report, otter_kokkos_duration(cost, 50)),
        teams ? otter_report_seconds(report, teams->waiting) : NAN,
        teams ? otter_report_seconds(report, teams->imbalance) : NAN,
        teams ? (double)teams->n_members / (double)teams->n : NAN,
        seconds_each(report, cost->latency, cost->n_forked),
        use->launch ? otter_report_seconds(report, use->launch) : NAN,
        teams ? otter_report_seconds(report, waits->no_work) : NAN,
        teams ? otter_report_seconds(report, waits->delay) : NAN,
        otter_report_seconds(report, cost->exclusive),
        cost->n_ended ? otter_report_seconds(report, cost->min) : NAN,
        otter_report_seconds(report, otter_kokkos_duration(cost, 99)),
        otter_report_seconds(report, cost->max),
        otter_sheet_text(table, kind_of(report, use->region)),
        otter_sheet_text(table, otter_kokkos_where(region)),
        otter_sheet_text(table, otter_label_place(label_of(report, use->region))),
    };
    otter_count_columns_row(counts, table, name_of(report, use->region), values, use->region,
                            cost->n);
}

static void add_sums(const struct otter_report *report, struct otter_sheet *table)
{
    const struct otter_kernel_uses *kernels = &report->analysis->kernels;
    double sum = (double)(kernels->inside + kernels->outside), launches = 0;
    double values[OTTER_SHEET_COLUMNS];
    for (unsigned i = 0; i < table->n_columns; i++) {
        values[i] = NAN;
    }
    for (uint32_t i = 0; i < kernels->n; i++) {
        launches += (double)kernels->items[i].cost->n;
    }
    values[0] = launches;
    values[1] = otter_report_seconds(report, kernels->inside);
    values[2] = otter_percent((double)kernels->inside, sum);
    otter_sheet_add_sum(table, "inside kernels", values);
    values[0] = NAN;
    values[1] = otter_report_seconds(report, kernels->outside);
    values[2] = otter_percent((double)kernels->outside, sum);
    otter_sheet_add_sum(table, "outside of kernels", values);
}

// ---- the times of kernels

enum times {
    TIMES_OF_KERNELS = 0, // from start to end
    TIMES_OF_LAUNCHES,    // the kernels run after their launches have returned
    TIMES_OF_BOTH,
    N_TIMES
};

// Returns whether kernels in this space run after their launches. `where`: "Cuda 0 instance 1", or
// the name of a space of the host.
static bool is_asynchronous(const char *where)
{
    static const char *const synchronous[] = {"", "Serial", "OpenMP", "HPX", "Threads"};
    for (size_t i = 0; i < sizeof synchronous / sizeof *synchronous; i++) {
        if (strcmp(where, synchronous[i]) == 0) {
            return false;
        }
    }
    return true;
}

// Returns whether Kokkos fences each kernel for a tool (KOKKOS_TOOLS_GLOBALFENCES).
static bool is_fenced(const struct otter_definitions *definitions)
{
    for (uint32_t i = 0; i < definitions->n_regions; i++) {
        if (otter_definitions_construct(definitions, i) == OTTER_CONSTRUCT_KOKKOS_FENCE &&
            strncmp(otter_kokkos_where(&definitions->regions[i]), "tool,", strlen("tool,")) == 0) {
            return true;
        }
    }
    return false;
}

static enum times times_of(const struct otter_report *report)
{
    const struct otter_definitions *definitions = report->analysis->definitions;
    const struct otter_kernel_uses *kernels = &report->analysis->kernels;
    uint32_t n = 0;
    for (uint32_t i = 0; i < kernels->n; i++) {
        n += is_asynchronous(otter_kokkos_where(&definitions->regions[kernels->items[i].region]));
    }
    if (n == 0 || is_fenced(definitions)) {
        return TIMES_OF_KERNELS;
    }
    return n == kernels->n ? TIMES_OF_LAUNCHES : TIMES_OF_BOTH;
}

#define COLUMNS(total)                                                                             \
    {                                                                                              \
        {"launches", "launches", OTTER_COLUMN_COUNT},                                              \
        {"total_s", total, OTTER_COLUMN_SECONDS},                                                  \
        {"wall_percent", "of wall", OTTER_COLUMN_PERCENT},                                         \
        {"median_s", "median", OTTER_COLUMN_SECONDS},                                              \
        {"waiting_s", "waiting", OTTER_COLUMN_SECONDS},                                            \
        {"imbalance_s", "imbalance", OTTER_COLUMN_SECONDS},                                        \
        {"threads", "threads", OTTER_COLUMN_RATIO},                                                \
        {"mean_latency_s", "latency", OTTER_COLUMN_SECONDS},                                       \
        {"launch_cost_s", "cost", OTTER_COLUMN_SECONDS},                                           \
        {"no_work_s", "no work", OTTER_COLUMN_SECONDS},                                            \
        {"delay_s", "delay", OTTER_COLUMN_SECONDS},                                                \
        {"exclusive_s", "exclusive", OTTER_COLUMN_SECONDS},                                        \
        {"min_s", "min", OTTER_COLUMN_SECONDS},                                                    \
        {"p99_s", "p99", OTTER_COLUMN_SECONDS},                                                    \
        {"max_s", "max", OTTER_COLUMN_SECONDS},                                                    \
        {"kind", "kind", OTTER_COLUMN_TEXT},                                                       \
        {"space", "space", OTTER_COLUMN_TEXT},                                                     \
        {"place", "place", OTTER_COLUMN_TEXT},                                                     \
    }

void otter_fill_kernels(const struct otter_report *report, struct otter_sheet *table)
{
    enum { N_COLUMNS = 18 };
    static const struct otter_column columns[N_TIMES][N_COLUMNS] = {
        [TIMES_OF_KERNELS] = COLUMNS("total"),
        [TIMES_OF_LAUNCHES] = COLUMNS("launch"),
        [TIMES_OF_BOTH] = COLUMNS("total or launch"),
    };
    OTTER_SET_COLUMNS(table, "kernel", columns[times_of(report)]);
    struct otter_count_columns counts = otter_count_columns_add(report, table, 3, OTTER_COUNT_EACH);
    const struct otter_kernel_uses *kernels = &report->analysis->kernels;
    for (uint32_t i = 0; i < kernels->n; i++) {
        add_kernel(report, &kernels->items[i], &counts, table);
    }
    otter_sheet_sort(table, 1);
    if (kernels->n > 0) {
        add_sums(report, table);
    }
}

// ---- the tree

struct tree {
    const struct otter_report *report;
    const struct otter_kokkos_paths *paths;
    struct otter_sheet *table;
};

static uint32_t depth_of(const struct otter_kokkos_paths *paths, uint32_t path)
{
    uint32_t depth = 0;
    for (; paths->items[path].parent != OTTER_KOKKOS_ROOT; path = paths->items[path].parent) {
        depth++;
    }
    return depth;
}

// Writes the labels from the outside in, "step > forces", as far as they fit.
static void write_path(const struct tree *tree, uint32_t path, char *text, size_t size)
{
    const struct otter_kokkos_path *items = tree->paths->items;
    *text = '\0';
    while (path != OTTER_KOKKOS_ROOT) {
        const char *label = name_of(tree->report, items[path].region);
        bool is_last = items[path].parent == OTTER_KOKKOS_ROOT;
        char longer[OTTER_LABEL_SIZE + 8];
        snprintf(longer, sizeof longer, "%s%s", is_last ? "" : " > ", label);
        size_t length = strlen(longer), rest = strlen(text);
        if (length + rest >= size) {
            return;
        }
        memmove(text + length, text, rest + 1);
        memcpy(text, longer, length);
        path = items[path].parent;
    }
}

static void add_path(const struct tree *tree, uint32_t index)
{
    enum { PATH_SIZE = 2000 };
    char path_text[PATH_SIZE];
    uint32_t depth = depth_of(tree->paths, index);
    write_path(tree, index, path_text, sizeof path_text);
    const struct otter_kokkos_path *path = &tree->paths->items[index];
    const struct otter_analysis *analysis = tree->report->analysis;
    double values[] = {
        (double)path->n,
        otter_report_seconds(tree->report, path->inclusive),
        otter_percent((double)path->inclusive, (double)analysis->account.wall),
        otter_report_seconds(tree->report, path->exclusive),
        seconds_each(tree->report, path->inclusive, path->n),
        otter_sheet_text(tree->table, kind_of(tree->report, path->region)),
        depth,
        otter_sheet_text(tree->table, path_text),
    };
    otter_sheet_add_inside(tree->table, depth, name_of(tree->report, path->region), values);
}

void otter_fill_kernel_tree(const struct otter_report *report, struct otter_sheet *table)
{
    static const struct otter_column columns[] = {
        {"count", "count", OTTER_COLUMN_COUNT},
        {"inclusive_s", "inclusive", OTTER_COLUMN_SECONDS},
        {"wall_percent", "of wall", OTTER_COLUMN_PERCENT},
        {"exclusive_s", "exclusive", OTTER_COLUMN_SECONDS},
        {"mean_s", "mean", OTTER_COLUMN_SECONDS},
        {"kind", "kind", OTTER_COLUMN_TEXT},
        {"depth", "depth", OTTER_COLUMN_COUNT},
        {"path", "path", OTTER_COLUMN_TEXT},
    };
    OTTER_SET_COLUMNS(table, "label", columns);
    struct tree tree = {report, &report->analysis->kokkos.paths, table};
    uint32_t n, *order = otter_kokkos_paths_order(tree.paths, &n);
    for (uint32_t i = 0; i < n; i++) {
        add_path(&tree, order[i]);
    }
    free(order);
}
