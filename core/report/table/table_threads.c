// Fills the tables of states and of waits.
#include "report/table/table_fill.h"

void otter_fill_threads(const struct otter_report *report, struct otter_sheet *table)
{
    static const struct otter_column columns[] = {
        {"executing_s", "executing", OTTER_COLUMN_SECONDS},
        {"preempted_s", "preempted", OTTER_COLUMN_SECONDS},
        {"creating_s", "creating", OTTER_COLUMN_SECONDS},
        {"waiting_s", "waiting", OTTER_COLUMN_SECONDS},
        {"locks_s", "locks", OTTER_COLUMN_SECONDS},
        {"forking_s", "forking", OTTER_COLUMN_SECONDS},
        {"outside_s", "outside", OTTER_COLUMN_SECONDS},
        {"paused_s", "paused", OTTER_COLUMN_SECONDS},
        {"lost_s", "lost", OTTER_COLUMN_SECONDS},
        {"recording_s", "recording", OTTER_COLUMN_SECONDS},
        {"mpi_s", "MPI", OTTER_COLUMN_SECONDS}, // only for programs with MPI
    };
    static const enum otter_state states[] = {OTTER_STATE_WAITING, OTTER_STATE_LOCK,
                                              OTTER_STATE_FORKING, OTTER_STATE_OUTSIDE,
                                              OTTER_STATE_PAUSED,  OTTER_STATE_LOST};
    enum { N_STATES = sizeof states / sizeof *states, N_BUSY = 3 };
    OTTER_SET_COLUMNS(table, "thread", columns);
    table->n_columns -= report->analysis->account.mpi == 0;
    const struct otter_timeline *timeline = &report->analysis->timeline;
    for (uint32_t i = 0; i < timeline->n_lines; i++) {
        const struct otter_thread_line *line = &timeline->lines[i];
        uint64_t sums[OTTER_N_STATES] = {0};
        for (uint32_t k = 0; k < line->intervals.n; k++) {
            sums[line->intervals.items[k].state] +=
                otter_interval_end(timeline, line, k) - line->intervals.items[k].begin;
        }
        const struct otter_thread_account *busy = &report->analysis->account.threads[i];
        double values[N_BUSY + N_STATES + 2] = {otter_report_seconds(report, busy->executing),
                                                otter_report_seconds(report, busy->preempted),
                                                otter_report_seconds(report, busy->creating)};
        for (unsigned k = 0; k < N_STATES; k++) {
            values[N_BUSY + k] = otter_report_seconds(report, sums[states[k]]);
        }
        values[N_BUSY + N_STATES] = otter_report_seconds(
            report, otter_recording_cost_of(&report->analysis->recording, line));
        values[N_BUSY + N_STATES + 1] = otter_report_seconds(report, sums[OTTER_STATE_MPI]);
        otter_sheet_add(table, timeline->definitions->locations[line->location].name, values);
    }
}

void otter_fill_waits(const struct otter_report *report, struct otter_sheet *table)
{
    static const struct otter_column columns[] = {
        {"waited_s", "waited", OTTER_COLUMN_SECONDS},
        {"waited_percent", "share", OTTER_COLUMN_PERCENT},
        {"delay_s", "delay", OTTER_COLUMN_SECONDS},
        {"tied_s", "tied tasks", OTTER_COLUMN_SECONDS},
        {"no_work_s", "no work", OTTER_COLUMN_SECONDS},
    };
    OTTER_SET_COLUMNS(table, "wait", columns);
    const struct otter_account *account = &report->analysis->account;
    char text[OTTER_LABEL_SIZE];
    for (uint32_t i = 0; i < account->n_labels; i++) {
        const struct otter_wait_account *wait = &account->places[i];
        double values[] = {otter_report_seconds(report, wait->ticks),
                           otter_percent((double)wait->ticks, (double)account->total),
                           otter_report_seconds(report, wait->delay),
                           otter_report_seconds(report, wait->tied),
                           otter_report_seconds(report, wait->no_work)};
        if (wait->ticks > 0) {
            otter_sheet_add(table, otter_report_label(report, i, text), values);
        }
    }
    otter_sheet_sort(table, 0);
}
