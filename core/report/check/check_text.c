// Prints the report of `otter check` as text.
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/text/print.h"
#include "check/words.h"
#include "report/check/check_print.h"
#include "base/text/number.h"
#include "report/form/wrap.h"
#include "trace/schema.h"

uint64_t otter_check_print_errors(const struct otter_check_report *report)
{
    uint64_t n = 0;
    for (unsigned i = 0; i < OTTER_N_CHECKS; i++) {
        n += otter_check_errors(&report->results[i]);
    }
    return n;
}

uint64_t otter_check_ns(const struct otter_definitions *definitions, uint64_t time)
{
    const struct otter_clock *clock = &definitions->clock;
    uint64_t ticks = time > clock->offset ? time - clock->offset : 0;
    if (clock->resolution == 0) {
        return ticks;
    }
    return (uint64_t)((double)ticks * 1e9 / (double)clock->resolution);
}

static void print_deviation(FILE *out, const struct otter_definitions *definitions,
                            const char *before, const struct otter_deviation *deviation)
{
    char number[OTTER_MAX_NUMBER], time[OTTER_MAX_NUMBER + 8] = "", task[40] = "";
    if (deviation->time > 0) {
        snprintf(time, sizeof time, ", %s ns",
                 otter_number_text(otter_check_ns(definitions, deviation->time), number));
    }
    if (deviation->number > 0) {
        snprintf(task, sizeof task, "task %" PRIu32 ":%" PRIu32 ": ", deviation->creator,
                 deviation->number);
    }
    char *text = deviation->location < definitions->n_locations
                     ? otter_path("%s%s (location %" PRIu32 ")%s: %s%s", before,
                                  definitions->locations[deviation->location].name,
                                  deviation->location, time, task, deviation->text)
                     : otter_path("%s%s%s", before, task, deviation->text);
    otter_print_wrapped(out, 6, text);
    free(text);
}

static void print_error(FILE *out, const struct otter_definitions *definitions,
                        enum otter_check check, const struct otter_check_result *result)
{
    char a[OTTER_MAX_NUMBER], b[OTTER_MAX_NUMBER];
    const struct otter_deviations *errors = &result->deviations[OTTER_QUIRK_NONE];
    const char *unit = otter_check_words[check].unit;
    int length = (int)strlen(unit) - (result->n_tested == 1); // "tasks", "task"
    otter_print(out, "\n  %s: %s deviation%s among %s %.*s\n", otter_check_words[check].name,
                otter_number_text(errors->n, a), otter_plural(errors->n),
                otter_number_text(result->n_tested, b), length, unit);
    otter_print(out, "    rule: %s\n", otter_check_words[check].rule);
    for (uint64_t i = 0; i < errors->n && i < OTTER_MAX_DEVIATIONS_SHOWN; i++) {
        if (errors->first[i].text[0]) {
            print_deviation(out, definitions, "", &errors->first[i]);
        }
    }
    if (errors->n > OTTER_MAX_DEVIATIONS_SHOWN) {
        otter_print(out, "      ...\n");
    }
}

static void print_errors(FILE *out, const struct otter_definitions *definitions,
                         const struct otter_check_report *report)
{
    for (unsigned i = 0; i < OTTER_N_CHECKS; i++) {
        if (otter_check_errors(&report->results[i]) > 0) {
            print_error(out, definitions, (enum otter_check)i, &report->results[i]);
        }
    }
}

struct quirk_count {
    uint64_t n_stated;   // deviations that the archive itself reports
    uint64_t n_deviants; // deviations that the other checks find
    const struct otter_deviation *first;
};

static struct quirk_count count_quirk(const struct otter_check_report *report, unsigned quirk)
{
    struct quirk_count count = {.first = NULL};
    for (unsigned i = 0; i < OTTER_N_CHECKS; i++) {
        const struct otter_deviations *deviations = &report->results[i].deviations[quirk];
        if (deviations->n > 0 && !count.first) {
            count.first = &deviations->first[0];
        }
        *(i == OTTER_CHECK_COUNTS ? &count.n_stated : &count.n_deviants) += deviations->n;
    }
    return count;
}

// `otter info` also prints the archive's own count. Deviations that result from it are counted
// separately.
static void print_quirk_count(FILE *out, const struct quirk_count *count)
{
    char number[OTTER_MAX_NUMBER];
    uint64_t n = count->n_stated ? count->n_stated : count->n_deviants;
    otter_print(out, " (%s)", otter_number_text(n, number));
    if (count->n_stated > 0 && count->n_deviants > 0) {
        otter_print(out, ", and %s deviation%s as a consequence",
                    otter_number_text(count->n_deviants, number), otter_plural(count->n_deviants));
    }
    otter_print(out, "\n");
}

// Prints the first deviation, unless its text is only a count, which print_quirk_count() has
// already printed.
static void print_first(FILE *out, const struct otter_definitions *definitions,
                        const struct otter_deviation *first)
{
    if (first->location < definitions->n_locations) {
        print_deviation(out, definitions, "first: ", first);
    } else if (!isdigit((unsigned char)first->text[0])) {
        otter_print_wrapped(out, 6, first->text);
    }
}

static void print_quirks(FILE *out, const struct otter_definitions *definitions,
                         const struct otter_check_report *report)
{
    bool has_title = false;
    for (unsigned i = OTTER_QUIRK_NONE + 1; i < OTTER_N_QUIRKS; i++) {
        struct quirk_count count = count_quirk(report, i);
        if (count.n_stated + count.n_deviants == 0) {
            continue;
        }
        otter_print(out, has_title ? "" : "\n  known causes, not faults of the archive\n");
        has_title = true;
        otter_print(out, "    %s", otter_quirk_words[i].name);
        print_quirk_count(out, &count);
        otter_print_wrapped(out, 6, otter_quirk_words[i].explanation);
        print_first(out, definitions, count.first);
    }
}

