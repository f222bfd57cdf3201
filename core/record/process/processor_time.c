// Measures the processor time of the process, and the time of its threads in the run queues.
#include "record/process/processor_time.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

#include "base/file.h"

static uint64_t used_before, queued_before;

static uint64_t used(void)
{
    struct timespec time = {0};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static uint64_t queued_of(const char *thread)
{
    char path[64], text[128];
    uint64_t on_processor, queued;
    int length = snprintf(path, sizeof(path), "/proc/self/task/%.20s/schedstat", thread);
    bool is_read = length < (int)sizeof(path) &&
                   otter_file_read_text(path, text, sizeof(text)) > 0 &&
                   sscanf(text, "%" SCNu64 " %" SCNu64, &on_processor, &queued) == 2;
    return is_read ? queued : 0;
}

static uint64_t queued(void)
{
    int before = errno;
    uint64_t sum = 0;
    DIR *threads = opendir("/proc/self/task");
    for (struct dirent *entry; threads && (entry = readdir(threads));) {
        sum += *entry->d_name == '.' ? 0 : queued_of(entry->d_name);
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
