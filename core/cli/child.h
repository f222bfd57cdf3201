// Runs a program as if the shell had started it itself: same process group, signals passed on, same answer.
#pragma once

#include <stdbool.h>
#include <sys/types.h>

struct otter_child {
    pid_t pid;
    int error;       // errno of the failed start, or 0
    bool is_started; // false: `error` says why; pid is that of the attempt
    int exit_status; // when it ended by itself
    int signal;      // that ended it, or 0
};

// Starts argv[0] (searched in PATH), waits for its end and tells how it ended. The program starts
// with the signal mask and the dispositions that this process has. Signals for this process are
// passed on to it until it ends, and stay blocked afterwards, so that what is left to say can be
// said. When this process is killed, the kernel kills the program too, unless the program is
// set-user-ID or set-group-ID. Returns false when not even an attempt could be made; `error` then
// says why.
bool otter_child_run(char **argv, struct otter_child *child);
