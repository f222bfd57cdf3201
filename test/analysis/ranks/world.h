// The ranks of a text.
#pragma once

#include "analysis/job.h"
#include "scene.h"

enum { MAX_RANKS = 8 };

struct world {
    const char *path;
    struct scene *scenes[MAX_RANKS];
    struct otter_analysis analyses[MAX_RANKS];
    uint32_t numbers[MAX_RANKS];
    uint32_t n, n_ranks;
    bool is_reverse;
};

// Passes the events of a rank to a consumer, location by location. *Returns* false if it did.
bool world_play(const struct world *world, const struct scene *scene, otter_event_function *use,
                void *user);

// Prints the edges between ranks in both views of the joint graph. `job` is matched; the nodes of
// its calls change. *Returns* false without memory, or if the joint graph breaks a rule of
// `otter check`, which finds cycles, broken scopes and edges back in time.
bool world_print_joint(const struct world *world, struct otter_job *job);
