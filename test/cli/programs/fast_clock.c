// Preloaded: the monotonic clock runs a thousand times as fast, so that a short run takes long.
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

__attribute__((visibility("default"))) int clock_gettime(clockid_t clock, struct timespec *time)
{
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (result == 0 && clock == CLOCK_MONOTONIC) {
        long long ns = (time->tv_sec * 1000000000LL + time->tv_nsec) * 1000;
        time->tv_sec = (time_t)(ns / 1000000000);
        time->tv_nsec = (long)(ns % 1000000000);
    }
    return result;
}
