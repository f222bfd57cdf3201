// The ranks of a text.
#pragma once

#include "analysis/job/job.h"
#include "scene.h"

enum { MAX_RANKS = 8, MAX_WHAT_IFS = 4, WHAT_IF_SIZE = 80 };

struct world {
    const char *path;
    struct scene *scenes[MAX_RANKS];
    struct otter_analysis analyses[MAX_RANKS];
    uint32_t numbers[MAX_RANKS];
    uint32_t n, n_ranks;
    bool is_reverse;
    char what_ifs[MAX_WHAT_IFS][WHAT_IF_SIZE];
    uint32_t n_what_ifs;
};

// Passes the events of a rank to a consumer, location by location. *Returns* false if the consumer
// returned false.
bool world_play(const struct world *world, const struct scene *scene, otter_event_function *use,
                void *user);

// *Returns* whether each rank ends at its recorded time, if the job is executed again with the
// recorded times between MPI calls.
bool world_repeats(const struct otter_job *job);

// Reads what world_repeats and world_predict need, before the job ends. *Returns* false if out of
// memory.
bool world_begin_predictions(const struct world *world, const struct otter_job *job,
                             const struct otter_analysis *analyses);
// Prints the predictions that the text asks for. *Returns* false if out of memory.
bool world_predict(const struct world *world, const struct otter_job *job);

// Prints the edges between ranks in both views of the joint graph. `job` is matched; the nodes of
// its calls change. *Returns* false if out of memory, or if the joint graph breaks a rule of `otter
// check`, which finds cycles, broken scopes and edges back in time.
bool world_print_joint(const struct world *world, struct otter_job *job);
