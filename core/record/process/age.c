// Reads when the process began.
#include "record/process/age.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"

#define NS_PER_S UINT64_C(1000000000)

static uint64_t now_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

// Returns the 22nd field of /proc/self/stat: the start of the process in clock ticks since boot.
// The second field is the program's name in parentheses, which may contain any character.
static uint64_t begin_in_ticks(void)
{
    enum { BEFORE = 20 }; // spaces between the name and this field
    char text[4096];
    const char *at =
        otter_file_read_text("/proc/self/stat", text, sizeof text) ? strrchr(text, ')') : NULL;
    for (unsigned i = 0; at && i < BEFORE; i++) {
        at = strchr(at + 1, ' ');
    }
    return at ? strtoull(at, NULL, 10) : 0;
}

uint64_t otter_process_age(uint64_t monotonic_ns)
{
    uint64_t ticks = begin_in_ticks();
    long per_second = sysconf(_SC_CLK_TCK);
    if (ticks == 0 || per_second <= 0) {
        return 0;
    }
    uint64_t begin = ticks / (uint64_t)per_second * NS_PER_S +
                     ticks % (uint64_t)per_second * NS_PER_S / (uint64_t)per_second;
    uint64_t since = now_ns(CLOCK_MONOTONIC) - monotonic_ns, age = now_ns(CLOCK_BOOTTIME) - begin;
    return age > since ? age - since : 0;
}
