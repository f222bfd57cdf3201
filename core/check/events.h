// Checks the events of an archive, one location after the other.
#pragma once

#include "check/check.h"
#include "check/tasks.h"

struct otter_event_checker_options {
    const struct otter_definitions *definitions;
    struct otter_check_report *report;
    bool is_ours;            // the archive was written by Otter, in a known schema
    enum otter_quirk excuse; // explains missing events
    enum otter_quirk lost;   // explains events missing before the end of the recording
    bool has_repairs;        // the recorder repaired or left out ends
};

// A pause of one thread.
struct otter_pause_span {
    uint32_t location;
    uint64_t off, on; // ticks; `on` is UINT64_MAX for a pause without an end
};

// The results of all locations.
struct otter_event_results {
    struct otter_checked_tasks tasks; // judged by otter_event_checker_judge()
    struct otter_location_time {      // ticks of each location, for comparison with its fragments
        uint64_t running; // ticks in which a task was executed, or the program outside of regions
        uint64_t between; // a hidden helper's ticks between tasks outside of any region
        bool has_untied;
    } *times;
    struct {
        OTTER_VECTOR(struct otter_pause_span);
    } pauses;                    // sorted by location and time
    uint64_t n_singles, n_loops; // ends that Otter added
    bool has_cancel;             // some construct was cancelled
};

struct otter_event_checker *
otter_event_checker_create(const struct otter_event_checker_options *options);
void otter_event_checker_destroy(struct otter_event_checker *checker);

// The caller adds the events of a location in order, between begin and end.
// - otter_event_checker_add() is an otter_event_function that returns true.
// - `n_others`: number of events of the location that were not added
// - `is_whole`: the location was read to its end
void otter_event_checker_begin(struct otter_event_checker *checker, uint32_t location);
bool otter_event_checker_add(void *checker, const struct otter_event *event);
void otter_event_checker_end(struct otter_event_checker *checker, uint64_t n_others, bool is_whole);

// Checks tasks and locks over all locations. Must be called after the last location.
void otter_event_checker_judge(struct otter_event_checker *checker);

// Returns the results, which belong to the checker.
const struct otter_event_results *
otter_event_checker_results(const struct otter_event_checker *checker);
