// Relates the clocks of all processes to the first process's clock.
#pragma once

#include <stdint.h>

#include "merge/sources.h"
#include "trace/merge/clock_map.h"

// The ways to relate clocks, from best to worst. A job has the worst kind among its processes.
enum otter_clocks_kind {
    OTTER_CLOCKS_EXACT,    // all processes ran on one boot of one host, and read one clock
    OTTER_CLOCKS_FILE,     // measured offsets, in a file of ovnisync
    OTTER_CLOCKS_MPI,      // offsets that the MPI connector measured
    OTTER_CLOCKS_REALTIME, // the times of day of the hosts
    OTTER_CLOCKS_UNKNOWN,  // the times of day are unknown: all processes begin together
};

// Returns the value of OTTER::CLOCKS: "exact", "offsets", "mpi", "realtime" or "unknown".
const char *otter_clocks_name(enum otter_clocks_kind kind);

struct otter_related_clock {
    enum otter_clocks_kind kind;
    struct otter_clock clock; // clock of the process, in ticks of the job
    struct otter_clock_map map;
    uint64_t deviation_ns;
};

// The offsets of hosts, from a file of ovnisync.
struct otter_host_offsets {
    OTTER_VECTOR(struct otter_host_offset {
        char host[256];
        int64_t offset_ns; // nanoseconds to add to CLOCK_MONOTONIC of the host
        double deviation_ns;
    });
};

// Reads a file written by ovnisync: a heading, then lines "rank host median mean deviation" in ns.
// *Errors*: OTTER_BAD_VALUE: any other line, a number out of range, or a duplicate host; otherwise
// from errno.
enum otter_status otter_host_offsets_read(struct otter_host_offsets *offsets, const char *path,
                                          struct otter_complaint *complaint);

// Relates the clock of each source to the first. `offsets`: may be empty. `related`: one for each
// source.
// *Returns* the clock of the job. *Errors*: OTTER_BAD_VALUE: `offsets` lacks a host, or an archive
// lacks the time that the file refers to.
enum otter_status otter_clocks_relate(const struct otter_merge_sources *sources,
                                      const struct otter_host_offsets *offsets,
                                      struct otter_related_clock *related,
                                      struct otter_clock *clock, struct otter_complaint *complaint);
