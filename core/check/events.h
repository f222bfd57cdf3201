// Checks the events of an archive, one location after the other.
#pragma once

#include "check/check.h"
#include "check/tasks.h"

struct otter_event_checker_options {
    const struct otter_definitions *definitions;
    struct otter_check_report *report;
    bool is_ours;            // written by Otter, in a known schema
    enum otter_quirk excuse; // explains missing events
    enum otter_quirk lost;   // explains events missing before the recording's end
    bool has_repairs;        // the recorder repaired or left out ends
};

// A pause of one thread.
struct otter_pause_span {
    uint32_t location;
    uint64_t off, on; // ticks; `on` is UINT64_MAX for a pause without an end
};

// Ticks of one location for comparison with its fragments.
struct otter_location_time {
    uint64_t running; // executing tasks, or the program outside of regions
    uint64_t between; // of a hidden helper, between tasks outside of any region
    bool has_untied;
};

// NULL: memory is short.
struct otter_event_checker *
otter_event_checker_create(const struct otter_event_checker_options *options);
void otter_event_checker_destroy(struct otter_event_checker *checker);

// The events of a location are added in order between its begin and its end. False: memory is
// short.
// - otter_event_checker_add() is an otter_event_function; `checker` is the event checker.
// - `n_others`: number of events of the location that were not added
// - `is_whole`: the location was read to its end
bool otter_event_checker_begin(struct otter_event_checker *checker, uint32_t location);
bool otter_event_checker_add(void *checker, const struct otter_event *event);
bool otter_event_checker_end(struct otter_event_checker *checker, uint64_t n_others, bool is_whole);

// Checks tasks and locks over all locations. Must be called after the last location.
void otter_event_checker_judge(struct otter_event_checker *checker);

// Return results that belong to the checker.
// - Pauses are in the order of locations and times.
// - Tasks have the counts of otter_event_checker_judge() after its call.
const struct otter_pause_span *otter_event_checker_pauses(const struct otter_event_checker *checker,
                                                          size_t *n);
const struct otter_location_time *
otter_event_checker_time(const struct otter_event_checker *checker, uint32_t location);
const struct otter_checked_tasks *
otter_event_checker_tasks(const struct otter_event_checker *checker);

// Returns the number of ends that Otter added: OTTER_QUIRK_SINGLE or OTTER_QUIRK_LOOP.
uint64_t otter_event_checker_repaired(const struct otter_event_checker *checker,
                                      enum otter_quirk quirk);
// Was any construct cancelled?
bool otter_event_checker_cancelled(const struct otter_event_checker *checker);
