#include "base/file.h"

#include <errno.h>
#include <unistd.h>

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
