// Facts about tasks that decide the cause of lost time. Private to core/analysis.
#pragma once

#include "analysis/cause/account.h"

// A task that creates all tasks of a construct.
struct otter_task_creator {
    uint32_t task;
    uint32_t region;      // of the tasks
    uint32_t rank;        // of the construct, by descending work
    uint64_t first, last; // ticks of its first and last creation
};

struct otter_task_facts {
    struct {
        OTTER_VECTOR(struct otter_task_creator); // sorted by task
    } creators;
    // of each team: the last start of an explicit task in the team or in a nested team
    uint64_t *last_begins;
    uint64_t *work; // of each team: ticks in which its explicit tasks execute
    // of each node: a piece of a task whose previous piece is on another thread; NULL if the graph
    // has no explicit tasks
    bool *is_moved;
    // NULL if there are no explicit tasks with a region, or none with dependences.
    bool *is_phase; // of each node: a task's wait for tasks that is followed by another such wait
    // of each node that waited for dependences: when its task was created; otherwise UINT64_MAX
    uint64_t *created;
};

// *Errors*: OTTER_NO_MEMORY. The caller finishes the facts even after a failure.
enum otter_status otter_task_facts_init(struct otter_task_facts *facts,
                                        const struct otter_account_input *input);
void otter_task_facts_finish(struct otter_task_facts *facts);

// Returns NULL if the task is not a creator.
struct otter_task_creator *otter_task_creator_of(const struct otter_task_facts *facts,
                                                 uint32_t task);
