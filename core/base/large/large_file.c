// Creates the files that contain large arrays, and reports their failures.
#include "base/large/large_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/large/available.h"
#include "base/log.h"

static struct {
    const char *archive; // folder of the archive, or NULL
    uint64_t needed;     // estimate of the bytes that the command needs; 0: not known
    const char *folder;  // folder in which files are created; NULL: not chosen yet
    atomic_bool is_announced, has_failed;
} files;

void otter_large_file_expect(const char *folder, uint64_t bytes)
{
    files.archive = folder;
    files.needed = bytes;
}

// ---- the folder

// Returns whether the folder's file system keeps its files in memory, or is unknown.
static bool is_in_memory(const char *folder)
{
    struct statfs system;
    return statfs(folder, &system) < 0 || system.f_type == TMPFS_MAGIC ||
           system.f_type == RAMFS_MAGIC || system.f_type == HUGETLBFS_MAGIC;
}

// Returns a new file of `folder` that has no name, or -1 and errno.
static int create_file(const char *folder)
{
    int file = open(folder, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
    if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT)) {
        return file;
    }
    char path[4096];
    if (snprintf(path, sizeof path, "%s/.otter-XXXXXX", folder) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    file = mkostemp(path, O_CLOEXEC);
    if (file >= 0) {
        unlink(path);
    }
    return file;
}

static uint64_t free_bytes(const char *folder)
{
    struct statvfs system;
    return statvfs(folder, &system) == 0 ? (uint64_t)system.f_bavail * system.f_frsize : 0;
}

static bool is_suitable(const char *folder)
{
    enum { MIN_FREE = 1 << 20 };
    if (!folder || !*folder || is_in_memory(folder) || free_bytes(folder) < MIN_FREE) {
        return false;
    }
    int file = create_file(folder);
    if (file >= 0) {
        close(file);
    }
    return file >= 0;
}

const char *otter_large_file_folder(uint64_t *free)
{
    const char *candidates[] = {getenv("TMPDIR"), "/var/tmp", files.archive};
    for (size_t i = 0; !files.folder && i < sizeof candidates / sizeof *candidates; i++) {
        files.folder = is_suitable(candidates[i]) ? candidates[i] : NULL;
    }
    *free = files.folder ? free_bytes(files.folder) : 0;
    return files.folder;
}

// ---- messages

enum { SIZE_TEXT = 32 };

// Writes "20 MiB" or "1.5 GiB" into `text`, and returns it.
static const char *size_text(uint64_t bytes, char text[SIZE_TEXT])
{
    const uint64_t mib = UINT64_C(1) << 20, gib = UINT64_C(1) << 30;
    if (bytes < gib) {
        snprintf(text, SIZE_TEXT, "%" PRIu64 " MiB", (bytes + mib - 1) / mib);
    } else {
        snprintf(text, SIZE_TEXT, "%.1f GiB", (double)bytes / (double)gib);
    }
    return text;
}

void otter_large_file_announce(uint64_t memory)
{
    uint64_t free;
    char needed[SIZE_TEXT], available[SIZE_TEXT], room[SIZE_TEXT];
    const char *folder = files.is_announced ? NULL : otter_large_file_folder(&free);
    files.is_announced = true;
    if (folder && files.needed > memory) {
        otter_note("'%s' needs about %s of memory, but only %s is available: large arrays are "
                   "stored in files in '%s' (%s free), which is slower",
                   files.archive, size_text(files.needed, needed), size_text(memory, available),
                   folder, size_text(free, room));
    } else if (folder) {
        otter_note("the archive needs more memory than the %s available: large arrays are "
                   "stored in files in '%s' (%s free), which is slower",
                   size_text(memory, available), folder, size_text(free, room));
    }
}

static void complain_once(const char *doing, int error)
{
    if (files.has_failed) {
        return;
    }
    files.has_failed = true;
    otter_error("cannot %s a file for large arrays in '%s': %s (set TMPDIR to another folder)",
                doing, files.folder, strerror(error));
}

bool otter_large_file_explain(size_t size)
{
    const uint64_t least = 1 << 20; // the C library asks for more than `size`
    uint64_t needed = size > least ? size : least;
    bool has_no_addresses = otter_available_addresses() < needed;
    bool has_no_data = !has_no_addresses && otter_available_data() < needed;
    if ((has_no_addresses || has_no_data) && !files.has_failed) {
        files.has_failed = true;
        otter_error("%s", has_no_addresses
                              ? "the limit on address space is too small, even with large "
                                "arrays in files: raise it (ulimit -v)"
                              : "the limit on the data segment is too small: raise it "
                                "(ulimit -d), or use a smaller --max-memory");
    }
    return has_no_addresses || has_no_data;
}

// The kernel sends SIGBUS when it cannot read or write a page of a file.
static void on_bus_error(int signal)
{
    (void)signal;
    otter_error_prepared();
    _exit(1);
}

// ---- files

int otter_large_file_open(uint64_t memory)
{
    uint64_t free;
    char available[SIZE_TEXT];
    if (!otter_large_file_folder(&free)) {
        if (!files.has_failed) {
            otter_error("the archive needs more memory than the %s available, and no folder has "
                        "room for the rest (set TMPDIR to a folder on a disk)",
                        size_text(memory, available));
        }
        files.has_failed = true;
        return -1;
    }
    otter_large_file_announce(memory);
    otter_error_prepare(
        "the disk of '%s', which holds large arrays, failed (set TMPDIR to another folder)",
        files.folder);
    (void)signal(SIGBUS, on_bus_error);
    (void)signal(SIGXFSZ, SIG_IGN);
    int file = create_file(files.folder);
    if (file < 0) {
        complain_once("create", errno);
    }
    return file;
}

bool otter_large_file_reserve(int file, uint64_t offset, uint64_t size)
{
    const uint64_t step = UINT64_C(1) << 30; // a signal interrupts only one step
    int error = 0;
    for (uint64_t done = 0; done < size && !error; done += error ? 0 : step) {
        uint64_t part = size - done < step ? size - done : step;
        do {
            error = posix_fallocate(file, (off_t)(offset + done), (off_t)part);
        } while (error == EINTR);
    }
    if (error) {
        complain_once("extend", error);
    }
    return error == 0;
}
