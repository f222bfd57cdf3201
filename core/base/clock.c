// Reads and calibrates the clock of the timestamps.
#include "base/clock.h"

#include <string.h>
#include <time.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "base/file.h"

static const uint64_t ns_per_s = UINT64_C(1000000000);

bool otter_clock_reads_counter;

bool otter_clock_has_invariant_counter(void)
{
#if defined(__x86_64__)
    unsigned eax, ebx, ecx, edx;
    return __get_cpuid(0x80000007, &eax, &ebx, &ecx, &edx) && (edx & (1U << 8));
#else
    return sizeof(OTTER_CLOCK_COUNTER) > 1;
#endif
}

bool otter_clock_counter_is_listed(const char *sources)
{
    static const char name[] = OTTER_CLOCK_COUNTER;
    const char *at = sources;
    while (*at) {
        at += strspn(at, " \n");
        size_t length = strcspn(at, " \n");
        if (length == strlen(name) && strncmp(at, name, length) == 0) {
            return true;
        }
        at += length;
    }
    return false;
}

bool otter_clock_counter_is_trusted(void)
{
    char sources[256];
    size_t n =
        otter_file_read_text("/sys/devices/system/clocksource/clocksource0/available_clocksource",
                             sources, sizeof(sources));
    return n == 0 || otter_clock_counter_is_listed(sources);
}

void otter_clock_use_counter(bool use)
{
    otter_clock_reads_counter = use && otter_clock_has_invariant_counter();
}

bool otter_clock_uses_counter(void)
{
    return otter_clock_reads_counter;
}

static uint64_t read_ns(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * ns_per_s + (uint64_t)time.tv_nsec;
}

uint64_t otter_clock_monotonic_ns(void)
{
    return read_ns(CLOCK_MONOTONIC);
}

// Uses the shortest of five readings: an interruption lengthens a reading.
struct otter_clock_reading otter_clock_read(void)
{
    struct otter_clock_reading best = {0};
    uint64_t shortest = UINT64_MAX;
    for (int i = 0; i < 5; i++) {
        uint64_t before = otter_clock_now();
        uint64_t monotonic_ns = read_ns(CLOCK_MONOTONIC);
        uint64_t realtime_ns = read_ns(CLOCK_REALTIME);
        uint64_t after = otter_clock_now();
        if (after - before < shortest) {
            shortest = after - before;
            best = (struct otter_clock_reading){before, monotonic_ns, realtime_ns};
        }
    }
    return best;
}

uint64_t otter_clock_resolution(const struct otter_clock_reading *first,
                                const struct otter_clock_reading *last)
{
    uint64_t elapsed_ns = last->monotonic_ns - first->monotonic_ns;
    if (last->monotonic_ns <= first->monotonic_ns || last->ticks <= first->ticks) {
        return ns_per_s;
    }
    return (uint64_t)((double)(last->ticks - first->ticks) * (double)ns_per_s / (double)elapsed_ns +
                      0.5);
}
