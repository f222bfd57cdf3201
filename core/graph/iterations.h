// Finds the iteration of a shared loop, or the section, that a member of a team was in.
//
// The runtime reports the number of iterations of a construct, and each chunk of a dynamic or
// guided loop. Of a static loop the runtime reports the first chunk of each thread alone, of
// sections none. An iteration is known if its chunk or its construct contains no other.
#pragma once

#include "graph/graph.h"
#include "base/vector.h"

// Holds up to the next one on its location.
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

// Iterations of a damaged location are not known. OTTER_NO_MEMORY.
enum otter_status otter_iterations_read(struct otter_iterations *iterations,
                                        struct otter_archive *archive);
void otter_iterations_finish(struct otter_iterations *iterations);

// The iteration of a location at a time, or when the location created a task; OTTER_NONE when the
// iteration is not known. Both accept NULL.
uint32_t otter_iteration_at(const struct otter_iterations *iterations, uint32_t location,
                            uint64_t time);
uint32_t otter_iteration_of_task(const struct otter_iterations *iterations, uint32_t location,
                                 uint32_t number);
