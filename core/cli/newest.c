#include "cli/newest.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/log.h"

static bool is_newer(struct timespec a, struct timespec b)
{
    return a.tv_sec != b.tv_sec ? a.tv_sec > b.tv_sec : a.tv_nsec > b.tv_nsec;
}

static bool find_newest(char newest[NAME_MAX + 1])
{
    DIR *entries = opendir(".");
    struct timespec newest_time = {0};
    *newest = '\0';
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        char anchor[NAME_MAX + sizeof "/traces.otf2"];
        struct stat info;
        snprintf(anchor, sizeof anchor, "%s/traces.otf2", entry->d_name);
        if (strncmp(entry->d_name, "otter-", 6) != 0 || stat(anchor, &info) != 0) {
            continue;
        }
        if (*newest == '\0' || is_newer(info.st_mtim, newest_time)) {
            newest_time = info.st_mtim;
            snprintf(newest, NAME_MAX + 1, "%s", entry->d_name);
        }
    }
    if (entries) {
        closedir(entries);
    }
    return *newest != '\0';
}

bool otter_newest_archive(char newest[NAME_MAX + 1])
{
    if (!find_newest(newest)) {
        otter_error(
            "there is no archive here (otter-*): name one, or record one with 'otter record ./app'");
        return false;
    }
    otter_note("the newest archive here is %s", newest);
    return true;
}
