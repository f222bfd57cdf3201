// Finds the iteration or section that a member of a team executed at a given time.
//
// The runtime reports the number of iterations of a construct, and each chunk of a dynamic or
// guided loop. The runtime reports only the first chunk of each thread of a static loop, and no
// section. An iteration is known if it is the only one of its chunk or construct.
#pragma once

#include "graph/graph.h"
#include "base/vector.h"

// An iteration lasts until the next start on its location.
struct otter_iteration_start {
    uint64_t time;
    uint32_t number;    // task number of the location's last creation before this start
    uint32_t iteration; // unique in the archive, OTTER_NONE: not known
};

struct otter_iteration_starts { // starts on one location, sorted by time
    OTTER_VECTOR(struct otter_iteration_start);
};

struct otter_iterations {
    struct otter_iteration_starts *locations;
    size_t n_locations;
};

// Reads the iterations of all threads. Iterations of a damaged location are not known.
// Errors: OTTER_NO_MEMORY.
enum otter_status otter_iterations_read(struct otter_iterations *iterations,
                                        struct otter_archive *archive);
void otter_iterations_finish(struct otter_iterations *iterations);

// Return the iteration of a location at `time` in ticks, or at the creation of task `number`.
// OTTER_NONE when the iteration is not known. Both functions accept NULL.
uint32_t otter_iteration_at(const struct otter_iterations *iterations, uint32_t location,
                            uint64_t time);
uint32_t otter_iteration_of_task(const struct otter_iterations *iterations, uint32_t location,
                                 uint32_t number);
