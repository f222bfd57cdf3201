// The life of each explicit task, as the events of all locations record it.
#pragma once

#include "base/arena.h"
#include "base/vector.h"
#include "check/check.h"

enum otter_checked_flag {
    OTTER_CHECKED_CREATED = 1 << 0,
    OTTER_CHECKED_BEGAN = 1 << 1,
    OTTER_CHECKED_ENDED = 1 << 2,
    OTTER_CHECKED_NEVER_RAN = 1 << 3,
    OTTER_CHECKED_DETACHED = 1 << 4,
    OTTER_CHECKED_UNTIED = 1 << 5,
    OTTER_CHECKED_MIGRATED = 1 << 6, // the task ran on several locations
    // the task ended more than once, so its locations are unreliable
    OTTER_CHECKED_ENDED_TWICE = 1 << 7,
};

struct otter_checked_task {
    uint64_t created, began, ended; // ticks
    uint16_t location;              // location of the task's first part
    uint16_t flags;                 // enum otter_checked_flag
};

// A span in which an untied task ran on a location.
struct otter_segment {
    uint32_t creator, number;
    uint32_t location;
    uint64_t from, to;
};

// An end on a thread where the task was not current. Whether it is an error can only be decided
// from all events.
struct otter_misplaced_end {
    uint32_t creator, number, location;
    uint64_t time;
};

struct otter_checked_tasks {
    struct otter_checked_tasks_of { // the tasks created by one location, in pages by number
        struct otter_checked_task **pages;
        uint32_t n_pages;
        bool is_time_inexact; // a task that ran here deviates, so the times need not match
    } *locations;
    size_t n_locations;
    struct otter_arena pages;
    struct {
        OTTER_VECTOR(struct otter_segment);
    } segments;
    struct {
        OTTER_VECTOR(struct otter_misplaced_end);
    } misplaced;
    uint64_t n_endless, n_uncreated; // deviations added by otter_checked_tasks_judge()
};

void otter_checked_tasks_init(struct otter_checked_tasks *tasks, size_t n_locations);
void otter_checked_tasks_finish(struct otter_checked_tasks *tasks);

// Returns the task, without flags at first. The caller must have checked creator and number
// by otter_graph_may_be_task().
struct otter_checked_task *otter_checked_task_at(struct otter_checked_tasks *tasks,
                                                 uint32_t creator, uint32_t number);

// The quirks that explain deviations of tasks, or OTTER_QUIRK_NONE.
struct otter_task_excuses {
    // quirk of tasks without an end, and of untied ones among them
    enum otter_quirk endless, untied;
    enum otter_quirk lost; // OTTER_QUIRK_LOST if events were lost
};

// Checks all tasks and adds deviations to the report. Must be called after the last location. Frees
// the tasks, but not what is known about their locations.
void otter_checked_tasks_judge(struct otter_checked_tasks *tasks, struct otter_check_report *report,
                               struct otter_task_excuses excuses);