static void print_names(FILE *out, const struct otter_check_report *report, const char *reason)
{
    const char *separator = "";
    for (unsigned i = 0; i < OTTER_N_CHECKS; i++) {
        if (report->results[i].not_applicable == reason) {
            otter_print(out, "%s%s", separator, otter_check_words[i].name);
            separator = ", ";
        }
    }
}

// Prints each reason once, with all checks that were skipped because of it.
static void print_not_applicable(FILE *out, const struct otter_check_report *report)
{
    for (unsigned i = 0; i < OTTER_N_CHECKS; i++) {
        const char *reason = report->results[i].not_applicable;
        bool is_printed = false;
        for (unsigned before = 0; before < i; before++) {
            is_printed |= report->results[before].not_applicable == reason;
        }
        if (reason && !is_printed) {
            otter_print(out, "\n  not applicable: ");
            print_names(out, report, reason);
            otter_print(out, "\n    %s\n", reason);
        }
    }
}

static void add_share(char *text, size_t size, const char *name, uint64_t ticks, uint64_t wall)
{
    double percent = 100.0 * (double)ticks / (double)wall;
    size_t used = strlen(text);
    if (percent >= 0.05) {
        snprintf(text + used, size - used, ", %.1f %% %s", percent, name);
    }
}

// Shares of time are meaningless if times decrease, exceed the archive's length, or add up to more
// than the threads' time.
static bool is_clock_damaged(const struct otter_definitions *definitions,
                             const struct otter_check_times *times)
{
    const uint64_t parts[] = {times->running, times->locks, times->forking, times->paused,
                              times->outside};
    double longest = (double)definitions->clock.length * (double)definitions->n_locations;
    double sum = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        sum += (double)parts[i];
    }
    for (size_t i = 0; i < OTTER_N_CONSTRUCTS; i++) {
        sum += (double)times->waiting[i];
    }
    return (longest > 0 && (double)times->wall > 1.01 * longest) ||
           sum > 1.01 * (double)times->wall;
}

static void print_times(FILE *out, const struct otter_definitions *definitions,
                        const struct otter_check_report *report)
{
    const struct otter_check_times *times = &report->times;
    if (times->wall == 0 || definitions->clock.resolution == 0) {
        return;
    }
    if (is_clock_damaged(definitions, times)) {
        otter_print_wrapped(out, 2,
                            "the clock of this archive is damaged (times decrease, or exceed "
                            "the archive's length), so no shares of time are printed");
        return;
    }
    uint64_t barriers = 0, waits = 0, fences = 0, mpi = 0;
    for (unsigned i = 0; i < OTTER_N_CONSTRUCTS; i++) {
        uint64_t *sum = &barriers;
        if (i >= OTTER_CONSTRUCT_TASKWAIT && i <= OTTER_CONSTRUCT_TASKGROUP_WAIT) {
            sum = &waits;
        } else if (i == OTTER_CONSTRUCT_KOKKOS_FENCE) {
            sum = &fences;
        } else if (otter_construct_is_mpi((enum otter_construct)i)) {
            sum = &mpi;
        }
        *sum += times->waiting[i];
    }
    char text[400], wall[OTTER_MAX_NUMBER];
    otter_duration_text((double)times->wall / (double)definitions->clock.resolution, wall);
    snprintf(text, sizeof text, "%s of all threads: %.1f %% busy", wall,
             100.0 * (double)times->running / (double)times->wall);
    add_share(text, sizeof text, "in barriers", barriers, times->wall);
    add_share(text, sizeof text, "waiting for tasks", waits, times->wall);
    add_share(text, sizeof text, "in fences", fences, times->wall);
    add_share(text, sizeof text, "in MPI", mpi, times->wall);
    add_share(text, sizeof text, "waiting for locks", times->locks, times->wall);
    add_share(text, sizeof text, "forking and joining", times->forking, times->wall);
    add_share(text, sizeof text, "paused", times->paused, times->wall);
    add_share(text, sizeof text, "outside", times->outside, times->wall);
    otter_print_wrapped(out, 2, text);
}

void otter_check_print(FILE *out, const struct otter_definitions *definitions,
                       const struct otter_check_report *report)
{
    char a[OTTER_MAX_NUMBER], b[OTTER_MAX_NUMBER], c[OTTER_MAX_NUMBER], d[OTTER_MAX_NUMBER];
    unsigned n_passed = 0, n_failed = 0;
    for (unsigned i = 0; i < OTTER_N_CHECKS; i++) {
        const struct otter_check_result *result = &report->results[i];
        n_failed += otter_check_errors(result) > 0;
        n_passed += otter_check_errors(result) == 0 && !result->not_applicable;
    }
    otter_print(out, "%s\n  %u check%s passed", definitions->folder, n_passed,
                otter_plural(n_passed));
    if (n_failed > 0) {
        otter_print(out, ", %u failed", n_failed);
    }
    otter_print(out, ": %s event%s on %zu location%s", otter_number_text(report->n_events, a),
                otter_plural(report->n_events), definitions->n_locations,
                otter_plural(definitions->n_locations));
    if (report->n_nodes > 0) {
        otter_print(out, ",\n  %s task%s, %s node%s and %s edge%s in two views",
                    otter_number_text(report->n_tasks, b), otter_plural(report->n_tasks),
                    otter_number_text(report->n_nodes, c), otter_plural(report->n_nodes),
                    otter_number_text(report->n_edges, d), otter_plural(report->n_edges));
    }
    otter_print(out, "\n");
    print_times(out, definitions, report);
    print_errors(out, definitions, report);
    print_quirks(out, definitions, report);
    print_not_applicable(out, report);
}
