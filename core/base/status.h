// The result of set-up and reading functions. Recording functions return nothing (core/README.md).
#pragma once

enum otter_status {
    OTTER_OK = 0,
    OTTER_NO_MEMORY,
    OTTER_NOT_FOUND,    // a file, folder or name does not exist
    OTTER_EXISTS,       // a file or folder exists already
    OTTER_DENIED,       // no permission
    OTTER_NO_SPACE,     // disk or quota full
    OTTER_FULL,         // the archive has reached the setting max-size
    OTTER_NO_FILES,     // no descriptor left
    OTTER_IO,           // any other failure of the system
    OTTER_BAD_VALUE,    // an argument or setting out of range
    OTTER_BAD_ARCHIVE,  // the folder is not an archive, or the archive is damaged
    OTTER_EMPTY,        // a recording without events
    OTTER_BUSY,         // still in use by a thread
    OTTER_UNKNOWN_OTF2, // the layout of this OTF2's events is unknown to Otter
    OTTER_UNSUPPORTED,  // not available on this system, or written by a newer version
    OTTER_NAME_TOO_LONG,
    OTTER_NOT_FOLDER, // a part of a path is a file
    OTTER_READ_ONLY,  // the file system is read-only
    OTTER_MASKED,     // the umask denies the owner access to a new folder
    OTTER_DEFECT,     // two results contradict each other: a defect of Otter
};

// Evaluates `call` and stores its status, unless an earlier call has failed.
#define OTTER_THEN(status, call) ((status) = (status) ? (status) : (call))

// Returns a short text for the end of a message; static, never NULL.
const char *otter_status_text(enum otter_status status);

// Returns the status that corresponds to a value of errno.
enum otter_status otter_status_from_errno(int error);
