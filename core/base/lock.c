// Holds back signals and cancellation while Otter has a lock in the traced program.
#include "base/lock.h"

#include <errno.h>
#include <time.h>

static const int ours[] = {SIGPIPE, SIGXFSZ};

// Signals that a thread's own instructions raise. The kernel ends the program if such a signal is
// blocked.
static const int of_faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};

void otter_signals_hold(struct otter_held_signals *signals)
{
    sigset_t pending, held;
    signals->saved_errno = errno;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &signals->cancel_state);
    sigfillset(&held);
    for (size_t i = 0; i < sizeof(of_faults) / sizeof(of_faults[0]); i++) {
        sigdelset(&held, of_faults[i]);
    }
    pthread_sigmask(SIG_BLOCK, &held, &signals->mask);
    sigpending(&pending);
    sigemptyset(&signals->not_before);
    for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++) {
        if (!sigismember(&pending, ours[i])) {
            sigaddset(&signals->not_before, ours[i]);
        }
    }
}

void otter_signals_release(const struct otter_held_signals *signals)
{
    const struct timespec at_once = {0, 0};
    while (sigtimedwait(&signals->not_before, NULL, &at_once) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &signals->mask, NULL);
    errno = signals->saved_errno;
    // Must be last: with asynchronous cancellation, the thread may end here.
    pthread_setcancelstate(signals->cancel_state, NULL);
}

void otter_lock(pthread_mutex_t *lock, struct otter_held_signals *signals)
{
    otter_signals_hold(signals);
    pthread_mutex_lock(lock);
}

void otter_unlock(pthread_mutex_t *lock, const struct otter_held_signals *signals)
{
    pthread_mutex_unlock(lock);
    otter_signals_release(signals);
}
