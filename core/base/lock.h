// Locks of cold paths, in somebody's program: while one is held no signal handler runs on its thread. A handler may call exit(), and that
// ends in our own closing, which wants the same locks. Signals that our own writing raises, SIGPIPE (a closed stderr) and SIGXFSZ (a limit on file
// sizes), would end the program: they are forgotten. errno is preserved. Nor does the thread end, whoever has cancelled it: what opens and
// writes is a cancellation point, and the lock would stay taken.
#pragma once

#include <pthread.h>
#include <signal.h>

struct otter_held_signals {
    sigset_t mask;       // of the thread before
    sigset_t not_before; // SIGPIPE and SIGXFSZ, if they were not pending before
    int saved_errno;
    int cancel_state; // of the thread before
};

void otter_signals_hold(struct otter_held_signals *signals);
void otter_signals_release(const struct otter_held_signals *signals);

void otter_lock(pthread_mutex_t *lock, struct otter_held_signals *signals);
void otter_unlock(pthread_mutex_t *lock, const struct otter_held_signals *signals);
