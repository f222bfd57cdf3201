// Reads the scheduler's sums of a thread, for runs in which its switches are not recorded.
#include "record/process/schedstat.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/file.h"
#include "record/process/launcher.h"
#include "record/process/output.h"

bool otter_schedstat_read(const char *os_thread, uint64_t *waited_ns)
{
    char path[64], text[128];
    uint64_t on_ns;
    int length = snprintf(path, sizeof(path), "/proc/self/task/%.20s/schedstat", os_thread);
    return length < (int)sizeof(path) && otter_file_read_text(path, text, sizeof(text)) > 0 &&
           sscanf(text, "%" SCNu64 " %" SCNu64, &on_ns, waited_ns) == 2;
}

void otter_schedstat_describe(uint32_t location, uint64_t os_thread)
{
    char name[24];
    uint64_t waited_ns;
    snprintf(name, sizeof(name), "%" PRIu64, os_thread);
    if (!otter_launcher_records_switches() && otter_schedstat_read(name, &waited_ns)) {
        otter_output_define("describe WAITED::%" PRIu32 " %" PRIu64, location, waited_ns);
    }
}
