// What set-up and reading functions return; recording functions return nothing (see core/README.md).
#pragma once

enum otter_status {
    OTTER_OK = 0,
    OTTER_NO_MEMORY,
    OTTER_NOT_FOUND,    // a file, folder or name that should be there is not
    OTTER_EXISTS,       // ... that should not be there is
    OTTER_DENIED,       // permission
    OTTER_NO_SPACE,     // disk or quota full
    OTTER_FULL,         // the archive is as large as it may become
    OTTER_NO_FILES,     // no descriptor left
    OTTER_IO,           // any other failure of the system
    OTTER_BAD_VALUE,    // an argument or setting out of range
    OTTER_BAD_ARCHIVE,  // not an archive, or a damaged one
    OTTER_EMPTY,        // a recording without events
    OTTER_BUSY,         // a thread that did not come to rest still uses it
    OTTER_UNKNOWN_OTF2, // the OTF2 in use writes events in another layout than ours
    OTTER_UNSUPPORTED,  // not to be had on this system, or from a newer version
    OTTER_NAME_TOO_LONG,
    OTTER_NOT_FOLDER, // a part of a path is a file
    OTTER_READ_ONLY,  // the file system
    OTTER_MASKED,     // a folder just made denies its owner access: the umask
};

// A few words in English, for the end of a message. Never NULL; static.
const char *otter_status_text(enum otter_status status);

// The status that stands for a value of errno.
enum otter_status otter_status_from_errno(int error);
