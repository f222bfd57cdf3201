// Opens, reads, writes and copies files inside the traced program, without touching descriptors 0
// to 2.
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

#include "base/lock.h"

enum { N_STANDARD = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // protects n_holders and is_occupied
static unsigned n_holders;
static bool is_occupied[N_STANDARD];

// Caller holds `lock`. open() returns the lowest free descriptor; nobody can read or write an
// O_PATH descriptor.
static void occupy_closed(void)
{
    for (;;) {
        int place = open("/", O_PATH | O_CLOEXEC);
        if (place < 0) {
            return;
        }
        if (place >= N_STANDARD) {
            close(place);
            return;
        }
        is_occupied[place] = true;
    }
}

void otter_file_occupy_standard(void)
{
    struct otter_held_signals held;
    otter_lock(&lock, &held);
    n_holders++;
    occupy_closed();
    otter_unlock(&lock, &held);
}

// Caller holds `lock`. Closes O_PATH descriptors only: the program may have replaced them with its
// own files.
static void release_all(void)
{
    for (int i = 0; i < N_STANDARD; i++) {
        int flags = is_occupied[i] ? fcntl(i, F_GETFL) : -1;
        is_occupied[i] = false;
        if (flags >= 0 && (flags & O_PATH)) {
            close(i);
        }
    }
}

void otter_file_release_standard(void)
{
    struct otter_held_signals held;
    otter_lock(&lock, &held);
    if (n_holders > 0 && --n_holders == 0) { // already 0 if otter_file_forget ran in a child
        release_all();
    }
    otter_unlock(&lock, &held);
}

void otter_file_forget(void)
{
    pthread_mutex_init(&lock, NULL);
    n_holders = 0;
    release_all();
}

// Moves a descriptor below 3 to 3 or more. The program may close a standard file while
// otter_file_open runs.
static int move_up(int file)
{
    int moved = fcntl(file, F_DUPFD_CLOEXEC, N_STANDARD);
    int error = errno;
    close(file);
    errno = error;
    return moved;
}

int otter_file_open(const char *path, int flags)
{
    otter_file_occupy_standard();
    int file = open(path, flags | O_CLOEXEC | O_NOCTTY, 0666);
    if (file >= 0 && file < N_STANDARD) {
        file = move_up(file);
    }
    otter_file_release_standard();
    return file;
}

int otter_file_read(int file, void *to, size_t size, uint64_t offset, size_t *n_read)
{
    *n_read = 0;
    while (*n_read < size) {
        ssize_t n = pread(file, (char *)to + *n_read, size - *n_read, (off_t)(offset + *n_read));
        if (n == 0) {
            return 0;
        }
        if (n < 0 && errno != EINTR) {
            return errno;
        }
        *n_read += n > 0 ? (size_t)n : 0;
    }
    return 0;
}

size_t otter_file_read_text(const char *path, char *text, size_t size)
{
    size_t n = 0;
    int file = otter_file_open(path, O_RDONLY);
    if (file >= 0) {
        (void)otter_file_read(file, text, size - 1, 0, &n);
        close(file);
    }
    text[n] = '\0';
    return n;
}

int otter_file_write(int file, const void *data, size_t size, uint64_t offset)
{
    size_t n_written = 0;
    while (n_written < size) {
        ssize_t n = pwrite(file, (const char *)data + n_written, size - n_written,
                           (off_t)(offset + n_written));
        if (n == 0) {
            return ENOSPC;
        }
        if (n < 0 && errno != EINTR) {
            return errno;
        }
        n_written += n > 0 ? (size_t)n : 0;
    }
    return 0;
}

// Copies the first `size` bytes of `source`. Returns 0 or errno.
static int copy(int source, int target, uint64_t size)
{
    char buffer[16 * 1024];
    size_t n = 0;
    for (uint64_t at = 0; at < size; at += n) {
        size_t wanted = size - at < sizeof(buffer) ? (size_t)(size - at) : sizeof(buffer);
        int error = otter_file_read(source, buffer, wanted, at, &n);
        if (!error) {
            error = n < wanted ? EIO : otter_file_write(target, buffer, n, at);
        }
        if (error) {
            return error;
        }
    }
    return 0;
}

int otter_file_copy(const char *from, const char *to, uint64_t size)
{
    int source = otter_file_open(from, O_RDONLY | O_NOFOLLOW);
    if (source < 0) {
        return errno;
    }
    int target = otter_file_open(to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
    int error = target < 0 ? errno : copy(source, target, size);
    close(source);
    if (target >= 0 && close(target) < 0 && !error) {
        error = errno;
    }
    return error;
}
