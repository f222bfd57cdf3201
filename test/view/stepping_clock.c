// Preloaded: each reading of the monotonic clock is a step later than the last, and the length of a
// step depends only on its number. The time of day advances likewise. A program whose threads take
// turns then records the same times on every run.
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { SECOND_NS = 1000000000, EPOCH_S = 1600000000 };

static _Atomic uint64_t n_readings, now_ns = SECOND_NS;

__attribute__((visibility("default"))) int clock_gettime(clockid_t clock, struct timespec *time)
{
    if (clock == CLOCK_REALTIME) {
        uint64_t ns = atomic_load(&now_ns);
        time->tv_sec = (time_t)(EPOCH_S + ns / SECOND_NS);
        time->tv_nsec = (long)(ns % SECOND_NS);
        return 0;
    }
    if (clock != CLOCK_MONOTONIC) {
        return (int)syscall(SYS_clock_gettime, clock, time);
    }
    uint64_t n = atomic_fetch_add(&n_readings, 1);
    uint64_t step = 100 + (n * UINT64_C(2654435761) >> 8) % 4000;
    uint64_t ns = atomic_fetch_add(&now_ns, step) + step;
    time->tv_sec = (time_t)(ns / SECOND_NS);
    time->tv_nsec = (long)(ns % SECOND_NS);
    return 0;
}
