// The archives that are merged: one for each rank, in order of the ranks.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/vector.h"
#include "trace/read/reader.h"

// An archive, as the merge needs it. Texts belong to the source.
struct otter_merge_source {
    char *path; // folder of the archive
    char *name; // name of the process
    uint32_t rank;
    bool has_rank;
    char *job, *host, *boot_id, *command_line; // texts about the process; "": unknown
    uint32_t n_ranks;                          // number of ranks in the job; 0: unknown
    struct otter_clock clock;
    uint64_t monotonic_ns; // CLOCK_MONOTONIC at clock.offset; 0: unknown
    size_t n_locations;
    size_t event_chunk;     // bytes
    uint64_t largest_table; // the largest number of definitions of one kind
    size_t n_regions, n_comms, n_parameters, n_metrics, n_contexts;
    struct otter_property *properties;
    size_t n_properties;
};

struct otter_merge_sources {
    OTTER_VECTOR(struct otter_merge_source);
    uint32_t n_left_out; // archives left out, each with a warning
    const char *job;     // job of any source; "": unknown
};

// Reads the definitions of the archives at `paths`, and of archives in folders of jobs.
// `is_forced`: also accepts archives without a launcher's numbers that were recorded at different
// times or are copies. *Errors*: OTTER_BAD_VALUE: archives of the same rank, of different jobs, of
// different times, or copies; OTTER_NOT_FOUND: no archive can be merged.
enum otter_status otter_merge_sources_read(struct otter_merge_sources *sources, char *const *paths,
                                           size_t n_paths, bool is_forced,
                                           struct otter_complaint *complaint);
// Returns whether the archive can be merged. Prints nothing.
bool otter_merge_is_source(const char *path);
void otter_merge_sources_free(struct otter_merge_sources *sources);
