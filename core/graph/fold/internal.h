// What the files of fold.c share.
//
// Teams are folded one nesting level at a time, the innermost first. Of each member the chain is cut at the team's barriers into
// segments, a segment into items:
//
//   a node of the chain        scope begins and ends, syncs
//   a parallel region          from begin to end with all that is in it
//   a task                     that the member created, with all that is below it
//
// Members that execute one program come by the same items in the same order; what one of them does alone (`masked`) the others
// leave out. So a member's segment is the same as another's when its items are some of the other's, in order.
//
// What a team shares out among its members is no item, because who gets it, and with what else, is chance. It is kept whoever
// did it, beside what the members do alike, between the begin (or barrier) before it and the end (or barrier) after it:
//
//   a `single`                 from begin to end
//   a share of a loop          a known iteration; else each scope, sync or task on its own. The
//                              loop's own begin and end are items
//
// The nodes of an item, or of a share, are a unit. Edges inside a unit stay; order and creation between units are made anew.
#pragma once

#include "graph/edges.h"
#include "graph/fold/fold.h"
#include "graph/hash/hash.h"
#include "base/vector.h"

struct otter_fold_item {
    uint32_t unit;
    uint32_t entry; // the node reached first
    uint32_t exit;  // the node from which the chain goes on; of a task its last node
    bool is_task;
};

struct otter_fold_segment {
    uint32_t start; // the barrier before it, or the first node of the team's stand-in
    uint32_t end;   // the barrier after it, OTTER_NONE when there is none
    size_t first_item;
    size_t n_items;
    size_t number; // in the order of members
    bool is_kept;
};

struct otter_fold_share {
    uint32_t entry, exit;
    uint32_t from, to; // the nodes before and after it
    bool is_task;      // then nothing leads from `exit` to `to` on its account
    uint8_t unit_kind; // enum otter_fold_unit_kind
    uint32_t unit;
    uint32_t barrier; // the barrier behind the construct, or OTTER_NONE
};

enum otter_fold_unit_kind {
    OTTER_FOLD_ITEM = 0,
    OTTER_FOLD_SHARE,     // of a construct, of an unknown iteration
    OTTER_FOLD_ITERATION, // all of a known iteration or section
};

// One level.
struct otter_fold {
    const struct otter_graph *graph;
    const struct otter_labels *labels;
    const struct otter_iterations *iterations;
    struct otter_fold_findings *findings;
    uint32_t level;

    // For each task.
    uint32_t *team_of;     // whose member it is, or OTTER_NONE
    uint32_t *depths;      // teams around it, its own one too
    uint32_t *anchors;     // the node that created it
    uint32_t *first_child; // n_tasks + 2, in `children`
    uint32_t *children;    // tasks by their parent
    uint32_t *task_units;  // of tasks below members of this level
    uint32_t *task_stand_ins;

    // For each node.
    uint32_t *ends;      // of scopes
    uint32_t *next;      // in its chain; of a barrier the barrier that follows directly
    uint8_t *marks;      // enum otter_fold_mark
    uint32_t *position;  // in the chain that was read last
    uint32_t *units;     // OTTER_NONE outside of this level's teams
    uint32_t *stand_ins; // itself; another node that stands for it; OTTER_NONE when it is left out

    // For each task the nodes of its chain that follow a barrier: barrier << 32 | node, in order.
    size_t *first_head; // n_tasks + 2
    uint64_t *heads;

    uint32_t n_units;
    struct {
        OTTER_VECTOR(struct otter_fold_item);
    } items;
    struct {
        OTTER_VECTOR(struct otter_fold_segment);
    } segments;
    struct {
        OTTER_VECTOR(struct otter_fold_share);
    } shares;
    bool *is_unit_dropped;
    uint8_t *unit_kinds;     // enum otter_fold_unit_kind
    uint32_t *unit_barriers; // of iterations
    struct otter_edges edges;
};

enum otter_fold_mark {
    OTTER_FOLD_BARRIER = 1 << 0,
    OTTER_FOLD_HAS_CHILDREN = 1 << 1,
    OTTER_FOLD_IS_LAST = 1 << 2,           // a barrier that ends a chain
    OTTER_FOLD_STAYS = 1 << 3,             // a barrier that somebody does something after
    OTTER_FOLD_FOLLOWS_REDUCTION = 1 << 4, // a barrier
    OTTER_FOLD_SKIPPED = 1 << 5,           // a barrier that is left out
};

// All return false when memory is short.

// fold_tables.c: what is to be known of tasks and nodes before chains are read.
bool otter_fold_fill_tables(struct otter_fold *fold);
uint32_t otter_fold_parent(const struct otter_fold *fold, uint32_t task);

// fold_chain.c: items, segments and shares of one team of this level.
bool otter_fold_read_team(struct otter_fold *fold, const struct otter_graph_team *team);

// fold_match.c: what stands for what in all teams of this level.
bool otter_fold_match(struct otter_fold *fold);

// fold_split.c: takes tasks out that a runtime made to part a taskloop, and adds to `edges` what then creates the parts. To be called before any team is read.
bool otter_fold_leave_out_splitters(struct otter_fold *fold);
