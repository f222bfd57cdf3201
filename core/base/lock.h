// Locks for cold paths in the traced program. While a thread holds such a lock:
// - No signal handler runs on the thread. A handler may call exit(), and closing then acquires the
//   same locks.
// - SIGPIPE and SIGXFSZ of Otter's own writes are discarded: they would end the program.
// - The thread cannot be cancelled: open() and write() are cancellation points, and the lock would
//   stay locked. errno is preserved.
#pragma once

#include <pthread.h>
#include <signal.h>

struct otter_held_signals {
    sigset_t mask;       // the thread's earlier mask
    sigset_t not_before; // which of SIGPIPE and SIGXFSZ were not pending at the start
    int saved_errno;
    int cancel_state; // the thread's earlier cancel state
};

void otter_signals_hold(struct otter_held_signals *signals);
void otter_signals_release(const struct otter_held_signals *signals);

void otter_lock(pthread_mutex_t *lock, struct otter_held_signals *signals);
void otter_unlock(pthread_mutex_t *lock, const struct otter_held_signals *signals);
