// An unfinished recording: the folder <name>.recording of a running or killed program.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/status.h"
#include "trace/schema.h"

// Data from the journal. The recording owns the strings.
struct otter_recording {
    char *folder; // path without slashes at its end
    char *program, *host;
    pid_t pid;              // 0: unknown
    uint64_t pid_namespace; // namespace of `pid`; 0: unknown
    uint64_t pid_start;     // otter_recording_start_of(pid); 0: unknown
    bool is_of_other_boot;  // the system has been rebooted since
    bool is_mapped;         // chunks were files, which survive the process
    bool is_hidden;         // the recording process does not have the journal mapped
    bool is_stopped;        // max-size was reached, so only totals of later events are known
    bool is_begun;          // whether the journal defines a thread; without one, there is no event
    bool has_end;           // recording ended properly, but the archive was not completed
    size_t n_locations;
    int lock; // descriptor of the journal
};

// Opens the recording in `folder`, even if its journal was not begun. No other process can complete
// the recording until it is closed.
// *Errors*: OTTER_NOT_FOUND: no folder, or no journal in it; OTTER_EXISTS: another process is
// completing it; OTTER_BAD_ARCHIVE: the journal is damaged; otherwise from errno.
enum otter_status otter_recording_open(const char *folder, struct otter_recording *recording);
void otter_recording_close(struct otter_recording *recording);

enum otter_recording_life {
    OTTER_RECORDING_OVER = 0,
    OTTER_RECORDING_LIVE,         // the process seems to exist and to have the journal open
    OTTER_RECORDING_UNKNOWN,      // on another host or in another process namespace (a container)
    OTTER_RECORDING_UNIDENTIFIED, // the journal does not identify the process
};

// Returns the process namespace of this process; 0: unknown.
uint64_t otter_recording_pid_namespace(void);

// Returns when the process `pid` began, in clock ticks since boot. Together with `pid`, this time
// identifies the process. 0: there is no such process, or its start is unknown.
uint64_t otter_recording_start_of(pid_t pid);

enum { OTTER_BOOT_ID_SIZE = 64 };
// Stores the system's boot id; "": unknown.
void otter_recording_boot_id(char id[OTTER_BOOT_ID_SIZE]);

// Returns whether a process still writes the recording. May set recording->pid.
enum otter_recording_life otter_recording_life(struct otter_recording *recording);
