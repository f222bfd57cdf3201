// What the recorder and `otter record` tell each other.
#pragma once

// Takes settings out of the arguments that Kokkos will hand over later, after recording has begun: KOKKOS_TOOLS_ARGS and
// --kokkos-tools-args=... on the program's command line.
void otter_launcher_take_arguments(void);

// Adds a line "<word> <pid> <text>" to the file that the launcher named in OTTER_REPORT_FILE, if there is one.
void otter_launcher_report(const char *word, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
