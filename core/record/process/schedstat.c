// Reads the scheduler's sums of a thread, where its switches are not recorded.
#include "record/process/schedstat.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/file.h"
#include "record/process/launcher.h"
#include "record/process/output.h"

void otter_schedstat_describe(uint32_t location, uint64_t os_thread)
{
    char path[64], text[96];
    uint64_t on_ns, waited_ns;
    if (otter_launcher_records_switches()) {
        return;
    }
    snprintf(path, sizeof(path), "/proc/self/task/%" PRIu64 "/schedstat", os_thread);
    if (otter_file_read_text(path, text, sizeof(text)) > 0 &&
        sscanf(text, "%" SCNu64 " %" SCNu64, &on_ns, &waited_ns) == 2) {
        otter_output_define("describe WAITED::%" PRIu32 " %" PRIu64, location, waited_ns);
    }
}
