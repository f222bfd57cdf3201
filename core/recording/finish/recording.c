// Opens an unfinished recording, and finds out whether its process still writes it.
#include "recording/finish/recording.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "recording/finish/definitions.h"

uint64_t otter_recording_start_of(pid_t pid)
{
    enum {
        FIELDS_BETWEEN = 20
    }; // number of blanks after the program's name, which may contain any character
    char path[64], stat[1024];
    snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
    otter_file_read_text(path, stat, sizeof(stat));
    const char *at = strrchr(stat, ')');
    for (int i = 0; i < FIELDS_BETWEEN && at; i++) {
        at = strchr(at + 1, ' ');
    }
    return at ? strtoull(at, NULL, 10) : 0;
}

void otter_recording_boot_id(char id[OTTER_BOOT_ID_SIZE])
{
    otter_file_read_text("/proc/sys/kernel/random/boot_id", id, OTTER_BOOT_ID_SIZE);
    id[strcspn(id, "\n")] = '\0';
}

static bool is_other_boot(const char *recorded)
{
    char here[OTTER_BOOT_ID_SIZE];
    otter_recording_boot_id(here);
    return *recorded && *here && strcmp(recorded, here) != 0;
}

static uint64_t number_of(const struct otter_archive_content *content, const char *name)
{
    return strtoull(otter_content_description(content, name), NULL, 10);
}

static enum otter_status copy(const struct otter_journal_definitions *definitions,
                              struct otter_recording *recording)
{
    const struct otter_archive_content *content = &definitions->content;
    recording->program = strdup(otter_content_description(content, "PROGRAM"));
    recording->host = strdup(otter_content_description(content, "HOST"));
    recording->pid = (pid_t)strtol(otter_content_description(content, "PID"), NULL, 10);
    recording->pid_namespace = number_of(content, "PID_NAMESPACE");
    recording->pid_start = number_of(content, "PID_START");
    recording->is_of_other_boot = is_other_boot(otter_content_description(content, "BOOT_ID"));
    recording->is_mapped = definitions->is_mapped;
    recording->is_hidden = definitions->is_hidden;
    recording->is_stopped = *otter_content_description(content, "STOPPED");
    recording->has_end = content->has_end;
    recording->n_locations = content->n_locations;
    recording->is_begun = content->n_locations > 0 || content->n_unread > 0;
    return recording->program && recording->host ? OTTER_OK : OTTER_NO_MEMORY;
}

