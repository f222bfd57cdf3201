// The rank of this process in a job with several ranks, from the variables that launchers set.
//
// *Thread*: the holder of the session's lock.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { OTTER_JOB_NAME_SIZE = 64 };

struct otter_job_rank {
    char rank[17]; // digits; "" for a process that is not a rank
    uint32_t size; // ranks of the job; 0: unknown
    bool is_of_job;
    bool has_id;                   // `job` is the same on all hosts
    char job[OTTER_JOB_NAME_SIZE]; // letters, digits, - and _: a part of the folder's name
    bool has_launcher;             // `otter record` has started the launcher of all ranks
};

// Reads the variables. Called once, early, since a program may change its environment.
void otter_rank_note(void);

const struct otter_job_rank *otter_rank(void);

// Returns whether this process prints the closing block of its job.
bool otter_rank_speaks(void);
