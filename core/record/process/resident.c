// Reads the process's peak resident memory.
#include "record/process/resident.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"

// getrusage() is unsuitable, since its maximum includes the program that called execve().
uint64_t otter_resident_high_water(void)
{
    static const char name[] = "\nVmHWM:";
    char text[4096];
    const char *line =
        otter_file_read_text("/proc/self/status", text, sizeof(text)) ? strstr(text, name) : NULL;
    return line ? 1024 * (uint64_t)strtoull(line + sizeof(name) - 1, NULL, 10) : 0; // KiB
}
