// The state of folding one level.
//
// Teams are folded one nesting level at a time, the innermost first. The team's barriers divide the
// chain of each member into segments, and a segment consists of items:
//
//   a node of the chain        scope begins and ends, syncs
//   a parallel region          from start to end, with its contents
//   a task                     created by the member, with its descendants
//
// Members that execute the same program have the same items in the same order. Some members skip
// items, such as a `masked` region. So two segments match if the items of one are a subsequence of
// the other's items.
//
// The work of worksharing constructs is not an item, because the schedule distributes it. It
// consists of pieces. A piece stands between the start or barrier before the work and the end or
// barrier after it, whichever member executed it:
//
//   a `single`                 from start to end
//   of a loop or sections      a known iteration; otherwise each scope, sync or task. The start and
//                              the end of the construct are items
//
// The nodes of an item, or of a piece, are a unit. Edges inside a unit remain; order and creation
// edges between units are replaced.
#pragma once

#include "graph/fold/edges.h"
#include "graph/fold/fold.h"
#include "graph/hash/hash.h"
#include "base/vector.h"

struct otter_fold_item {
    uint32_t unit;
    uint32_t entry; // the first node
    uint32_t exit;  // the last node
    bool is_task;
};

struct otter_fold_segment {
    // the barrier before the segment, or the first node of the team's representative
    uint32_t start;
    uint32_t end;      // the barrier after the segment, or OTTER_NONE
    size_t first_item; // index of the first item in `items`
    size_t n_items;
    size_t number; // number of the segment, in the order of members
    bool is_kept;
};

// A piece of a worksharing construct.
struct otter_fold_piece {
    uint32_t entry, exit; // the first and the last node
    uint32_t from, to;    // the nodes before and after the piece
    bool is_task;         // a task has no edge from `exit` to `to`
    uint8_t unit_kind;    // enum otter_fold_unit_kind
    uint32_t unit;
    uint32_t barrier; // the barrier after the construct, or OTTER_NONE
};

enum otter_fold_unit_kind {
    OTTER_FOLD_ITEM = 0,
    OTTER_FOLD_PIECE,     // a `single`, or a piece of an unknown iteration
    OTTER_FOLD_ITERATION, // a known iteration or section
};
struct otter_fold {
    const struct otter_graph *graph;
    const struct otter_labels *labels;
    const struct otter_iterations *iterations;
    struct otter_fold_findings *findings;
    uint32_t level;

    // For each task.
    uint32_t *team_of;     // the team of a member, or OTTER_NONE
    uint32_t *depths;      // number of teams around the task, including its own
    uint32_t *anchors;     // the node that created the task
    uint32_t *first_child; // n_tasks + 2 indexes in `children`
    uint32_t *children;    // tasks, ordered by their creators
    uint32_t *task_units;  // unit of each descendant of this level's members
    uint32_t *task_representatives;

    // For each node.
    uint32_t *ends;     // the END of a scope
    uint32_t *next;     // next node in the chain; for a barrier, the barrier directly after it
    uint8_t *marks;     // enum otter_fold_mark
    uint32_t *position; // position in the chain that was read last
    uint32_t *units;    // OTTER_NONE outside of this level's teams
    // the node itself, the node that represents it, or OTTER_NONE: omitted
    uint32_t *representatives;

    // For each task, the nodes of its chain that follow a barrier: barrier << 32 | node, in order.
    size_t *first_head; // n_tasks + 2 indexes in `heads`
    uint64_t *heads;

    uint32_t n_units;
    struct {
        OTTER_VECTOR(struct otter_fold_item);
    } items;
    struct {
        OTTER_VECTOR(struct otter_fold_segment);
    } segments;
    struct {
        OTTER_VECTOR(struct otter_fold_piece);
    } pieces;
    bool *is_unit_dropped;
    uint8_t *unit_kinds;     // enum otter_fold_unit_kind
    uint32_t *unit_barriers; // the barrier after the construct of an iteration
    struct otter_edges edges;
};

enum otter_fold_mark {
    OTTER_FOLD_BARRIER = 1 << 0,
    OTTER_FOLD_HAS_CHILDREN = 1 << 1,
    OTTER_FOLD_IS_LAST = 1 << 2,           // a barrier at the end of a chain
    OTTER_FOLD_STAYS = 1 << 3,             // a barrier that is followed by work of a member
    OTTER_FOLD_FOLLOWS_REDUCTION = 1 << 4, // a barrier after a reduction
    OTTER_FOLD_SKIPPED = 1 << 5,           // a barrier that the folded graph omits
};

// All functions of type bool return false if out of memory.

// tables.c

// Fills the tables of tasks and nodes. The caller has set all members up to `level`; the others are
// zero. Call finish even when memory runs out.
bool otter_fold_init(struct otter_fold *fold);
void otter_fold_finish(struct otter_fold *fold);
// Returns the creator of a task (for a member of a teams construct, the task around the construct),
// or OTTER_NONE.
uint32_t otter_fold_parent(const struct otter_fold *fold, uint32_t task);
// Returns the nesting level of a team, from 1; 0 for a team without members.
uint32_t otter_fold_team_level(const struct otter_fold *fold, const struct otter_graph_team *team);

// split.c: omits the tasks by which a runtime splits taskloops. The taskloop then creates the other
// tasks. Call this before reading any team.
bool otter_fold_omit_splitters(struct otter_fold *fold);

// team.c: adds the items, segments and pieces of one team of this level.
bool otter_fold_read_team(struct otter_fold *fold, const struct otter_graph_team *team);

// match.c: finds the items that represent others in all teams of this level.
bool otter_fold_match(struct otter_fold *fold);

// rewrite.c: returns the folded graph; NULL if out of memory.
struct otter_graph *otter_fold_rewrite(struct otter_fold *fold);
