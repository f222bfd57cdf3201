// Derives times and sizes from the summary of an archive.
#include "report/info/info.h"

#include <time.h>

double otter_info_seconds(const struct otter_definitions *definitions,
                          const struct otter_summary *summary)
{
    if (definitions->clock.resolution == 0 || summary->n_events == 0) {
        return -1;
    }
    return (double)(summary->last_time - summary->first_time) /
           (double)definitions->clock.resolution;
}

double otter_info_bytes_per_task(const struct otter_summary *summary)
{
    if (summary->tasks_created == 0) {
        return -1;
    }
    return (double)summary->size / (double)summary->tasks_created;
}

void otter_info_date(const struct otter_definitions *definitions, char *text, size_t size)
{
    time_t seconds = (time_t)(definitions->clock.realtime / 1000000000u);
    struct tm local;
    if (seconds == 0 || !localtime_r(&seconds, &local) ||
        strftime(text, size, "%Y-%m-%d %H:%M:%S", &local) == 0) {
        *text = '\0';
    }
}
