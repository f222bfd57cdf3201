// The process and its host: program, working folder, and the paths of its archive and files.
#include "record/process/host.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "base/path.h"
#include "base/settings.h"
#include "recording/command_line.h"
#include "recording/rank.h"
#include "recording/finish/recording.h"
#include "trace/schema.h"

enum { MAX_COMMAND_LINE = 4096 };

// Large buffers are static, since a thread's stack may be small. The session's lock protects them.
static char working_folder[PATH_MAX];

#ifdef __GLIBC__ // only glibc passes arguments to constructors
// In a preloaded library this runs before main, which may overwrite the arguments.
__attribute__((constructor)) static void store_command_line(int argc, char **argv)
{
    (void)argc;
    otter_command_line_store(argv);
}
#endif

// A runtime may start its tool after the program has changed its working folder. The launcher knows
// the folder in which the user started it.
void otter_host_note_start(void)
{
    const char *given = getenv("OTTER_WORKING_FOLDER");
    otter_rank_note();
    if (*working_folder) {
        return;
    }
    if (given && *given == '/' && strlen(given) < sizeof(working_folder)) {
        strcpy(working_folder, given);
    } else if (!getcwd(working_folder, sizeof(working_folder))) {
        strcpy(working_folder, "/tmp");
    }
}

static const char *program_path(void)
{
    static char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
    path[length > 0 ? length : 0] = '\0';
    return path;
}

static const char *program_name(void)
{
    const char *name = otter_path_file(program_path());
    return *name ? name : "program";
}

static void host_name(char *name, size_t size)
{
    if (gethostname(name, size) < 0) {
        snprintf(name, size, "unknown");
    }
    name[size - 1] = '\0';
}

static void describe_rank(void (*describe)(const char *name, const char *value))
{
    char size[16];
    const struct otter_job_rank *rank = otter_rank();
    if (*rank->rank) {
        describe("RANK", rank->rank);
    }
    if (rank->size > 0) {
        snprintf(size, sizeof(size), "%" PRIu32, rank->size);
        describe("RANKS", size);
    }
    if (rank->is_of_job && rank->has_id) {
        describe("JOB", rank->job);
    }
}

void otter_host_describe(void (*describe)(const char *name, const char *value))
{
    static char line[MAX_COMMAND_LINE];
    char host[256], pid[32], pids[32], start[32], boot[OTTER_BOOT_ID_SIZE];
    otter_command_line_read(line, sizeof(line));
    host_name(host, sizeof(host));
    snprintf(pid, sizeof(pid), "%ld", (long)getpid());
    snprintf(pids, sizeof(pids), "%" PRIu64, otter_recording_pid_namespace());
    snprintf(start, sizeof(start), "%" PRIu64, otter_recording_start_of(getpid()));
    otter_recording_boot_id(boot);
    describe("PROGRAM", program_path());
    describe("COMMAND_LINE", line);
    describe("HOST", host);
    describe("PID", pid);
    describe("PID_NAMESPACE", pids);
    describe("PID_START", start);
    describe("BOOT_ID", boot);
    describe_rank(describe);
}

enum otter_status otter_host_make_folder(const char *path)
{
    struct stat about;
    if (mkdir(path, 0777) < 0) {
        return otter_status_from_errno(errno);
    }
    bool is_whole = stat(path, &about) < 0 || (about.st_mode & S_IRWXU) == S_IRWXU;
    if (is_whole || faccessat(AT_FDCWD, path, R_OK | W_OK | X_OK, AT_EACCESS) == 0) {
        return OTTER_OK;
    }
    rmdir(path);
    return OTTER_MASKED;
}

// Makes the folder and its parents. Succeeds if they exist.
static enum otter_status make_folders(const char *path)
{
    static char part[PATH_MAX];
    for (const char *slash = strchr(path + 1, '/');; slash = strchr(slash + 1, '/')) {
        size_t length = slash ? (size_t)(slash - path) : strlen(path);
        memcpy(part, path, length);
        part[length] = '\0';
        struct stat about; // an existing folder may not allow new entries
        enum otter_status status = otter_host_make_folder(part);
        if (status && status != OTTER_EXISTS && stat(part, &about) < 0) {
            return status;
        }
        if (!slash) {
            return OTTER_OK;
        }
    }
}

// Adds the parts that differ between processes: .<host>.<rank>.<pid>, or -<host>-r<rank>-<pid>.
static void add_process(char *name, size_t size, char separator)
{
    size_t n = strlen(name);
    if (otter_settings_get_bool("append-hostname")) {
        char host[256];
        host_name(host, sizeof(host));
        snprintf(name + n, size - n, "%c%s", separator, host);
        n = strlen(name);
    }
    const char *rank = otter_rank()->rank;
    if (*rank) {
        snprintf(name + n, size - n, "%c%s%s", separator, separator == '-' ? "r" : "", rank);
        n = strlen(name);
    }
    snprintf(name + n, size - n, "%c%ld", separator, (long)getpid());
}

// Writes date and time in UTC. The C library would read the time zone only once, perhaps before the
// program changes it. Counts days in years that begin in March (H. Hinnant's civil_from_days).
static void write_date(char *text, size_t size)
{
    int64_t now = (int64_t)time(NULL), day = now / 86400 + 719468;
    int seconds = (int)(now % 86400);
    int64_t era = day / 146097, day_of_era = day % 146097;
    int64_t year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int march_month = (int)((5 * day_of_year + 2) / 153);
    int month = march_month < 10 ? march_month + 3 : march_month - 9;
    snprintf(text, size, "%04d%02d%02d-%02d%02d%02d", (int)(year_of_era + era * 400) + (month <= 2),
             month, (int)day_of_year - (153 * march_month + 2) / 5 + 1, seconds / 3600,
             seconds / 60 % 60, seconds % 60);
}

