// Fills the tables of loops, locks and devices.
#include <math.h>

#include "analysis/detail/devices.h"
#include "analysis/detail/locks.h"
#include "analysis/detail/loops.h"
#include "report/table/table_fill.h"

static double ratio_or_unknown(double part, double whole)
{
    return whole > 0 ? part / whole : NAN;
}

static double count_or_unknown(uint64_t n)
{
    return n ? (double)n : NAN;
}

static void add_loops(const struct otter_report *report, struct otter_sheet *table,
                      const struct otter_loops *loops)
{
    struct otter_count_columns counts = otter_count_columns_add(report, table, 3, OTTER_COUNT_EACH);
    char text[OTTER_LABEL_SIZE];
    for (uint32_t i = 0; i < loops->n; i++) {
        const struct otter_loop_use *use = &loops->items[i];
        double executing = otter_report_seconds(report, use->executing);
        bool is_executed_here = // tasks execute the iterations of a taskloop, not its own construct
            use->iterations && otter_definitions_construct(report->analysis->definitions,
                                                           use->region) != OTTER_CONSTRUCT_TASKLOOP;
        double values[] = {(double)use->n,
                           otter_report_seconds(report, use->wall),
                           executing,
                           ratio_or_unknown((double)use->max_executing, use->mean_executing),
                           otter_report_seconds(report, use->waiting),
                           otter_report_seconds(report, use->on_span),
                           (double)use->n_members / (double)use->n,
                           count_or_unknown(use->iterations),
                           count_or_unknown(use->chunks),
                           use->chunks ? executing / (double)use->chunks : NAN,
                           is_executed_here ? executing / (double)use->iterations : NAN};
        otter_count_columns_row(&counts, table, otter_report_label(report, use->region, text),
                                values, use->region, use->n);
    }
}

void otter_fill_loops(const struct otter_report *report, struct otter_sheet *table)
{
    static const struct otter_column columns[] = {
        {"executions", "count", OTTER_COLUMN_COUNT},
        {"wall_s", "wall", OTTER_COLUMN_SECONDS},
        {"busy_s", "busy", OTTER_COLUMN_SECONDS},
        {"busiest_ratio", "busiest", OTTER_COLUMN_RATIO},
        {"waiting_s", "waiting", OTTER_COLUMN_SECONDS},
        {"span_s", "on span", OTTER_COLUMN_SECONDS},
        {"members", "members", OTTER_COLUMN_RATIO},
        {"iterations", "iterations", OTTER_COLUMN_COUNT},
        {"chunks", "chunks", OTTER_COLUMN_COUNT},
        {"mean_chunk_s", "chunk", OTTER_COLUMN_SECONDS},
        {"mean_iteration_s", "iteration", OTTER_COLUMN_SECONDS},
    };
    OTTER_SET_COLUMNS(table, "loop", columns);
    struct otter_loops loops;
    otter_loops_read(&loops, report->analysis, report->loop_walk);
    add_loops(report, table, &loops);
    otter_loops_finish(&loops);
}

static void add_locks(const struct otter_report *report, struct otter_sheet *table,
                      const struct otter_locks *locks)
{
    char text[OTTER_LABEL_SIZE];
    for (uint32_t i = 0; i < locks->n; i++) {
        const struct otter_lock_use *use = &locks->items[i];
        double values[] = {(double)use->n,
                           (double)use->n_waited,
                           otter_report_seconds(report, use->waited),
                           otter_report_seconds(report, use->held),
                           otter_report_seconds(report, use->held_against),
                           otter_report_seconds(report, use->median),
                           otter_report_seconds(report, use->p99),
                           otter_report_seconds(report, use->max),
                           (double)use->n_locks};
        otter_sheet_add(table, otter_report_label(report, use->region, text), values);
    }
}

void otter_fill_locks(const struct otter_report *report, struct otter_sheet *table)
{
    static const struct otter_column columns[] = {
        {"acquisitions", "count", OTTER_COLUMN_COUNT},
        {"contended", "contended", OTTER_COLUMN_COUNT},
        {"waited_s", "waited", OTTER_COLUMN_SECONDS},
        {"held_s", "held", OTTER_COLUMN_SECONDS},
        {"held_against_s", "others wait", OTTER_COLUMN_SECONDS},
        {"median_wait_s", "median", OTTER_COLUMN_SECONDS},
        {"p99_wait_s", "p99", OTTER_COLUMN_SECONDS},
        {"max_wait_s", "max", OTTER_COLUMN_SECONDS},
        {"locks", "locks", OTTER_COLUMN_COUNT},
    };
    OTTER_SET_COLUMNS(table, "lock", columns);
    struct otter_locks locks;
    otter_locks_read(&locks, report->analysis, report->lock_walk);
    add_locks(report, table, &locks);
    otter_locks_finish(&locks);
}

static void add_devices(const struct otter_report *report, struct otter_sheet *table,
                        const struct otter_devices *devices)
{
    char text[OTTER_LABEL_SIZE];
    for (uint32_t i = 0; i < devices->n; i++) {
        const struct otter_device_use *use = &devices->items[i];
        double seconds = otter_report_seconds(report, use->ticks);
        const char *device = report->analysis->definitions->locations[use->location].group;
        double values[] = {(double)use->n,
                           seconds,
                           otter_percent((double)use->busy, (double)report->analysis->account.wall),
                           count_or_unknown(use->bytes),
                           use->bytes && seconds > 0 ? (double)use->bytes / seconds / 1e9 : NAN,
                           otter_report_seconds(report, use->waiting),
                           otter_sheet_text(table, device)};
        const char *label = use->region == OTTER_NONE
                                ? "(all operations)"
                                : otter_report_label(report, use->region, text);
        otter_sheet_add(table, label, values);
    }
}

void otter_fill_devices(const struct otter_report *report, struct otter_sheet *table)
{
    static const struct otter_column columns[] = {
        {"operations", "count", OTTER_COLUMN_COUNT},
        {"time_s", "time", OTTER_COLUMN_SECONDS},
        {"busy_percent", "busy", OTTER_COLUMN_PERCENT},
        {"bytes", "bytes", OTTER_COLUMN_BYTES},
        {"gb_per_s", "GB/s", OTTER_COLUMN_RATIO},
        {"host_waiting_s", "host waits", OTTER_COLUMN_SECONDS},
        {"device", "device", OTTER_COLUMN_TEXT},
    };
    OTTER_SET_COLUMNS(table, "operation", columns);
    struct otter_devices devices;
    otter_devices_read(&devices, report->analysis);
    add_devices(report, table, &devices);
    otter_devices_finish(&devices);
}
