// Which iteration of a shared loop, or which section, a member of a team was in.
//
// The runtime reports the number of iterations of a construct, and the chunks that a thread gets of dynamic and guided loops; of static
// loops it reports the first chunk of each thread alone, of sections none. So a single iteration is known where its chunk has no other, or
// the whole construct has no other.
#pragma once

#include "graph/graph.h"
#include "graph/vector.h"

// From here to the next one on its location.
struct otter_iteration_start {
    uint64_t time;
    uint32_t number;    // of the location's last creation of a task before
    uint32_t iteration; // unique in the archive, OTTER_NONE: not known
};

struct otter_iteration_starts { // of a location, in order
    OTTER_VECTOR(struct otter_iteration_start);
};

struct otter_iterations {
    struct otter_iteration_starts *locations;
    size_t n_locations;
};

// OTTER_NO_MEMORY. What cannot be read is not known.
enum otter_status otter_iterations_read(struct otter_iterations *iterations,
                                        struct otter_archive *archive);
void otter_iterations_finish(struct otter_iterations *iterations);

// The iteration that the member on `location` was in at a time, or when it created a task; OTTER_NONE when that is not known. Accepts NULL.
uint32_t otter_iteration_at(const struct otter_iterations *iterations, uint32_t location,
                            uint64_t time);
uint32_t otter_iteration_of_task(const struct otter_iterations *iterations, uint32_t location,
                                 uint32_t number);
