// Measures the processor time of the process, and the time of its threads in the run queues.
#include "record/process/processor_time.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <time.h>

#include "record/process/schedstat.h"

static uint64_t used_before, queued_before;

static uint64_t used(void)
{
    struct timespec time = {0};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static uint64_t queued(void)
{
    int before = errno;
    uint64_t sum = 0;
    DIR *threads = opendir("/proc/self/task");
    for (struct dirent *entry; threads && (entry = readdir(threads));) {
        uint64_t waited_ns;
        bool is_known = *entry->d_name != '.' && otter_schedstat_read(entry->d_name, &waited_ns);
        sum += is_known ? waited_ns : 0;
    }
    if (threads) {
        closedir(threads);
    }
    errno = before;
    return sum;
}

void otter_processor_time_note(void)
{
    used_before = used();
    queued_before = queued();
}

uint64_t otter_processor_time_used(void)
{
    return used() - used_before;
}

uint64_t otter_processor_time_queued(void)
{
    uint64_t now = queued();
    return now > queued_before ? now - queued_before : 0;
}
