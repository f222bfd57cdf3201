// Runs a program as a shell would: same process group, forwarded signals, same exit status.
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "launcher/observe/observer.h"

struct otter_child {
    pid_t pid;
    int error;          // errno of the failed start, or 0
    bool is_started;    // if false, `error` is the reason
    int exit_status;    // if no signal ended the program
    int signal;         // the signal that ended the program, or 0
    int observer_error; // errno of a refused observation, or 0
    int sample_error;   // errno of refused samples, or 0
};

// Starts argv[0] (searched in PATH), waits for its end and stores how it ended.
// - The program starts with this process's signal mask and dispositions.
// - This process forwards its signals to the program until the program ends. They stay blocked
//   afterwards, so that the command can print its messages.
// - If this process is killed, the kernel also kills the program, unless it is set-user-ID or
//   set-group-ID.
// - `observer` observes the program while it runs; `observer` may be NULL.
// Returns false if no process could be created; `error` is then the reason.
bool otter_child_run(char **argv, struct otter_observer *observer, struct otter_child *child);
