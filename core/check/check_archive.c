// Runs all checks on an archive and collects the deviations in one report.
#include "check/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/deviation.h"
#include "check/events.h"
#include "check/graph.h"
#include "graph/build/build.h"
#include "graph/graph.h"
#include "graph/missing.h"

uint64_t otter_check_errors(const struct otter_check_result *result)
{
    return result->deviations[OTTER_QUIRK_NONE].n;
}

uint64_t otter_check_notes(const struct otter_check_result *result)
{
    uint64_t n = 0;
    for (unsigned i = OTTER_QUIRK_NONE + 1; i < OTTER_N_QUIRKS; i++) {
        n += result->deviations[i].n;
    }
    return n;
}

// ---- the archive

struct checking {
    struct otter_archive *archive;
    const struct otter_definitions *definitions;
    struct otter_check_report *report;
    struct otter_complaint *complaint;
    struct otter_event_checker *events;
    enum otter_quirk excuse, lost;
    bool is_ours;
    size_t n_damaged;
};

static uint64_t count_of(const struct checking *checking, const char *property)
{
    return otter_archive_number(checking->archive, property);
}

static void leave_out(struct checking *checking, enum otter_check first, const char *reason)
{
    for (unsigned i = first; i < OTTER_N_CHECKS; i++) {
        if (!checking->report->results[i].not_applicable) {
            checking->report->results[i].not_applicable = reason;
        }
    }
}

// Checks from OTTER_CHECK_TEAMS on apply only to archives written by Otter.
static void look_at_schema(struct checking *checking)
{
    checking->is_ours = otter_graph_knows(checking->archive, checking->report->reason);
    if (!checking->is_ours) {
        leave_out(checking, OTTER_CHECK_TEAMS, checking->report->reason);
    }
}

static bool is_cut_off(const struct otter_definitions *definitions)
{
    for (size_t i = 0; i < definitions->n_markers; i++) {
        const struct otter_marker *marker = &definitions->markers[i];
        if (strcmp(marker->group, "Otter") == 0 && strcmp(marker->category, "cut off") == 0) {
            return true;
        }
    }
    return false;
}

static bool is_stopped(const struct checking *checking)
{
    return otter_archive_property(checking->archive, "OTTER::STOPPED") != NULL;
}

static bool has_repairs(const struct checking *checking)
{
    return count_of(checking, "OTTER::REPAIRED") > 0 || count_of(checking, "OTTER::UNBEGUN") > 0;
}

// Finds the reasons why events may be missing: the archive's properties and markers state them.
static void look_for_excuses(struct checking *checking)
{
    bool has_lost = count_of(checking, "OTTER::LOST") > 0;
    checking->lost = has_lost               ? OTTER_QUIRK_LOST
                     : is_stopped(checking) ? OTTER_QUIRK_STOPPED
                                            : OTTER_QUIRK_NONE;
    checking->excuse = checking->lost;
    if (!checking->excuse) {
        checking->excuse = is_cut_off(checking->definitions)             ? OTTER_QUIRK_CUT_OFF
                           : count_of(checking, "OTTER::UNFINISHED") > 0 ? OTTER_QUIRK_UNFINISHED
                                                                         : OTTER_QUIRK_NONE;
    }
}

// ---- events

static void check_location(struct checking *checking, uint32_t location)
{
    uint64_t n_others = 0;
    struct otter_complaint complaint;
    otter_event_checker_begin(checking->events, location);
    enum otter_status status =
        otter_archive_read(checking->archive, location, otter_event_checker_add, checking->events,
                           &n_others, &complaint);
    checking->report->results[OTTER_CHECK_FILES].n_tested++;
    if (status) {
        checking->n_damaged++;
        otter_deviate(checking->report, OTTER_CHECK_FILES, OTTER_QUIRK_NONE,
                      (struct otter_deviation){.location = location}, "%.150s", complaint.text);
    }
    otter_event_checker_end(checking->events, n_others, status == OTTER_OK);
}

static void check_events(struct checking *checking)
{
    for (uint32_t i = 0; i < checking->definitions->n_locations; i++) {
        check_location(checking, i);
    }
    if (checking->n_damaged == 0) {
        otter_event_checker_judge(checking->events);
    }
}

