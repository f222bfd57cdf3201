// Joins the graphs of a job's ranks, with edges between ranks.
//
// An MPI call may both send and receive. If an edge to another rank leaves the call, the call is
// split into a start and an end. Such edges leave the start, and edges from other ranks reach the
// end. Any other call stays one node, which is reached at its end. So the joint graph has no
// cycles, and no edge leads back in time, unless the clocks of two ranks differ.
#pragma once

#include "base/vector.h"
#include "graph/graph.h"

// The graph of a rank, and the numbers of its definitions in the whole archive.
struct otter_joint_part {
    struct otter_graph *graph; // its definitions may have been freed
    uint32_t n_regions;
    uint32_t *locations; // index in the whole archive of each location of the rank
    uint32_t *regions;   // index in the whole archive of each region of the rank, or OTTER_NONE
    bool *is_split;      // for each node, whether it becomes a start and an end
};

// The moment in a collective operation when the last contributing member begins. Each receiving
// member ends later.
struct otter_joint_meeting {
    uint64_t time;   // start of the last contributing member
    uint32_t region; // index of the region in the whole archive
};

// A node of a part; if `part` is OTTER_NONE, the meeting with this index.
struct otter_joint_node {
    uint32_t part, node;
};

// An edge from the start of a split node, or from a meeting.
struct otter_joint_link {
    struct otter_joint_node from, to;
    enum otter_edge_kind kind;
};

struct otter_joint {
    const struct otter_definitions *definitions; // definitions of the whole archive
    const struct otter_graph_place *places; // rank and number of each location of the whole archive
    struct {
        OTTER_VECTOR(struct otter_joint_part);
    } parts;
    struct {
        OTTER_VECTOR(struct otter_joint_meeting);
    } meetings;
    struct {
        OTTER_VECTOR(struct otter_joint_link);
    } links;
};

// Returns the joint graph: the nodes of the first part, of the second, ..., then the meetings. An
// end has the number after its start. `places` and `definitions` must outlive the graph.
// NULL if out of memory, or for more nodes or edges than 32 bits can count.
struct otter_graph *otter_graph_join(const struct otter_joint *joint);

// Frees a part with its graph.
void otter_joint_part_finish(struct otter_joint_part *part);
// Frees all parts, meetings and links.
void otter_joint_finish(struct otter_joint *joint);
