// Checks whether an archive and its task graphs obey named rules, and counts the deviations from
// each.
//
// A deviation with a known cause, its quirk, is a note. All other deviations are errors.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "graph/build/build.h"
#include "trace/read/reader.h"

enum otter_check {
    OTTER_CHECK_FILES = 0,
    OTTER_CHECK_DEFINITIONS,
    OTTER_CHECK_COUNTS,
    OTTER_CHECK_CLOCK,
    OTTER_CHECK_NESTING,
    // The checks from here on apply only to archives written by Otter.
    OTTER_CHECK_TEAMS,
    OTTER_CHECK_LOCKS,
    OTTER_CHECK_PARAMETERS,
    OTTER_CHECK_TASKS,
    OTTER_CHECK_SWITCHES,
    OTTER_CHECK_EXECUTION,
    OTTER_CHECK_GRAPH,
    OTTER_CHECK_ACYCLIC,
    OTTER_CHECK_ORDER,
    OTTER_CHECK_SCOPES,
    OTTER_CHECK_TIME,
    OTTER_CHECK_ACCOUNT, // made by core/report/check/check_account.h
    OTTER_N_CHECKS
};

// The known cause of a deviation: the runtime, the program or the end of the recording.
enum otter_quirk {
    OTTER_QUIRK_NONE = 0, // the deviation is an error
    OTTER_QUIRK_LOST,
    OTTER_QUIRK_STOPPED,
    OTTER_QUIRK_BEYOND,
    OTTER_QUIRK_UNFINISHED,
    OTTER_QUIRK_CUT_OFF,
    OTTER_QUIRK_REPAIRED,
    OTTER_QUIRK_UNBEGUN,
    OTTER_QUIRK_SINGLE,
    OTTER_QUIRK_LOOP,
    OTTER_QUIRK_UNTIED,
    OTTER_QUIRK_DISCARDED,
    OTTER_QUIRK_LATE_END,
    OTTER_QUIRK_CANCELLED_BARRIER,
    OTTER_QUIRK_FULFILLER,
    OTTER_QUIRK_EVENT,
    OTTER_QUIRK_DEVICE_ALONE,
    OTTER_QUIRK_DEVICE_TIME,
    OTTER_QUIRK_HELPER,
    OTTER_QUIRK_DOACROSS,
    OTTER_QUIRK_DEPENDENCES,
    OTTER_QUIRK_REFUSED,
    OTTER_QUIRK_MOVED,
    OTTER_QUIRK_FOREIGN_RELEASE,
    OTTER_QUIRK_KEPT_LOCK,
    OTTER_QUIRK_PAUSED,
    OTTER_N_QUIRKS
};

// One deviation and its place.
struct otter_deviation {
    uint32_t location; // index of the location; OTTER_NONE: unknown
    uint32_t creator;  // index of the location that created the task
    uint32_t number;   // task number; 0: not an explicit task
    uint64_t time;     // ticks; 0: unknown
    char text[192];
};

enum { OTTER_MAX_DEVIATIONS_SHOWN = 5 };

// All deviations of one check with the same quirk. The first ones are stored in full.
struct otter_deviations {
    uint64_t n;
    struct otter_deviation first[OTTER_MAX_DEVIATIONS_SHOWN];
};

struct otter_check_result {
    const char *not_applicable; // why the check was skipped; NULL: it was made
    uint64_t n_tested;          // number of tested items; otter_check_words names their unit
    struct otter_deviations deviations[OTTER_N_QUIRKS];
};

struct otter_check_report {
    struct otter_check_result results[OTTER_N_CHECKS];
    uint64_t n_events, n_tasks, n_nodes, n_edges; // nodes and edges of both views
    // Ticks of all threads in each state, from their first to their last event. The sum is `wall`.
    struct otter_check_times {
        uint64_t wall, running, locks, outside, forking, paused;
        uint64_t waiting[OTTER_N_CONSTRUCTS]; // ticks of waiting in each construct
    } times;
    char reason[OTTER_MAX_WHY]; // text of `not_applicable` for an unknown schema
};

// Makes all applicable checks except OTTER_CHECK_ACCOUNT and fills *report, about 250 KiB. The
// report does not refer to memory of the archive.
//
// *fragments becomes the fragments view, even after an error, or NULL if it was not built. The
// caller frees the graph.
//
// *Errors*: a status of the graph builder, described by *complaint. The report
// is then incomplete.
enum otter_status otter_check_archive(struct otter_archive *archive,
                                      struct otter_check_report *report,
                                      struct otter_graph **fragments,
                                      struct otter_complaint *complaint);

uint64_t otter_check_errors(const struct otter_check_result *result);
uint64_t otter_check_notes(const struct otter_check_result *result);
