// The state of the process's session, and its locks.
#include "record/process/state.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t closing = PTHREAD_MUTEX_INITIALIZER;
static _Atomic enum otter_session_state state;
static struct otter_clock_reading start;
static _Atomic uint64_t n_lost;
static pid_t owner; // the process that records

void otter_session_lock(struct otter_held_signals *held)
{
    otter_lock(&lock, held);
}

void otter_session_unlock(struct otter_held_signals *held)
{
    otter_unlock(&lock, held);
}

void otter_session_lock_closing(struct otter_held_signals *held)
{
    otter_lock(&closing, held);
}

void otter_session_unlock_closing(struct otter_held_signals *held)
{
    otter_unlock(&closing, held);
}

void otter_session_forget_locks(void)
{
    pthread_mutex_init(&lock, NULL);
    pthread_mutex_init(&closing, NULL);
}

enum otter_session_state otter_session_state(void)
{
    return atomic_load(&state);
}

enum otter_session_state otter_session_set_state(enum otter_session_state to)
{
    return atomic_exchange(&state, to);
}

void otter_session_note_owner(void)
{
    owner = getpid();
}

void otter_session_note_start(void)
{
    start = otter_clock_read();
}

struct otter_clock_reading otter_session_start(void)
{
    return start;
}

uint64_t otter_session_tenth_of_second(void)
{
    static _Atomic uint64_t known;
    uint64_t ticks = atomic_load_explicit(&known, memory_order_relaxed);
    if (!ticks) {
        struct otter_clock_reading now = otter_clock_read();
        ticks = otter_clock_resolution(&start, &now) / 10 + 1;
        atomic_store_explicit(&known, ticks, memory_order_relaxed);
    }
    return ticks;
}

bool otter_session_is_ours(void)
{
    return owner == getpid();
}

bool otter_session_is_live(void)
{
    enum otter_session_state now = atomic_load(&state);
    return now == OTTER_SESSION_ATTACHED || now == OTTER_SESSION_OPEN;
}

void otter_session_count_lost(uint64_t n)
{
    atomic_fetch_add(&n_lost, n);
}

uint64_t otter_session_n_lost(void)
{
    return atomic_load(&n_lost);
}
