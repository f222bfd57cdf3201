// Shared code of these programs: the first argument says when tasks end.
//
//     early   before the creator continues, if another thread is there to execute them
//     late    long after
//     (none)  with the timing of the machine
//
// A comment `// @name` names the line of a construct. Expected graphs use names instead of line
// numbers.
#pragma once

#include "check.h"
#include <string.h>

static int work_of_creator, work_of_task;

static inline void play(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "early") == 0) {
        work_of_creator = 4000;
    } else if (argc > 1 && strcmp(argv[1], "late") == 0) {
        work_of_task = 4000;
    }
}

// Called by a creator after each task that it created.
static inline void created(void)
{
    work(work_of_creator);
}

// Called by each task.
static inline void body(void)
{
    work(work_of_task);
}
