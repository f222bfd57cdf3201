// Texts of the statuses, and their relation to errno.
#include "base/status.h"

#include <errno.h>

const char *otter_status_text(enum otter_status status)
{
    switch (status) {
    case OTTER_OK: return "success";
    case OTTER_NO_MEMORY: return "out of memory";
    case OTTER_NOT_FOUND: return "not found";
    case OTTER_EXISTS: return "exists already";
    case OTTER_DENIED: return "permission denied";
    case OTTER_NO_SPACE: return "no space left on the disk, or the file is too large";
    case OTTER_FULL: return "it has reached max-size";
    case OTTER_NO_FILES: return "too many open files (raise ulimit -n)";
    case OTTER_IO: return "input/output error";
    case OTTER_BAD_VALUE: return "bad value";
    case OTTER_BAD_ARCHIVE: return "damaged or not an archive";
    case OTTER_EMPTY: return "it contains no events";
    case OTTER_BUSY: return "a thread is still writing to it";
    case OTTER_UNKNOWN_OTF2: return "this OTF2 writes events in a layout that Otter does not know";
    case OTTER_UNSUPPORTED: return "not supported";
    case OTTER_NAME_TOO_LONG: return "file name too long";
    case OTTER_NOT_FOLDER: return "a part of the path is not a folder";
    case OTTER_READ_ONLY: return "read-only file system";
    case OTTER_MASKED: return "the umask denies the owner access to new folders";
    case OTTER_DEFECT: return "a number is out of range: please report this bug in Otter";
    }
    return "unknown error";
}

enum otter_status otter_status_from_errno(int error)
{
    switch (error) {
    case 0: return OTTER_OK;
    case ENOMEM: return OTTER_NO_MEMORY;
    case ENOENT: return OTTER_NOT_FOUND;
    case ENOTDIR: return OTTER_NOT_FOLDER;
    case ENAMETOOLONG: return OTTER_NAME_TOO_LONG;
    case EROFS: return OTTER_READ_ONLY;
    case EEXIST:
    case ENOTEMPTY: return OTTER_EXISTS;
    case EACCES:
    case EPERM: return OTTER_DENIED;
    case ENOSPC:
    case EDQUOT:
    case EFBIG: return OTTER_NO_SPACE;
    case EMFILE:
    case ENFILE: return OTTER_NO_FILES;
    default: return OTTER_IO;
    }
}
