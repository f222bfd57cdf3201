// Makes and locks the temporary folder of a merge.
#include "merge/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"

enum { MAX_TRIES = 10 };

int otter_merge_temporary_lock(const char *path, bool *has_owner)
{
    int lock = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    bool is_locked = lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0;
    *has_owner = lock >= 0 && !is_locked && errno == EWOULDBLOCK;
    if (lock >= 0 && !is_locked) {
        close(lock);
    }
    return is_locked ? lock : -1;
}

// Returns whether another merge has removed the folder before its owner had the lock.
static bool is_lost(int lock, bool has_owner)
{
    struct stat about;
    return has_owner || (lock >= 0 && fstat(lock, &about) == 0 && about.st_nlink == 0);
}

char *otter_merge_temporary_create(const char *parent, int *lock)
{
    bool has_owner;
    for (int i = 0; i < MAX_TRIES; i++) {
        char *path = otter_path("%s/" OTTER_MERGE_TEMPORARY "XXXXXX", parent);
        if (!mkdtemp(path)) {
            free(path);
            return NULL;
        }
        *lock = otter_merge_temporary_lock(path, &has_owner);
        if (!is_lost(*lock, has_owner)) {
            return path;
        }
        if (*lock >= 0) {
            close(*lock);
        }
        free(path);
    }
    errno = EAGAIN;
    return NULL;
}
