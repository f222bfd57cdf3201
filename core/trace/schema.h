// The names and numbers of an archive, in one table for writing and reading.
//
// include/otter/event.h defines the constructs and parameters. Any thread may call these.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "otter/event.h"

enum { OTTER_SCHEMA_VERSION = 1 };

// A recording's folder has the name of its archive and this suffix.
#define OTTER_RECORDING_SUFFIX ".recording"

// The archive of a rank in the folder of its job: "rank-0003".
#define OTTER_RANK_PREFIX "rank-"

// Properties of a merged archive (core/merge). Those of a process follow the properties of its own
// archive and start with this prefix.
#define OTTER_MERGE_PREFIX "OTTER::MERGE::"
#define OTTER_MERGE_RANK OTTER_MERGE_PREFIX "RANK" // the process's rank in its job
// deviation of the process's clock, in ns
#define OTTER_MERGE_DEVIATION OTTER_MERGE_PREFIX "DEVIATION"
#define OTTER_MERGE_CLOCK OTTER_MERGE_PREFIX "CLOCK" // resolution, offset, length, realtime
// How many regions, communicators, parameters and metrics the process has, and how many calling
// contexts if there are any: "31 4 12 2".
#define OTTER_MERGE_NUMBERS OTTER_MERGE_PREFIX "NUMBERS"
// first tick of the process's own clock
#define OTTER_MERGE_FIRST_TICK OTTER_MERGE_PREFIX "FIRST_TICK"
#define OTTER_MERGE_LAST_TICK OTTER_MERGE_PREFIX "LAST_TICK" // last tick of the process's own clock

// Each processor has a location with a metric record for each switch of a thread of the process.
// The values are the kernel's thread id and the kind of switch.
#define OTTER_SWITCH_METRIC "processor switch: thread" // the first member of the metric's class
#define OTTER_SWITCH_KIND_METRIC "processor switch: kind"

enum otter_switch_kind {
    OTTER_SWITCH_UNKNOWN = 0,
    OTTER_SWITCH_IN,
    OTTER_SWITCH_OUT,       // the thread sleeps, waits in the kernel, or has ended
    OTTER_SWITCH_PREEMPTED, // the thread could have continued
    // switches were lost since the previous record; the thread is replaced by their number
    OTTER_SWITCH_LOST,
    // no switch before this record is missing on any processor; has no thread
    OTTER_SWITCH_COMPLETE,
    // how long the thread of the previous switch had waited for the processor: microseconds, in
    // place of the thread
    OTTER_SWITCH_WAITED,
    // only in a recording (recording/sample_log.h): a sample of a thread, and its addresses
    OTTER_SWITCH_SAMPLE,
    OTTER_SWITCH_ADDRESSES,
    OTTER_SWITCH_COUNT,        // a counter of a thread; the value follows as an address
    OTTER_SWITCH_SAMPLES_LOST, // samples and counts; the thread is replaced by their number
};

// Frames of a sample's call chain; the kernel leaves out outer frames.
enum { OTTER_MAX_SAMPLE_DEPTH = 64 };

// The location of a thread's samples has the kernel's number of this thread as a property.
#define OTTER_SAMPLES_OF "OTTER::SAMPLES_OF"

// Each counter is a metric class with one value: the number of events of the thread so far.
enum { OTTER_MAX_COUNTERS = 16, OTTER_COUNTER_SIZE = 32 };

// Separates the names of functions that were inlined into each other; the innermost is first.
#define OTTER_INLINED " \u2190 "
enum { OTTER_MAX_INLINED = 64 }; // functions inlined at one address

// Regions that every archive defines. No event uses region 0: OTF2 would write its Enter without a
// payload, which looks like a record still being written.
enum {
    OTTER_REGION_NONE = 0,
    OTTER_REGION_UNKNOWN = 1,
    OTTER_REGION_FIRST = 2,
    OTTER_MAX_REGIONS = 1 << 16
};

