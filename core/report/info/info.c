// Derives times and sizes from the summary of an archive.
#include "report/info/info.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/path.h"
#include "source/demangle.h"

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

char *otter_info_kokkos_device(const struct otter_archive *archive)
{
    static const char prefix[] = "Kokkos::";
    const char *device = otter_archive_property(archive, OTTER_KOKKOS_PREFIX "DEFAULT_DEVICE");
    if (!device || *device == '\0') {
        return NULL;
    }
    // Kokkos before 4 reports the compiler's name of the type
    bool is_mangled = device[0] == 'N' && device[1] >= '1' && device[1] <= '9';
    if (!is_mangled) {
        return strdup(device);
    }
    char *mangled = otter_path("_Z%s", device);
    char *name = otter_demangle(mangled);
    bool is_known = name && strncmp(name, prefix, sizeof prefix - 1) == 0;
    char *shown = strdup(is_known ? name + sizeof prefix - 1 : device);
    free(mangled);
    free(name);
    return shown;
}
