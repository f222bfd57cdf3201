// Collective operations, blocking or not, and their bytes.
//
// The bytes are only those of the buffers that this process passes to the call. *Thread*: any.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "communicator.h"
#include "otter/record.h"
#include "weak.h"

// A collective operation of the calling process; not recorded if `operation.communicator` is 0.
struct collective {
    struct otter_collective_operation operation;
    uint32_t size, rank; // size of the communicator, and this process's rank in it
    bool is_root;
};

// `root`: as passed to MPI, or -1. `blocks`: the operation blocks, so the record of its start has
// no request.
struct collective collective_begin_on(enum otter_collective operation, struct communicator about,
                                      int root, bool blocks);
struct collective collective_begin(enum otter_collective operation, MPI_Comm comm, int root,
                                   bool blocks);
// Ends a blocking operation.
void collective_end(const struct collective *collective);
// Stores a nonblocking operation, which ends when `request` completes.
void collective_start(const struct collective *collective, MPI_Request request);

uint64_t collective_bytes(MPI_Count count, MPI_Datatype type);

// The sum of `n` counts of type int or MPI_Count.
#define COLLECTIVE_SUM(counts, n)                                                                  \
    ({                                                                                             \
        MPI_Count sum_ = 0;                                                                        \
        for (uint32_t i_ = 0; i_ < (n); i_++) {                                                    \
            sum_ += (counts)[i_];                                                                  \
        }                                                                                          \
        sum_;                                                                                      \
    })

// The bytes of `n` blocks, each with its own type.
#define COLLECTIVE_SUM_OF_TYPES(counts, types, n)                                                  \
    ({                                                                                             \
        uint64_t bytes_ = 0;                                                                       \
        for (uint32_t i_ = 0; i_ < (n); i_++) {                                                    \
            bytes_ += collective_bytes((counts)[i_], (types)[i_]);                                 \
        }                                                                                          \
        bytes_;                                                                                    \
    })
