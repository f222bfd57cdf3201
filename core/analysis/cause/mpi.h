// The MPI calls by function: number, time and bytes.
#pragma once

#include "base/status.h"
#include "trace/read/reader.h"

// Sums over all threads.
struct otter_mpi_use {
    uint64_t n; // calls
    uint64_t ticks, longest;
    uint64_t n_sends, n_receives; // messages; receives count when they complete
    uint64_t n_collectives;       // operations
    uint64_t sent, received;      // bytes; of messages and of collective operations
};

struct otter_mpi {
    const struct otter_definitions *definitions;
    struct otter_mpi_use *uses; // of each region; NULL: the archive has no MPI calls
    uint64_t begin;             // start of the call that is open on the thread being read
    uint32_t location, region;  // OTTER_NONE: none
    bool is_paused;
};

// The caller adds all events of one location in order, then the events of the next.
enum otter_status otter_mpi_begin(struct otter_mpi *mpi,
                                  const struct otter_definitions *definitions);
void otter_mpi_add(struct otter_mpi *mpi, const struct otter_event *event);
void otter_mpi_finish(struct otter_mpi *mpi);

// Returns whether a function joins or leaves the job (MPI_Init, MPI_Finalize), so that it exchanges
// no data.
bool otter_mpi_is_of_job(const char *function);
// Returns whether the recorded process belongs to a job but its MPI calls were not recorded, so
// that their time counts as execution.
bool otter_mpi_is_missing(const struct otter_definitions *definitions);
