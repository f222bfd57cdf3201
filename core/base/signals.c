#include "base/signals.h"

#include <errno.h>
#include <time.h>

static const int ours[] = {SIGPIPE, SIGXFSZ};

enum { N_OURS = sizeof(ours) / sizeof(ours[0]) };

void otter_signals_hold(struct otter_signals *signals)
{
    sigset_t pending, all;
    sigemptyset(&all);
    sigemptyset(&signals->not_before);
    sigpending(&pending);
    for (int i = 0; i < N_OURS; i++) {
        sigaddset(&all, ours[i]);
        if (!sigismember(&pending, ours[i])) {
            sigaddset(&signals->not_before, ours[i]);
        }
    }
    pthread_sigmask(SIG_BLOCK, &all, &signals->mask);
}

void otter_signals_release(const struct otter_signals *signals)
{
    int saved_errno = errno;
    const struct timespec at_once = {0, 0};
    while (sigtimedwait(&signals->not_before, NULL, &at_once) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &signals->mask, NULL);
    errno = saved_errno;
}
