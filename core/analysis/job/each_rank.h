// Runs a command on all ranks of a merged archive, with several threads.
#pragma once

#include <stdbool.h>

#include "trace/read/reader.h"

// Returns whether the archive is merged and no rank is selected.
bool otter_has_ranks(const struct otter_archive *archive);

// Returns the selected rank, of a merged archive.
const struct otter_rank *otter_selected_rank(const struct otter_archive *archive);

// Sets the number of threads that read ranks, at most 256; 0, as at the start: OMP_NUM_THREADS,
// otherwise the processors of the affinity mask.
void otter_ranks_set_threads(uint32_t n);

// The steps for one rank. `archive` has the rank selected.
struct otter_rank_steps {
    size_t size; // of a result
    // Reads the rank. `result`: zeros. *Thread*: several at a time, each with its own rank, so
    // `user` is only read. Messages are printed before the call of `use`.
    void (*read)(const void *user, struct otter_archive *archive, void *result);
    // Uses the result. *Thread*: one at a time, in the order of the ranks. *Returns* false if the
    // rank has failed, after printing an error.
    bool (*use)(void *user, struct otter_archive *archive, void *result);
    // Called after `use`, and for ranks that were read without need; NULL: nothing to free.
    void (*finish)(void *result);
    // Called after `use`: whether further ranks are not needed; NULL: all are needed.
    bool (*is_enough)(const void *user);
    // `use` closes `archive` and frees `result`, now or later, instead of otter_each_rank.
    bool keeps;
    // Returns the open archive of a rank, by its index, which stays open; NULL: opens each rank.
    struct otter_archive *(*find)(const void *user, uint32_t place);
    const uint32_t *places; // indexes of the ranks, in the order in which to use them; NULL: all
    uint32_t n_places;
};

// Selects each rank, and makes its steps. The output does not depend on the number of threads. As
// many ranks are read at a time as there are threads, and as fit into half of the memory
// (OTTER_BYTES_OF_EVENT); up to as many again wait for their turn. A rank that does not fit is read
// alone. A rank counts at most 2^30 events. There is at most one thread for each 16 files that the
// process may open (ulimit -n); no message says so. *Returns* the number of ranks that have failed,
// or cannot be read; for the latter, prints an error. Without memory for the turns, prints an
// error, makes no step, and returns a number above that of all ranks.
uint32_t otter_each_rank(struct otter_archive *archive, const struct otter_rank_steps *steps,
                         void *user);

// Returns the number of events of the rank that has most, by the definitions.
uint64_t otter_ranks_most_events(const struct otter_archive *archive);

// The peak memory of the analysis, as measured by `scripts/bench scale`.
enum { OTTER_BYTES_OF_EVENT = 65 };

// Returns whether all ranks may stay in memory: they need at most 1 GiB, and at most a quarter of
// the memory that is available. A rank needs 256 KiB for its definitions, and its events.
bool otter_ranks_fit(const struct otter_archive *archive, unsigned bytes_of_event);
