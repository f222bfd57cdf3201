// Preloaded: opening a chunk takes 1000 s by the monotonic clock.
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { OPENING_S = 1000 };

static _Atomic time_t waited_s;

__attribute__((visibility("default"))) int clock_gettime(clockid_t clock, struct timespec *time)
{
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (result == 0 && clock == CLOCK_MONOTONIC) {
        time->tv_sec += waited_s;
    }
    return result;
}

__attribute__((visibility("default"))) int open64(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    int mode = flags & O_CREAT ? va_arg(more, int) : 0;
    va_end(more);
    const char *ending = strrchr(path, '.');
    if (ending && strcmp(ending, ".chunk") == 0) {
        waited_s += OPENING_S;
    }
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
