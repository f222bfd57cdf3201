// Removes temporary folders left by killed merges.
#include "merge/leftovers.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/path.h"
#include "merge/target.h"
#include "merge/temporary.h"

// The parts of a temporary folder that are archives.
static const char *const archives[] = {OTTER_MERGE_ARCHIVE, OTTER_MERGE_OLD};
enum { N_ARCHIVES = sizeof archives / sizeof *archives };

// Returns whether the archive has an event file with no other name: a copy, or the last link.
static bool has_only_events(const char *folder, const char *archive)
{
    char *path = otter_path("%s/%s/traces", folder, archive);
    DIR *entries = opendir(path);
    bool has = false;
    for (struct dirent *entry; entries && !has && (entry = readdir(entries));) {
        struct stat about;
        const char *ending = strrchr(entry->d_name, '.');
        has = ending && strcmp(ending, ".evt") == 0 &&
              fstatat(dirfd(entries), entry->d_name, &about, AT_SYMLINK_NOFOLLOW) == 0 &&
              about.st_nlink == 1;
    }
    if (entries) {
        closedir(entries);
    }
    free(path);
    return has;
}

static void remove_archives(const char *folder)
{
    for (int i = 0; i < N_ARCHIVES; i++) {
        char *path = otter_path("%s/%s", folder, archives[i]);
        otter_merge_remove_archive(path);
        rmdir(path);
        free(path);
    }
    rmdir(folder);
}

static void remove_leftover(const char *folder)
{
    bool has_owner, has_events = false;
    int lock = otter_merge_temporary_lock(folder, &has_owner);
    if (lock < 0) {
        return;
    }
    for (int i = 0; i < N_ARCHIVES; i++) {
        has_events |= has_only_events(folder, archives[i]);
    }
    if (has_events) {
        otter_warning("'%s' is left over from a merge that was killed, and contains events that "
                      "no other archive has: remove the folder if you have these ranks elsewhere",
                      folder);
    } else {
        remove_archives(folder);
    }
    close(lock);
}

void otter_merge_leftovers_remove(const char *parent)
{
    DIR *entries = opendir(parent);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        if (strncmp(entry->d_name, OTTER_MERGE_TEMPORARY, strlen(OTTER_MERGE_TEMPORARY)) == 0) {
            char *folder = otter_path("%s/%s", parent, entry->d_name);
            remove_leftover(folder);
            free(folder);
        }
    }
    if (entries) {
        closedir(entries);
    }
}
