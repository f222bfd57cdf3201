// The contents of an archive in numbers.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "trace/read/reader.h"

struct otter_summary {
    uint64_t n_events; // of all readable locations
    uint64_t n_records[OTTER_N_RECORDS];
    uint64_t n_others;              // records of kinds that this build does not know
    uint64_t *n_location_events;    // of each location: events that could be read
    uint64_t *n_region_enters;      // of each region
    uint64_t first_time, last_time; // ticks; 0 without events

    uint64_t n_switches_lost;
    uint64_t n_pauses;     // of threads
    uint64_t paused_ticks; // of all threads; a pause without an end lasts until the archive's end
    uint64_t tasks_created;
    uint64_t tasks_completed;
    uint64_t tasks_never_ran;
    uint64_t tasks_cancelled;  // after they began
    uint64_t tasks_unfinished; // created, but no end is recorded

    uint64_t parallel_regions;
    uint64_t n_teams;        // a parallel region forms one team, a league several
    size_t n_distinct_teams; // with the same threads in the same order inside the same team
    uint32_t largest_team;   // members

    uint64_t size; // bytes on disk
    uint64_t n_files;

    size_t n_damaged;                    // locations whose events cannot be read to the end
    struct otter_complaint first_damage; // valid if n_damaged > 0
};

// Reads the whole archive. A damaged location is counted, and is not an error.
void otter_summary_init(struct otter_summary *summary, struct otter_archive *archive);
void otter_summary_finish(struct otter_summary *summary);