static enum otter_status read_journal(const char *journal, struct otter_recording *recording)
{
    recording->lock = open(journal, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (recording->lock < 0) {
        return otter_status_from_errno(errno);
    }
    if (flock(recording->lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        return OTTER_EXISTS;
    }
    struct otter_journal_definitions definitions;
    enum otter_status status = otter_definitions_read(journal, &definitions);
    if (!status) {
        status = copy(&definitions, recording);
        otter_definitions_free(&definitions);
    }
    return status == OTTER_EMPTY ? OTTER_OK : status;
}

enum otter_status otter_recording_open(const char *folder, struct otter_recording *recording)
{
    *recording = (struct otter_recording){.folder = otter_path_without_slashes(folder), .lock = -1};
    char *journal = otter_path("%s/journal", folder);
    enum otter_status status = OTTER_NO_MEMORY;
    if (recording->folder && journal) {
        status = read_journal(journal, recording);
    }
    free(journal);
    if (status) {
        otter_recording_close(recording);
    }
    return status;
}

void otter_recording_close(struct otter_recording *recording)
{
    if (recording->lock >= 0) {
        close(recording->lock);
    }
    free(recording->folder);
    free(recording->program);
    free(recording->host);
    *recording = (struct otter_recording){.lock = -1};
}

// Returns whether a line of /proc/<pid>/maps has the device and the inode of the journal.
static bool is_of_journal(const char *line, const struct stat *journal)
{
    unsigned major_number, minor_number;
    uint64_t inode;
    return sscanf(line, "%*s %*s %*s %x:%x %" SCNu64, &major_number, &minor_number, &inode) == 3 &&
           inode == journal->st_ino && major_number == major(journal->st_dev) &&
           minor_number == minor(journal->st_dev);
}

// Returns whether the line has the path of the journal, since layered file systems show numbers
// that differ from stat's.
static bool names_journal(const char *line, const char *path)
{
    const char *found = strchr(line, '/');
    size_t length = strlen(path);
    return found && strncmp(found, path, length) == 0 && found[length] == '\n';
}

// Returns whether `pid` is still the recording process, since another process may now have its
// number. Called if the maps of the process are unreadable or do not show the journal.
static enum otter_recording_life life_by_start(const struct otter_recording *recording)
{
    if (recording->is_of_other_boot) {
        return OTTER_RECORDING_OVER;
    }
    if (recording->pid_start == 0) {
        return OTTER_RECORDING_UNIDENTIFIED;
    }
    return otter_recording_start_of(recording->pid) == recording->pid_start ? OTTER_RECORDING_LIVE
                                                                            : OTTER_RECORDING_OVER;
}

struct maps {
    bool has_any; // a killed process has none
    bool has_journal;
};

// Returns 0 or the value of errno.
static int read_maps(const struct otter_recording *recording, pid_t pid, struct maps *maps)
{
    char name[64], line[PATH_MAX + 256], path[PATH_MAX] = "";
    struct stat journal;
    snprintf(name, sizeof(name), "/proc/%d/maps", (int)pid);
    char *given = otter_path("%s/journal", recording->folder);
    if (!given || !realpath(given, path)) {
        *path = '\0';
    }
    free(given);
    *maps = (struct maps){.has_any = false};
    FILE *file = fopen(name, "re");
    if (!file) {
        return errno;
    }
    bool is_known = fstat(recording->lock, &journal) == 0;
    while (!maps->has_journal && fgets(line, sizeof(line), file)) {
        maps->has_any = true;
        maps->has_journal =
            (is_known && is_of_journal(line, &journal)) || (*path && names_journal(line, path));
    }
    fclose(file);
    return 0;
}

static enum otter_recording_life life_by_maps(const struct otter_recording *recording)
{
    struct maps maps;
    int error = read_maps(recording, recording->pid, &maps);
    bool is_denied = error == EACCES || error == EPERM; // the process belongs to another user
    if (is_denied || (!maps.has_journal && maps.has_any && recording->is_hidden)) {
        return life_by_start(recording);
    }
    return maps.has_journal ? OTTER_RECORDING_LIVE : OTTER_RECORDING_OVER;
}

// A journal that was not begun names no process, but the process about to begin it has the file
// mapped.
static enum otter_recording_life life_by_all_maps(struct otter_recording *recording)
{
    DIR *processes = opendir("/proc");
    struct maps maps = {.has_any = false};
    for (struct dirent *entry; processes && !maps.has_journal && (entry = readdir(processes));) {
        pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
        if (pid > 0 && !read_maps(recording, pid, &maps) && maps.has_journal) {
            recording->pid = pid;
        }
    }
    if (processes) {
        closedir(processes);
    }
    return maps.has_journal ? OTTER_RECORDING_LIVE : OTTER_RECORDING_OVER;
}

uint64_t otter_recording_pid_namespace(void)
{
    struct stat about;
    return stat("/proc/self/ns/pid", &about) == 0 ? about.st_ino : 0;
}

enum otter_recording_life otter_recording_life(struct otter_recording *recording)
{
    char host[HOST_NAME_MAX + 1] = "";
    gethostname(host, sizeof(host) - 1);
    if (!recording->host || !*recording->host || recording->pid <= 0) {
        return recording->is_begun ? OTTER_RECORDING_UNIDENTIFIED : life_by_all_maps(recording);
    }
    if (strcmp(host, recording->host) != 0) {
        return OTTER_RECORDING_UNKNOWN;
    }
    if (recording->pid_namespace && recording->pid_namespace != otter_recording_pid_namespace()) {
        return OTTER_RECORDING_UNKNOWN;
    }
    return life_by_maps(recording);
}