// Locations. While a recording runs, streams of devices are numbered from OTTER_FIRST_STREAM, so
// that the numbers of threads are dense. In the archive, streams follow the threads, and processors
// follow the streams.
enum {
    OTTER_MAX_LOCATIONS = 1 << 14, // threads
    OTTER_FIRST_STREAM = OTTER_MAX_LOCATIONS,
    OTTER_MAX_STREAMS = 256,
    OTTER_END_OF_STREAMS = OTTER_FIRST_STREAM + OTTER_MAX_STREAMS,
    OTTER_FIRST_PROCESSOR = OTTER_END_OF_STREAMS, // used only while a recording is being finished
    OTTER_MAX_DEVICES = 64,
    OTTER_MAX_SPACES = 64,
    OTTER_MAX_MARKS = 4096,
};

enum {
    OTTER_COMM_ALL_THREADS = 0, // all CPU locations, in order of their ids
    // Ranks in the communicator of a device's RMA window.
    OTTER_RANK_DEVICE = 0,
    OTTER_RANK_FIRST_THREAD = 1,
};

// Prefix of the name of a communicator's group of processes; the communicator's identity follows.
#define OTTER_COMMUNICATOR_PREFIX "MPI communicator "

// Returns the canonical name of a construct: "!$omp taskwait". Never NULL.
const char *otter_construct_name(enum otter_construct construct);

// Returns the construct of a region with this canonical name and description;
// OTTER_CONSTRUCT_UNKNOWN for regions of other tools.
enum otter_construct otter_construct_from_name(const char *name, const char *description);

// Returns the OTF2 region role (OTF2_RegionRole) of a construct.
uint8_t otter_construct_role(enum otter_construct construct, uint32_t detail);

// Formats details as words ("untied, final"; "static"; a number), "" for none. Returns `text`.
char *otter_construct_detail_text(enum otter_construct construct, uint32_t detail, char *text,
                                  size_t size);

// Returns whether a thread in this construct waits. It may execute tasks while it waits.
static inline bool otter_construct_waits(enum otter_construct construct)
{
    return (construct >= OTTER_CONSTRUCT_BARRIER && construct <= OTTER_CONSTRUCT_SYNC_UNKNOWN) ||
           construct == OTTER_CONSTRUCT_REDUCTION || construct == OTTER_CONSTRUCT_KOKKOS_FENCE;
}

// Returns whether the construct is an implicit or explicit barrier of a team.
static inline bool otter_construct_is_barrier(enum otter_construct construct)
{
    return construct >= OTTER_CONSTRUCT_BARRIER &&
           construct <= OTTER_CONSTRUCT_BARRIER_IMPLEMENTATION;
}

// Returns whether a thread in this construct waits for mutual exclusion. The block of a construct
// does not wait.
static inline bool otter_construct_locks(enum otter_construct construct)
{
    return construct >= OTTER_CONSTRUCT_CRITICAL && construct <= OTTER_CONSTRUCT_MUTEX_UNKNOWN &&
           construct != OTTER_CONSTRUCT_CRITICAL_BLOCK &&
           construct != OTTER_CONSTRUCT_ORDERED_BLOCK && construct != OTTER_CONSTRUCT_ATOMIC_BLOCK;
}

static inline bool otter_construct_is_kokkos(enum otter_construct construct)
{
    return construct >= OTTER_CONSTRUCT_KOKKOS_FOR && construct <= OTTER_CONSTRUCT_KOKKOS_SECTION;
}

// Returns whether a thread in this construct is in an MPI call.
static inline bool otter_construct_is_mpi(enum otter_construct construct)
{
    return construct >= OTTER_CONSTRUCT_MPI && construct <= OTTER_CONSTRUCT_MPI_FILE;
}

// Returns whether regions of this construct are named by a label.
static inline bool otter_construct_is_labelled(enum otter_construct construct)
{
    return otter_construct_is_kokkos(construct) || otter_construct_is_mpi(construct) ||
           construct == OTTER_CONSTRUCT_PHASE || construct == OTTER_CONSTRUCT_MARK;
}

// Returns the name of a parameter: "depend in". Never NULL.
const char *otter_parameter_name(enum otter_parameter parameter);

const char *otter_thread_kind_name(enum otter_thread_kind kind);
