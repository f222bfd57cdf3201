// A recording that may be unfinished: the folder <name>.recording that a program leaves when it is killed, and while it runs.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/status.h"

// Of a recording's folder, behind the name of the archive that it becomes.
#define OTTER_RECORDING_SUFFIX ".recording"

// What its journal says. Strings belong to the recording.
struct otter_recording {
    char *folder; // without slashes at its end
    char *program, *host;
    pid_t pid;              // 0: not told
    uint64_t pid_namespace; // in which `pid` is that; 0: not told
    uint64_t pid_start;     // otter_recording_start_of() of it; 0: not told
    bool is_of_other_boot;  // the system has been started anew since
    bool is_mapped;         // what was in memory survives the process
    bool is_hidden;         // its process does not have the journal mapped
    bool is_stopped;        // max-size was reached; what followed is not there, but for totals
    bool is_begun;          // the journal defines a thread; no event is recorded before that
    bool has_end;           // recording ended in good order; the archive was not completed
    size_t n_locations;
    int lock; // descriptor of the journal
};

// Looks at the recording in `folder`, also where its journal was not begun, and keeps others from
// completing it until it is closed. OTTER_NOT_FOUND: no such folder, or there is no journal in it;
// OTTER_EXISTS: another process is completing it; OTTER_BAD_ARCHIVE: the journal is no journal;
// others as the system has them.
enum otter_status otter_recording_open(const char *folder, struct otter_recording *recording);
void otter_recording_close(struct otter_recording *recording);

enum otter_recording_life {
    OTTER_RECORDING_OVER = 0,
    OTTER_RECORDING_LIVE, // its process is there, and still has the journal, as far as it shows that
    OTTER_RECORDING_UNKNOWN, // it was made on another host, or where processes have other numbers (a container)
    OTTER_RECORDING_UNTOLD, // its journal does not tell which process wrote it, or not enough to know another user's process from it
};

// Names the processes among which this one has its number, on this host; 0: not known.
uint64_t otter_recording_pid_namespace(void);

// When the process `pid` began, in ticks since the system did: no other of that number has the same. 0: there is none, or it is not known.
uint64_t otter_recording_start_of(pid_t pid);

enum { OTTER_BOOT_ID_SIZE = 64 };
// What tells this run of the system from others; "": not known.
void otter_recording_boot_id(char id[OTTER_BOOT_ID_SIZE]);

// Whether a process still writes it; then the process' number is in `pid`.
enum otter_recording_life otter_recording_life(struct otter_recording *recording);
