// Finds the newest archive or recording in the working folder.
#include "cli/request/newest.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/exit_status.h"
#include "base/log.h"
#include "base/text/visible.h"
#include "merge/merge.h"
#include "report/screen/age.h"
#include "trace/schema.h"

static bool is_newer(struct timespec a, struct timespec b)
{
    return a.tv_sec != b.tv_sec ? a.tv_sec > b.tv_sec : a.tv_nsec > b.tv_nsec;
}

static bool is_named(const char *folder, const char *suffix)
{
    size_t n = strlen(folder), length = strlen(suffix);
    return strncmp(folder, "otter-", 6) == 0 && strcmp(folder, OTTER_MERGED) != 0 && n >= length &&
           strcmp(folder + n - length, suffix) == 0;
}

static bool has_file(const char *folder, const char *name, struct stat *info)
{
    char path[2 * NAME_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return stat(path, info) == 0;
}

// The first rank in the folder of a job that was not merged.
static const char first_rank[] = OTTER_RANK_PREFIX "0000/traces.otf2";

// Finds the newest folder otter-*`suffix` that contains a file `name` or, if `name` is NULL, an
// archive or the ranks of a job.
static bool find_newest(const char *suffix, const char *name, char newest[NAME_MAX + 1])
{
    DIR *entries = opendir(".");
    struct timespec newest_time = {0};
    *newest = '\0';
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        struct stat info;
        bool is_found = is_named(entry->d_name, suffix) &&
                        (name ? has_file(entry->d_name, name, &info)
                              : has_file(entry->d_name, "traces.otf2", &info) ||
                                    has_file(entry->d_name, first_rank, &info));
        if (!is_found) {
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

static bool may_look(void)
{
    if (access(".", R_OK) == 0) {
        return true;
    }
    otter_error("cannot search this folder for archives and recordings: %s", strerror(errno));
    return false;
}

bool otter_newest_recording(char newest[NAME_MAX + 1])
{
    if (!may_look()) {
        return false;
    }
    if (!find_newest(OTTER_RECORDING_SUFFIX, "journal", newest)) {
        otter_error("there is no recording here (otter-*.recording): name a recording");
        return false;
    }
    otter_note("the newest recording here is %s", newest);
    return true;
}

// Opens the definitions of an archive, or of the first rank in the folder of a job.
static struct otter_archive *open_newest(const char *name)
{
    char path[2 * NAME_MAX];
    struct stat info;
    struct otter_archive *archive;
    struct otter_complaint complaint;
    bool is_job = !has_file(name, "traces.otf2", &info);
    snprintf(path, sizeof path, "%s%s", name, is_job ? "/" OTTER_RANK_PREFIX "0000" : "");
    return otter_archive_open_definitions(path, &archive, &complaint) ? NULL : archive;
}

// Prints which run made the newest archive, since the program run last may not have been recorded.
static void note_newest(const char *name)
{
    char age[OTTER_AGE_SIZE] = "";
    struct otter_archive *archive = open_newest(name);
    const char *program = archive ? otter_archive_property(archive, "OTTER::COMMAND_LINE") : NULL;
    if (archive) {
        otter_age_text(otter_archive_definitions(archive), time(NULL), age);
    }
    otter_note("the newest archive here is %s%s%s%s%s", name, program ? ": " : "",
               program ? program : "", *age ? ", " : "", age);
    otter_archive_close(archive);
}

static bool find_newest_archive(char newest[NAME_MAX + 1])
{
    if (!may_look()) {
        return false;
    }
    if (find_newest("", NULL, newest)) {
        note_newest(newest);
        return true;
    }
    if (find_newest(OTTER_RECORDING_SUFFIX, "journal", newest)) {
        char *word = otter_visible_word(newest);
        otter_error("there is no archive here (otter-*), but an incomplete recording: wait for its "
                    "program's end, "
                    "or make an archive of it: otter recover %s",
                    word);
        free(word);
        return false;
    }
    otter_error(
        "there is no archive here (otter-*): name an archive, or record a program with 'otter "
        "record ./app'");
    return false;
}

int otter_archive_argument(int argc, char **argv, char newest[NAME_MAX + 1], const char **path)
{
    if (argc - optind > 1) {
        otter_error("'otter %s' accepts one archive: leave '%s' out (otter help %s)", argv[0],
                    argv[argc - 1], argv[0]);
        return OTTER_EXIT_USAGE;
    }
    *path = optind < argc ? argv[optind] : newest;
    return optind < argc || find_newest_archive(newest) ? OTTER_EXIT_OK : OTTER_EXIT_FAILED;
}
