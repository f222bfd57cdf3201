// Runs a command on all ranks of a merged archive, with several threads.
#pragma once

#include <stdbool.h>

#include "trace/read/reader.h"

// Returns whether the archive is merged and no rank is selected.
bool otter_has_ranks(const struct otter_archive *archive);

// Returns the selected rank of a merged archive.
const struct otter_rank *otter_selected_rank(const struct otter_archive *archive);

// Sets the number of threads that read ranks, at most 256. 0, the default, means OMP_NUM_THREADS if
// it is set, otherwise the number of processors in the affinity mask.
void otter_ranks_set_threads(uint32_t n);

// The steps for one rank. `archive` has the rank selected.
struct otter_rank_steps {
    size_t size; // of a result
    // Reads the rank. `result`: zeros. *Thread*: several threads at a time, each with its own rank,
    // so it must not change `user`. Its messages are printed before `use` is called.
    void (*read)(const void *user, struct otter_archive *archive, void *result);
    // Uses the result. *Thread*: one at a time, in the order of the ranks. *Returns* false if the
    // rank has failed, after printing an error.
    bool (*use)(void *user, struct otter_archive *archive, void *result);
    // Called after `use`, and for ranks that were read but turned out not to be needed; NULL:
    // nothing to free.
    void (*finish)(void *result);
    // Called after `use`. Returns true if no further ranks are needed. NULL: all are needed.
    bool (*is_enough)(const void *user);
    // If set, `use` closes `archive` and frees `result`, perhaps later; otter_each_rank does
    // neither.
    bool keeps;
    // Returns the open archive of the rank with this index; the archive stays open. NULL: each rank
    // is opened.
    struct otter_archive *(*find)(const void *user, uint32_t place);
    const uint32_t *places; // indexes of the ranks, in the order in which to use them; NULL: all
    uint32_t n_places;
};

// Selects each rank and takes its steps. The output does not depend on the number of threads. Each
// thread reads one rank at a time, and as many ranks again may wait for their turn; together, they
// fit into half of the memory (OTTER_BYTES_OF_EVENT). A rank that does not fit is read when no
// other is in memory. A rank is assumed to have at most 2^30 events. There is at most one thread
// for each 16 files that the process may open (ulimit -n), without a message. *Returns* the number
// of ranks that have failed or cannot be read; for the latter, prints an error. If out of memory at
// the start, prints an error, takes no steps, and returns more than the number of ranks.
uint32_t otter_each_rank(struct otter_archive *archive, const struct otter_rank_steps *steps,
                         void *user);

// Returns the number of events of the largest rank, according to the definitions.
uint64_t otter_ranks_most_events(const struct otter_archive *archive);

// The peak memory of the analysis per event, as measured by `scripts/bench scale`.
enum { OTTER_BYTES_OF_EVENT = 65 };

// Returns whether all ranks may stay in memory: they need at most 1 GiB, and at most a quarter of
// the available memory. A rank needs 256 KiB for its definitions, plus the memory for its events.
bool otter_ranks_fit(const struct otter_archive *archive, unsigned bytes_of_event);
