// Prints the cost of recording, as the recorder measured it.
#include "report/screen/recording_text.h"

#include <stdio.h>

#include "base/text/print.h"
#include "base/text/number.h"
#include "report/form/wrap.h"

double otter_recording_before(const struct otter_report *report)
{
    return 1e-9 * (double)otter_definitions_number(report->analysis->definitions,
                                                   "OTTER::BEFORE_RECORDING");
}

double otter_recording_waited(const struct otter_report *report)
{
    const struct otter_definitions *definitions = report->analysis->definitions;
    double ns = 0;
    for (size_t i = 0; i < definitions->n_locations; i++) {
        char name[48];
        snprintf(name, sizeof name, "OTTER::WAITED::%zu", i);
        ns += (double)otter_definitions_number(definitions, name);
    }
    return 1e-9 * ns;
}

enum { MAX_LINE = 200 };

static void print_line(FILE *out, int width, const char *line)
{
    otter_print(out, "\n");
    otter_print_wrapped_at(out, width, 0, line);
}

// Prints only the sum: without switches, it is not known when each thread waited.
static void print_waited(FILE *out, const struct otter_report *report, int width)
{
    const double least_share = 0.01;
    double waited = otter_recording_waited(report);
    const struct otter_account *account = &report->analysis->account;
    char text[OTTER_MAX_NUMBER], line[MAX_LINE];
    if (!account->has_switches &&
        waited > least_share * otter_report_seconds(report, account->total)) {
        snprintf(line, sizeof line,
                 "threads waited for a processor: %s in all, part of the states above",
                 otter_duration_text(waited, text));
        print_line(out, width, line);
    }
}

// Switches are missing if they were lost, the launcher was killed, or its file was full.
static void print_unknown(FILE *out, const struct otter_report *report, int width)
{
    const double least_share = 0.001;
    const struct otter_analysis *analysis = report->analysis;
    uint64_t unknown = otter_timeline_unknown(&analysis->timeline),
             n_lost = analysis->switches.n_lost;
    char text[OTTER_MAX_NUMBER], lost[OTTER_MAX_NUMBER], line[MAX_LINE];
    if (n_lost == 0 && (double)unknown <= least_share * (double)analysis->account.total) {
        return;
    }
    int length = snprintf(line, sizeof line,
                          "whether threads were on a processor is unknown for %s of their time",
                          otter_duration_text(otter_report_seconds(report, unknown), text));
    if (n_lost > 0) {
        snprintf(line + length, sizeof line - (size_t)length, ": %s %s lost",
                 otter_number_text(n_lost, lost), n_lost == 1 ? "switch was" : "switches were");
    }
    print_line(out, width, line);
}

// Prints the time before the recording, which the report's numbers exclude: runtimes load Otter
// only when OpenMP begins.
static void print_before(FILE *out, const struct otter_report *report, int width)
{
    const double least_share = 0.05, large_share = 0.25;
    const double start_s = 0.1; // loading libraries may take that long
    double wall = otter_report_seconds(report, report->analysis->account.wall);
    double before = otter_recording_before(report);
    char text[OTTER_MAX_NUMBER], line[MAX_LINE];
    if (before > least_share * wall) {
        snprintf(line, sizeof line, "before recording began: %s, not included in any number here%s",
                 otter_duration_text(before, text),
                 before > large_share * wall + start_s
                     ? ". The program ran without OpenMP until then: look for serial code there"
                     : "");
        print_line(out, width, line);
    }
}

void otter_recording_print(FILE *out, const struct otter_report *report, int width)
{
    print_waited(out, report, width);
    print_unknown(out, report, width);
    print_before(out, report, width);
    const struct otter_recording_cost *cost = &report->analysis->recording;
    uint64_t total = report->analysis->account.total;
    char all[OTTER_MAX_NUMBER], event[OTTER_MAX_NUMBER], work[OTTER_MAX_NUMBER];
    if (cost->event <= 0 || total == 0) {
        return;
    }
    otter_print(out, "\nrecording took about %s (%.1f %%), %s per event\nwork T1 without it: %s\n",
                otter_duration_text(otter_report_seconds(report, cost->total), all),
                100.0 * (double)cost->total / (double)total,
                otter_duration_text(cost->event * report->analysis->tick, event),
                otter_duration_text(otter_report_seconds(report, cost->work), work));
    if (cost->is_grain_fine) {
        otter_print_wrapped_at(
            out, width, 0,
            "many pieces last less than 10 times that: without recording, they are shorter");
    }
}
