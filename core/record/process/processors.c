// Counts the processors on which the recording threads may run.
#include "record/process/processors.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MAX_PROCESSORS = 8192, N_BITS = 8 * sizeof(unsigned long) };

static _Atomic unsigned long noted[MAX_PROCESSORS / N_BITS];

void otter_processors_note(void)
{
    unsigned long mask[MAX_PROCESSORS / N_BITS] = {0};
    int error = errno;
    long n_bytes = syscall(SYS_sched_getaffinity, 0, sizeof(mask), mask);
    errno = error;
    for (long i = 0; i * (long)sizeof(*mask) < n_bytes; i++) {
        atomic_fetch_or(&noted[i], mask[i]);
    }
}

uint64_t otter_processors_count(void)
{
    uint64_t n = 0;
    for (size_t i = 0; i < MAX_PROCESSORS / N_BITS; i++) {
        n += (uint64_t)__builtin_popcountl(atomic_load(&noted[i]));
    }
    return n;
}

static bool is_noted(uint32_t processor)
{
    return processor < MAX_PROCESSORS &&
           (atomic_load(&noted[processor / N_BITS]) >> processor % N_BITS & 1) != 0;
}

const char *otter_processors_list(char text[OTTER_PROCESSORS_TEXT])
{
    enum { RANGE_TEXT = 24 };
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < MAX_PROCESSORS && used + RANGE_TEXT < OTTER_PROCESSORS_TEXT; i++) {
        uint32_t first = i;
        if (!is_noted(i)) {
            continue;
        }
        while (is_noted(i + 1)) {
            i++;
        }
        used += (size_t)snprintf(text + used, OTTER_PROCESSORS_TEXT - used,
                                 i > first ? "%s%u-%u" : "%s%u", used > 0 ? "," : "", first, i);
    }
    return text;
}
