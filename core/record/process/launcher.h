// The exchange between the recorder and `otter record`.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Reads settings from KOKKOS_TOOLS_ARGS and from --kokkos-tools-args=... of the program's command
// line, since Kokkos passes them only after recording has begun.
void otter_launcher_read_arguments(void);

// Returns whether `otter record` records the switches of this process.
bool otter_launcher_records_switches(void);
// Waits, for a limited time, until the launcher has stored all switches before `time`.
void otter_launcher_await_switches(const char *recording, uint64_t time);

// Appends "<word> <pid> <text>" to the file that OTTER_REPORT_FILE names, if it names one.
void otter_launcher_report(const char *word, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
