// What the files of the checker share.
#pragma once

#include "check/check.h"
#include "base/vector.h"

struct otter_graph;
struct otter_build_findings;

// ---- check.c

// Where a deviation is: (struct otter_deviation){.location = ..., .time = ...}.
void otter_deviate(struct otter_check_report *report, enum otter_check check,
                   enum otter_quirk quirk, struct otter_deviation where, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

// `n` deviations that are nowhere in particular, if any; what they are, in singular and plural,
// follows the number.
void otter_deviate_often(struct otter_check_report *report, enum otter_check check,
                         enum otter_quirk quirk, uint64_t n, const char *one, const char *many);

// "1 tick", "2 ticks"
static inline const char *otter_check_plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

// ---- check_tasks.c: what became of each explicit task

enum otter_checked_flag {
    OTTER_CHECKED_CREATED = 1 << 0,
    OTTER_CHECKED_BEGAN = 1 << 1,
    OTTER_CHECKED_ENDED = 1 << 2,
    OTTER_CHECKED_NEVER_RAN = 1 << 3,
    OTTER_CHECKED_DETACHED = 1 << 4,
    OTTER_CHECKED_UNTIED = 1 << 5,
    OTTER_CHECKED_WANDERED = 1 << 6, // ran on several locations
    OTTER_CHECKED_TARGET = 1 << 7,
    OTTER_CHECKED_AGAIN = 1 << 8, // ended more than once: where it ran says nothing
};

struct otter_checked_task {
    uint64_t created, began, ended;
    uint16_t location; // on which it ran first
    uint16_t flags;    // enum otter_checked_flag
};

// Where an untied task ran, and when.
struct otter_segment {
    uint32_t creator, number;
    uint32_t location;
    uint64_t from, to;
};

// An end told where its task was not the current one: whether that may be is known when all is
// read.
struct otter_strange_end {
    uint32_t creator, number, location;
    uint64_t time;
};

struct otter_checked_tasks {
    struct otter_checked_tasks_of { // those that one location created: pages of tasks, by number
        struct otter_checked_task **pages;
        uint32_t n_pages;
        bool has_strange; // of the tasks that ran on it one deviates: its time need not add up
    } *locations;
    size_t n_locations;
    struct {
        OTTER_VECTOR(struct otter_segment);
    } segments;
    struct {
        OTTER_VECTOR(struct otter_strange_end);
    } strange;
    uint64_t n_endless, n_uncreated; // that the verdict names
};

enum otter_status otter_checked_tasks_init(struct otter_checked_tasks *tasks, size_t n_locations);
void otter_checked_tasks_finish(struct otter_checked_tasks *tasks);

// A task of which nothing is known yet has no flags. NULL when memory is short. By
// otter_graph_may_be_task alone.
struct otter_checked_task *otter_checked_task_at(struct otter_checked_tasks *tasks,
                                                 uint32_t creator, uint32_t number);
// False when memory is short.
bool otter_checked_segment_add(struct otter_checked_tasks *tasks, struct otter_segment segment);
bool otter_checked_strange_add(struct otter_checked_tasks *tasks, struct otter_strange_end end);

// By which quirk tasks need not be as they should, or NONE.
struct otter_task_excuses {
    enum otter_quirk endless, untied; // tasks without an end, and untied ones
    enum otter_quirk lost;            // OTTER_QUIRK_LOST when events were lost
};

// The verdict on all tasks.
void otter_checked_tasks_judge(struct otter_checked_tasks *tasks, struct otter_check_report *report,
                               struct otter_task_excuses excuses);

// ---- check_events.c: the events of one location after the other

struct otter_event_checker;

struct otter_event_checker_options {
    const struct otter_definitions *definitions;
    struct otter_check_report *report;
    bool is_ours;            // written by Otter, in a schema that is known here
    enum otter_quirk excuse; // as above
    enum otter_quirk lost;
    bool has_untold_ends; // ends that the recorder made up for
};

// NULL when memory is short.
struct otter_event_checker *
otter_event_checker_create(const struct otter_event_checker_options *options);
void otter_event_checker_destroy(struct otter_event_checker *checker);

// Between begin and end of a location its events, in order. False when memory is short; the
// signature is that of otter_event_function.
bool otter_event_checker_begin(struct otter_event_checker *checker, uint32_t location);
bool otter_event_checker_add(void *checker, const struct otter_event *event);
// `n_others`: events that were not passed; `is_whole`: it was read to its end.
bool otter_event_checker_end(struct otter_event_checker *checker, uint64_t n_others, bool is_whole);
// After the last location.
void otter_event_checker_judge(struct otter_event_checker *checker);

// A pause of one thread.
struct otter_pause_span {
    uint32_t location;
    uint64_t off, on; // `on`: UINT64_MAX when it never went on
};

// Those of all locations, by location and time; owned by the checker.
const struct otter_pause_span *otter_event_checker_pauses(const struct otter_event_checker *checker,
                                                          size_t *n);

// What the fragments of a location must add up to.
struct otter_location_time {
    uint64_t running; // it executed code of tasks, by the events, or the program outside of regions
    uint64_t between; // it executed none, after tasks outside of any region: a hidden helper
    bool has_untied;
};

const struct otter_location_time *
otter_event_checker_time(const struct otter_event_checker *checker, uint32_t location);
// What became of the tasks; with the verdict on them, once that is known.
const struct otter_checked_tasks *
otter_event_checker_tasks(const struct otter_event_checker *checker);

// Ends that Otter made: of singles, of loops.
uint64_t otter_event_checker_repaired(const struct otter_event_checker *checker,
                                      enum otter_quirk quirk);
// Whether a construct was cancelled anywhere.
bool otter_event_checker_cancelled(const struct otter_event_checker *checker);

// ---- check_graph.c

struct otter_graph_checker {
    struct otter_check_report *report;
    enum otter_quirk excuse;
    bool was_cancelled;
    const struct otter_pause_span *pauses;
    size_t n_pauses;
    bool has_untold_ends;            // as above
    uint64_t n_endless, n_uncreated; // tasks of which that is said already
    uint64_t *fragment_time;         // by location; filled by the fragments view
};

// OTTER_NO_MEMORY.
enum otter_status otter_check_graph(struct otter_graph_checker *checker,
                                    const struct otter_graph *graph);
void otter_check_findings(struct otter_graph_checker *checker,
                          const struct otter_build_findings *findings);