static void check_comms(struct checking *checking)
{
    struct otter_check_result *result = &checking->report->results[OTTER_CHECK_DEFINITIONS];
    for (size_t i = 0; i < checking->definitions->n_comms; i++) {
        const struct otter_comm *comm = &checking->definitions->comms[i];
        // ranks may be in other archives
        for (size_t m = 0; !comm->ranks && m < comm->n_members; m++) {
            result->n_tested++;
            if (comm->members[m] == OTTER_NONE) {
                otter_deviate(
                    checking->report, OTTER_CHECK_DEFINITIONS, OTTER_QUIRK_NONE, OTTER_NOWHERE,
                    "member %zu of \"%.60s\" is not a location that is defined", m, comm->name);
            }
        }
    }
}

static void check_markers(struct checking *checking)
{
    if (checking->definitions->marker_damage) {
        otter_deviate(checking->report, OTTER_CHECK_FILES, OTTER_QUIRK_NONE, OTTER_NOWHERE,
                      "%.150s", checking->definitions->marker_damage);
    }
}

static void add_count(struct checking *checking, enum otter_quirk quirk, uint64_t n,
                      const char *one, const char *many)
{
    otter_deviate_often(checking->report, OTTER_CHECK_COUNTS, quirk, n, one, many);
}

// Adds the deviations that the archive's properties count.
static void check_statements(struct checking *checking)
{
    static const struct {
        const char *property;
        enum otter_quirk quirk;
        const char *one, *many;
    } rows[] = {
        {"OTTER::LOST", OTTER_QUIRK_LOST, "event could not be stored",
         "events could not be stored"},
        {"OTTER::BEYOND_LIMIT", OTTER_QUIRK_BEYOND,
         "or more labels or code locations exceed the limit and have no name",
         "or more labels or code locations exceed the limit and have no name"},
        {"OTTER::UNFINISHED", OTTER_QUIRK_UNFINISHED, "construct was open when the recording ended",
         "constructs were open when the recording ended"},
        {"OTTER::UNBEGUN", OTTER_QUIRK_UNBEGUN, "end without a beginning is left out",
         "ends without a beginning are left out"},
        {"OTTER::DEVICE_REFUSED", OTTER_QUIRK_REFUSED, "record of a device is invalid",
         "records of devices are invalid"},
        {"OTTER::DEVICE_MOVED", OTTER_QUIRK_MOVED,
         "record of a device was slightly outside the run",
         "records of devices were slightly outside the run"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        add_count(checking, rows[i].quirk, count_of(checking, rows[i].property), rows[i].one,
                  rows[i].many);
    }
    add_count(checking, OTTER_QUIRK_STOPPED, is_stopped(checking),
              "limit on the size of the archive was reached", "");
    add_count(checking, OTTER_QUIRK_CUT_OFF, is_cut_off(checking->definitions),
              "marker: the program ended before its recording was closed", "");
}

// Adds deviations for the ends that the recorder added, by construct.
static void check_repairs(struct checking *checking)
{
    uint64_t n_repaired = count_of(checking, "OTTER::REPAIRED");
    const struct otter_event_results *results = otter_event_checker_results(checking->events);
    uint64_t n_singles = results->n_singles, n_loops = results->n_loops;
    if (checking->excuse || n_singles + n_loops > n_repaired) {
        n_singles = n_loops = 0; // constructs closed at the program's end look the same
    }
    add_count(checking, OTTER_QUIRK_SINGLE, n_singles, "end of a single construct was not reported",
              "ends of single constructs were not reported");
    add_count(checking, OTTER_QUIRK_LOOP, n_loops,
              "end of a worksharing construct was not reported",
              "ends of worksharing constructs were not reported");
    add_count(checking, OTTER_QUIRK_REPAIRED, n_repaired - n_singles - n_loops,
              "beginning without an end", "beginnings without an end");
}

// Explains missing dependences: a setting excluded them, or the runtime did not report them.
static void check_dependences(struct checking *checking)
{
    enum otter_missing missing = otter_missing_dependences(checking->archive);
    if (missing) {
        otter_deviate(checking->report, OTTER_CHECK_COUNTS, OTTER_QUIRK_DEPENDENCES, OTTER_NOWHERE,
                      "%s", otter_missing_reason(missing));
    }
}

// ---- the graph

// The fragments of a location must last as long as it executed tasks according to its events. The
// tasks of a helper thread are outside of any region (quirk 'hidden helper').
static void compare_times(struct checking *checking, const uint64_t *fragment_time)
{
    const struct otter_event_results *results = otter_event_checker_results(checking->events);
    for (uint32_t i = 0; i < checking->definitions->n_locations; i++) {
        const struct otter_location_time *time = &results->times[i];
        if (time->running == fragment_time[i] || results->tasks.locations[i].is_time_inexact) {
            continue;
        }
        enum otter_quirk quirk = time->running + time->between == fragment_time[i]
                                     ? OTTER_QUIRK_HELPER
                                 : time->has_untied ? OTTER_QUIRK_UNTIED
                                                    : OTTER_QUIRK_NONE;
        otter_deviate(checking->report, OTTER_CHECK_TIME, quirk,
                      (struct otter_deviation){.location = i},
                      "its events run tasks for %" PRIu64 " ticks, its fragments for %" PRIu64,
                      time->running, fragment_time[i]);
    }
}

static enum otter_status check_view(struct checking *checking, struct otter_graph_checker *checker,
                                    enum otter_graph_view view, struct otter_graph **graph)
{
    struct otter_build_findings findings = {0};
    enum otter_status status =
        otter_graph_build(checking->archive, view, graph, &findings, checking->complaint);
    if (status) {
        return status;
    }
    if (view == OTTER_VIEW_STRUCTURE) {
        checking->report->results[OTTER_CHECK_GRAPH].n_tested = (*graph)->n_tasks;
        otter_check_findings(checker, &findings);
    }
    otter_check_graph(checker, *graph);
    return OTTER_OK;
}

static enum otter_status check_views(struct checking *checking, struct otter_graph **fragments)
{
    struct otter_graph *structure = NULL;
    const struct otter_event_results *results = otter_event_checker_results(checking->events);
    struct otter_graph_checker checker = {
        .report = checking->report,
        .pauses = results->pauses.items,
        .n_pauses = results->pauses.n,
        .excuse = checking->excuse,
        .has_repairs = has_repairs(checking),
        .n_endless = results->tasks.n_endless,
        .n_uncreated = results->tasks.n_uncreated,
        .was_cancelled = results->has_cancel,
        .fragment_time = calloc(checking->definitions->n_locations + 1, sizeof(uint64_t)),
    };
    enum otter_status status = check_view(checking, &checker, OTTER_VIEW_STRUCTURE, &structure);
    otter_graph_destroy(structure);
    OTTER_THEN(status, check_view(checking, &checker, OTTER_VIEW_FRAGMENTS, fragments));
    if (!status) {
        compare_times(checking, checker.fragment_time);
    }
    free(checker.fragment_time);
    return status;
}

// ---- all

static enum otter_status check_all(struct checking *checking, struct otter_graph **fragments)
{
    check_events(checking);
    check_comms(checking);
    check_markers(checking);
    check_statements(checking);
    check_repairs(checking);
    check_dependences(checking);
    if (!checking->is_ours) {
        return OTTER_OK;
    }
    if (checking->n_damaged > 0) {
        leave_out(checking, OTTER_CHECK_TASKS, "not all locations can be read");
        return OTTER_OK;
    }
    return check_views(checking, fragments);
}

enum otter_status otter_check_archive(struct otter_archive *archive,
                                      struct otter_check_report *report,
                                      struct otter_graph **fragments,
                                      struct otter_complaint *complaint)
{
    struct checking checking = {.archive = archive,
                                .definitions = otter_archive_definitions(archive),
                                .report = report,
                                .complaint = complaint};
    memset(report, 0, sizeof *report);
    *fragments = NULL;
    report->results[OTTER_CHECK_ACCOUNT].not_applicable = "the archive was not analysed";
    look_at_schema(&checking);
    look_for_excuses(&checking);
    checking.events = otter_event_checker_create(&(struct otter_event_checker_options){
        .definitions = checking.definitions,
        .report = report,
        .is_ours = checking.is_ours,
        .excuse = checking.excuse,
        .lost = checking.lost,
        .has_repairs = has_repairs(&checking),
    });
    enum otter_status status = check_all(&checking, fragments);
    otter_event_checker_destroy(checking.events);
    return status;
}
