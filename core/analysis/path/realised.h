// The realised path, from the last end back through the pieces that each piece waited for. Its
// steps add up to the wall time.
#pragma once

#include "analysis/path/pieces.h"
#include "analysis/path/ready.h"

enum otter_step_reason {
    OTTER_STEP_EXECUTED = 0, // a thread executed `node`
    OTTER_STEP_MPI,          // a thread was in the MPI call `node`
    OTTER_STEP_LATENCY,      // `node` was ready, and its thread was idle
    OTTER_STEP_DISPATCH,     // the thread of `node` was busy until then
    OTTER_STEP_OUTSIDE,      // before the first or after the last piece
};

struct otter_path_step {
    uint64_t begin, end; // ticks
    uint32_t node;       // OTTER_NONE for OUTSIDE
    enum otter_step_reason reason;
};

// A step as it is stored. It ends where the step before it in the list begins, or, if it is the
// first of a part of the walk, where that part ends.
struct otter_stored_step {
    uint64_t begin;
    uint32_t node;
    uint8_t reason; // enum otter_step_reason
    bool is_first;
};

struct otter_realised {
    struct {
        OTTER_VECTOR(struct otter_stored_step);
    } steps; // from the last to the first, without gaps from the timeline's end to its start
    struct {
        OTTER_VECTOR(struct otter_walk_part {
            uint32_t first; // index of its first step
            uint64_t end;
        });
    } parts;
};

// Returns step number `i`, which must exist.
struct otter_path_step otter_realised_step(const struct otter_realised *realised, uint32_t i);

// Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_realised_init(struct otter_realised *realised,
                                      const struct otter_timeline *timeline,
                                      const struct otter_graph *graph,
                                      const struct otter_pieces *pieces,
                                      const struct otter_ready *ready);
void otter_realised_finish(struct otter_realised *realised);

// ---- a part of the walk

// The predecessors of each piece and each MPI call.
struct otter_way_back {
    const struct otter_graph *graph;
    const struct otter_ready *ready;
    uint32_t *occupant; // of each piece: the piece before it on its thread
    uint32_t last;      // the piece that ends last; OTTER_NONE: no piece
};

// Returns OTTER_NO_MEMORY or OTTER_OK. `graph` and `ready` must outlive the result.
enum otter_status otter_way_back_init(struct otter_way_back *way, const struct otter_graph *graph,
                                      const struct otter_pieces *pieces,
                                      const struct otter_ready *ready);
void otter_way_back_finish(struct otter_way_back *way);

// Returns the piece or the MPI call from which the realised path reaches `node`, or OTTER_NONE.
// `*was_busy`: the returned piece was on the thread of `node`, and ended after everything else that
// `node` waited for.
uint32_t otter_way_back_from(const struct otter_way_back *way, uint32_t node, bool *was_busy);

// A part of the walk, between two times.
struct otter_way_part {
    uint64_t begin, end; // ticks
    // the MPI call at whose start the walk starts; OTTER_NONE: after the last piece
    uint32_t from;
};

// Appends the steps of a part, from its end to its start, without gaps. Returns OTTER_NO_MEMORY or
// OTTER_OK.
enum otter_status otter_realised_add(struct otter_realised *realised,
                                     const struct otter_way_back *way, struct otter_way_part part);
