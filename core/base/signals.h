// Signals that our own writing could raise in somebody's program: SIGPIPE (a closed stderr) and SIGXFSZ (a limit on file
// sizes) would end it. Between hold and release they are blocked on the calling thread, and those that came are forgotten.
#pragma once

#include <signal.h>
#include <stdbool.h>

struct otter_signals {
    sigset_t mask;       // of the thread before
    sigset_t not_before; // those of ours that were not pending before
};

void otter_signals_hold(struct otter_signals *signals);
void otter_signals_release(const struct otter_signals *signals); // errno is preserved
