// Moments in the execution of threads for which the graph has no node: locks, loops and their
// chunks.
#pragma once

#include "base/status.h"
#include "base/vector.h"
#include "trace/read/reader.h"

enum otter_mark_kind {
    OTTER_MARK_ACQUIRE = 0, // of a lock or a critical region; `value` is the lock
    OTTER_MARK_RELEASE,     // `value` is the lock
    OTTER_MARK_ORDER_BEGIN, // of an ordered region; the graph has the order of these regions
    OTTER_MARK_ORDER_END,
    OTTER_MARK_LOOP_BEGIN, // a member begins its part of a worksharing loop
    OTTER_MARK_LOOP_END,
    OTTER_MARK_CHUNK, // a chunk of a dynamic or guided loop begins
    OTTER_MARK_BLOCK, // the first chunk of a static loop begins; `value`: its iterations
};

struct otter_mark {
    uint64_t time;  // ticks
    uint32_t value; // of a lock or ordered region: the id of its lock; of a loop: its iterations
    uint32_t region : 24; // of the critical or ordered region, lock or loop
    uint32_t kind : 8;    // enum otter_mark_kind
};

// The time between a failed test of a lock (omp_test_lock) and the next test at the same place.
struct otter_between_tests {
    uint64_t begin, end; // ticks
};

struct otter_location_marks { // in order of time
    OTTER_VECTOR(struct otter_mark);
    struct {
        OTTER_VECTOR(struct otter_between_tests);
    } tests;
};

// The chunks of a loop.
struct otter_loop_chunks {
    uint64_t n, n_timed;
    uint64_t ticks; // in which the runtime handed out the n_timed chunks
};

struct otter_marks {
    const struct otter_definitions *definitions;
    struct otter_location_marks *locations; // of each location
    struct {
        OTTER_VECTOR(uint32_t); // regions that are open on the location being read
    } open;
    // of each region: the loop whose iterations wait here for earlier ones, or OTTER_NONE; `sinks`:
    // only with depend(sink:)
    uint32_t *ordered, *sinks;
    struct otter_loop_chunks *chunks; // of each region
    uint32_t location;                // being read
    uint64_t failed_time;             // of the last test, if it failed
    uint32_t failed;                  // its region, or OTTER_REGION_NONE
    bool has_lock;                    // acquired since the innermost region was entered
    bool is_in_chunk;                 // the next number of iterations belongs to a chunk
};

// A part of struct otter_analysis (README.md). Memory: 16 bytes per mark.
enum otter_status otter_marks_begin(struct otter_marks *marks,
                                    const struct otter_definitions *definitions);
bool otter_marks_add(void *marks, const struct otter_event *event);
// Returns the mean number of iterations in an execution of the loop; 0: unknown.
double otter_marks_iterations(const struct otter_marks *marks, uint32_t loop);
// Returns how many times a member began its part of the loop.
uint64_t otter_marks_parts(const struct otter_marks *marks, uint32_t loop);
// Returns the mean number of iterations in a chunk of a dynamic or guided loop whose teams have
// `n_members` members; 0: unknown.
double otter_marks_chunk(const struct otter_marks *marks, uint32_t loop, double n_members);
// Returns the ticks in which members got the chunks of the loop from the runtime.
double otter_marks_taking(const struct otter_marks *marks, uint32_t loop);
// Returns the mean number of iterations of a static loop's first chunks; 0: unknown.
double otter_marks_block(const struct otter_marks *marks, uint32_t loop);

void otter_marks_finish(struct otter_marks *marks);
