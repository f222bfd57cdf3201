// Proves an archive: a list of named checks, each with the deviations that were found.
//
// A deviation that has the name of a known quirk (of the runtime, or of how the program ended) is a note; any other is an error.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "graph/build/build.h"
#include "trace/read/reader.h"

enum otter_check {
    OTTER_CHECK_FILES = 0,   // every location can be read to its end
    OTTER_CHECK_DEFINITIONS, // what events name is defined
    OTTER_CHECK_COUNTS,      // as many events as defined, none lost
    OTTER_CHECK_CLOCK,
    OTTER_CHECK_NESTING,
    // the rest is about what Otter records
    OTTER_CHECK_TEAMS,
    OTTER_CHECK_LOCKS,
    OTTER_CHECK_PARAMETERS, // belong to a record
    OTTER_CHECK_TASKS,
    OTTER_CHECK_SWITCHES,
    OTTER_CHECK_EXECUTION, // where a task ran
    OTTER_CHECK_GRAPH,     // what the builder had to make up for
    OTTER_CHECK_ACYCLIC,
    OTTER_CHECK_ORDER, // edges respect time
    OTTER_CHECK_SCOPES,
    OTTER_CHECK_TIME, // is conserved
    OTTER_N_CHECKS
};

// Why a deviation is none of the archive's.
enum otter_quirk {
    OTTER_QUIRK_NONE = 0, // an error
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

// One deviation, as far as it is known: a location, or OTTER_NONE; with it, a time, or 0.
struct otter_deviation {
    uint32_t location; // index
    uint32_t creator;  // the task, when `number` is not 0
    uint32_t number;
    uint64_t time;  // ticks
    char text[192]; // what is wrong, in a few words
};

enum { OTTER_MAX_DEVIATIONS_SHOWN = 5 };

// All deviations of one check and quirk; the first of them described.
struct otter_deviations {
    uint64_t n;
    struct otter_deviation first[OTTER_MAX_DEVIATIONS_SHOWN];
};

struct otter_check_result {
    const char *not_applicable; // why it cannot be decided; NULL when it was
    uint64_t n_tested;          // of what otter_check_unit says
    struct otter_deviations deviations[OTTER_N_QUIRKS];
};

struct otter_check_report {
    struct otter_check_result results[OTTER_N_CHECKS];
    uint64_t n_events, n_tasks, n_nodes, n_edges; // nodes and edges of both views
    // The states of all threads between their first and last event, in ticks. They sum up to `wall`.
    struct otter_check_times {
        uint64_t wall, running, locks, outside, forking, paused;
        uint64_t waiting[OTTER_N_CONSTRUCTS]; // by construct
    } times;
    char reason[OTTER_MAX_WHY]; // what `not_applicable` points to
};

// Checks all there is to check; *report, of some 250 KiB, is the caller's, and free of pointers into the archive.
// OTTER_NO_MEMORY: the report says nothing; *complaint says more.
enum otter_status otter_check_archive(struct otter_archive *archive,
                                      struct otter_check_report *report,
                                      struct otter_complaint *complaint);

uint64_t otter_check_errors(const struct otter_check_result *result);
uint64_t otter_check_notes(const struct otter_check_result *result);

// Never NULL, here and below. "nesting"
const char *otter_check_name(enum otter_check check);
// "each Leave ends what was entered last"
const char *otter_check_rule(enum otter_check check);
// "events"
const char *otter_check_unit(enum otter_check check);

// "late end", "" for none
const char *otter_quirk_name(enum otter_quirk quirk);
// A sentence for the person.
const char *otter_quirk_explanation(enum otter_quirk quirk);
