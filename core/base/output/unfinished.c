// Removes outputs that will not be completed.
#include "base/output/unfinished.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/path.h"

// ---- trees

struct entry { // the kernel's struct linux_dirent64
    uint64_t inode;
    int64_t offset;
    unsigned short length;
    unsigned char type;
    char name[];
};

static void remove_at(int around, const char *name, unsigned depth);

static bool is_inside(const char *name)
{
    return strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

// readdir() allocates memory, which a signal handler may not do.
static void remove_contents(int folder, unsigned depth)
{
    _Alignas(struct entry) char bytes[2048];
    for (long n; (n = syscall(SYS_getdents64, folder, bytes, sizeof bytes)) > 0;) {
        for (long at = 0; at < n;) {
            const struct entry *entry = (const struct entry *)(bytes + at);
            if (is_inside(entry->name)) {
                remove_at(folder, entry->name, depth);
            }
            at += entry->length;
        }
    }
}

static void remove_at(int around, const char *name, unsigned depth)
{
    enum { MAX_DEPTH = 16 }; // Otter's outputs have four levels at most
    // An empty folder is removed even if no descriptor is left to read it.
    if (unlinkat(around, name, 0) == 0 || unlinkat(around, name, AT_REMOVEDIR) == 0 ||
        depth == MAX_DEPTH) {
        return;
    }
    int folder = openat(around, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder >= 0) {
        remove_contents(folder, depth + 1);
        close(folder);
        unlinkat(around, name, AT_REMOVEDIR);
    }
}

void otter_tree_remove(const char *path)
{
    remove_at(AT_FDCWD, path, 0);
}

// ---- the list

enum { MAX_OUTPUTS = 16 };

static _Atomic(char *) outputs[MAX_OUTPUTS];

unsigned otter_unfinished_add(const char *path)
{
    char *copy = strdup(path);
    for (unsigned i = 0; copy && i < MAX_OUTPUTS; i++) {
        char *none = NULL;
        if (atomic_compare_exchange_strong(&outputs[i], &none, copy)) {
            return i + 1;
        }
    }
    free(copy);
    return 0;
}

void otter_unfinished_forget(unsigned number)
{
    if (number > 0) {
        free(atomic_exchange(&outputs[number - 1], NULL));
    }
}

void otter_unfinished_remove(void)
{
    for (size_t i = 0; i < MAX_OUTPUTS; i++) {
        if (outputs[i]) {
            otter_tree_remove(outputs[i]);
        }
    }
}

// ---- signals

void otter_unfinished_each_signal(void (*use)(int signal))
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        use(signals[i]);
    }
}

static sigset_t ending;

static void add_signal(int signal)
{
    sigaddset(&ending, signal);
}

void otter_unfinished_hold(void)
{
    sigemptyset(&ending);
    otter_unfinished_each_signal(add_signal);
    sigprocmask(SIG_BLOCK, &ending, NULL);
}

void otter_unfinished_release(void)
{
    sigprocmask(SIG_UNBLOCK, &ending, NULL);
}

// ---- leftovers of killed commands

int otter_unfinished_lock(const char *path, bool *is_lost)
{
    struct stat about;
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    *is_lost = file < 0 && errno == ENOENT;
    if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) != 0) {
        *is_lost = errno == EWOULDBLOCK;
        close(file);
        return -1;
    }
    *is_lost |= file >= 0 && fstat(file, &about) == 0 && about.st_nlink == 0;
    return file;
}

// Returns whether the name is "stem.NUMBER.part".
static bool is_leftover(const char *name, const char *stem)
{
    size_t length = strlen(stem);
    if (strncmp(name, stem, length) != 0 || name[length] != '.') {
        return false;
    }
    const char *number = name + length + 1;
    size_t n = strspn(number, "0123456789");
    return n > 0 && strcmp(number + n, ".part") == 0;
}

static void remove_leftover(int around, const char *name)
{
    struct stat about;
    int file = openat(around, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0) {
        return;
    }
    if (fstat(file, &about) == 0 && about.st_uid == geteuid() &&
        (S_ISREG(about.st_mode) || S_ISDIR(about.st_mode)) && flock(file, LOCK_EX | LOCK_NB) == 0) {
        remove_at(around, name, 0);
    }
    close(file);
}

void otter_unfinished_remove_leftovers(const char *path)
{
    char *around = otter_path_folder(path);
    DIR *entries = around ? opendir(around) : NULL;
    for (struct dirent *entry; entries && (entry = readdir(entries)) != NULL;) {
        if (is_leftover(entry->d_name, otter_path_file(path))) {
            remove_leftover(dirfd(entries), entry->d_name);
        }
    }
    if (entries) {
        closedir(entries);
    }
    free(around);
}