static void rank_name(char *name, size_t size)
{
    snprintf(name, size, OTTER_RANK_PREFIX "%04lu", strtoul(otter_rank()->rank, NULL, 10));
}

// Writes otter-job-<job>/rank-<rank> in a job, otherwise otter-<program>-<date>[-r<rank>]-<pid>;
// with the setting trace-name, <trace-name>[.<host>][.<rank>].<pid>.
static void default_name(char *name, size_t size)
{
    const char *wanted = otter_settings_get("trace-name");
    if (*wanted) {
        snprintf(name, size, "%s", wanted);
        add_process(name, size, '.');
        return;
    }
    if (otter_rank()->is_of_job) {
        char rank[32];
        rank_name(rank, sizeof(rank));
        snprintf(name, size, "otter-job-%s/%s", otter_rank()->job, rank);
        return;
    }
    char date[32];
    write_date(date, sizeof(date));
    snprintf(name, size, "otter-%.100s-%s", program_name(), date);
    add_process(name, size, '-');
}

static enum otter_status make_parents(const char *path)
{
    static char parent[PATH_MAX];
    snprintf(parent, sizeof(parent), "%s", path);
    char *slash = strrchr(parent, '/');
    if (slash == parent) {
        return OTTER_OK;
    }
    *slash = '\0';
    return make_folders(parent);
}

static bool absolute(const char *path, char *result, size_t size)
{
    int n = *path == '/' ? snprintf(result, size, "%s", path)
                         : snprintf(result, size, "%s/%s", working_folder, path);
    size_t length = (size_t)n;
    while (length > 1 && length < size && result[length - 1] == '/') {
        result[--length] = '\0';
    }
    return length < size;
}

static bool wanted_folder(char *folder, size_t size)
{
    const char *exact = otter_settings_get("folder");
    if (*exact && otter_rank()->is_of_job) {
        char rank[32];
        rank_name(rank, sizeof(rank));
        bool is_short = absolute(exact, folder, size);
        size_t n = strlen(folder);
        return is_short && (size_t)snprintf(folder + n, size - n, "/%s", rank) < size - n;
    }
    if (*exact) {
        return absolute(exact, folder, size);
    }
    static char name[NAME_MAX];
    default_name(name, sizeof(name));
    const char *path = otter_settings_get("trace-path");
    if (!absolute(strcmp(path, ".") ? path : "", folder, size)) {
        return false;
    }
    size_t length = strlen(folder);
    return (size_t)snprintf(folder + length, size - length, "/%s", name) < size - length;
}

// Avoids an existing name by adding .<pid> if the setting `folder` omitted it, then .2, .3, ...
static void add_attempt(unsigned attempt, char *folder, size_t size)
{
    if (*otter_settings_get("folder") && !otter_rank()->is_of_job && attempt > 0) {
        size_t length = strlen(folder);
        snprintf(folder + length, size - length, ".%ld", (long)getpid());
        attempt--;
    }
    if (attempt > 0) {
        size_t length = strlen(folder);
        snprintf(folder + length, size - length, ".%u", attempt + 1);
    }
}

enum otter_status otter_host_archive_folder(unsigned attempt, char *folder, size_t size)
{
    if (!wanted_folder(folder, size)) {
        return OTTER_NAME_TOO_LONG;
    }
    add_attempt(attempt, folder, size);
    if (strlen(folder) + 1 >= size) {
        return OTTER_NAME_TOO_LONG;
    }
    return make_parents(folder);
}

enum otter_status otter_host_output_file(const char *name, const char *extension, char *path,
                                         size_t size)
{
    if (!absolute(name, path, size)) {
        return OTTER_NAME_TOO_LONG;
    }
    size_t length = strlen(path), n_extension = strlen(extension);
    if (length > n_extension && strcmp(path + length - n_extension, extension) == 0) {
        path[length - n_extension] = '\0';
    }
    add_process(path, size, '.');
    length = strlen(path);
    if ((size_t)snprintf(path + length, size - length, "%s", extension) >= size - length) {
        return OTTER_NAME_TOO_LONG;
    }
    return make_parents(path);
}

const char *otter_host_short_path(const char *path)
{
    size_t length = strlen(working_folder);
    bool is_below = length > 1 && strncmp(path, working_folder, length) == 0 && path[length] == '/';
    return is_below ? path + length + 1 : path;
}

static bool is_on_one_of(const char *folder, const uint32_t *types, size_t n)
{
    struct statfs about;
    if (statfs(folder, &about) < 0) {
        return true;
    }
    for (size_t i = 0; i < n; i++) {
        if ((uint32_t)about.f_type == types[i]) {
            return true;
        }
    }
    return false;
}

bool otter_host_copies_on_write(const char *folder)
{
    static const uint32_t copying[] = {
        0x9123683e, // btrfs
        0x2fc12fc1, // ZFS
        0xca451a4e, // bcachefs
        0x00003434, // NILFS2
    };
    return is_on_one_of(folder, copying, sizeof(copying) / sizeof(copying[0]));
}

bool otter_host_may_map(const char *folder)
{
    static const uint32_t shared[] = {
        0x6969,     // NFS
        0x517b,     // SMB
        0xff534d42, // CIFS
        0xfe534d42, // SMB 2
        0x0bd00bd0, // Lustre
        0x47504653, // GPFS
        0x19830326, // BeeGFS
        0x00c36400, // Ceph
        0x01021997, // 9p
        0x5346414f, // AFS
        0x65735546, // FUSE
        0x7461636f, // OCFS2
        0x01161970, // GFS2
    };
    return !otter_host_copies_on_write(folder) &&
           !is_on_one_of(folder, shared, sizeof(shared) / sizeof(shared[0]));
}
