// Bytes, files and folders for the fuzz targets.
#include "fuzz.h"

#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[PATH_MAX];

void fuzz_expect(bool holds, const char *rule)
{
    if (!holds) {
        fprintf(stderr, "broken: %s\n", rule);
        abort();
    }
}

uint8_t fuzz_byte(struct fuzz_bytes *bytes)
{
    if (bytes->n == 0) {
        return 0;
    }
    bytes->n--;
    return *bytes->at++;
}

uint64_t fuzz_number(struct fuzz_bytes *bytes, unsigned n_bytes)
{
    uint64_t number = 0;
    for (unsigned i = 0; i < n_bytes; i++) {
        number |= (uint64_t)fuzz_byte(bytes) << (8 * i);
    }
    return number;
}

struct fuzz_bytes fuzz_take(struct fuzz_bytes *bytes, size_t n)
{
    struct fuzz_bytes taken = {bytes->at, n < bytes->n ? n : bytes->n};
    bytes->at += taken.n;
    bytes->n -= taken.n;
    return taken;
}

static void remove_folder(void)
{
    fuzz_remove(folder);
}

const char *fuzz_folder(void)
{
    if (!*folder) {
        const char *above = getenv("TMPDIR");
        above = above ? above : access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
        snprintf(folder, sizeof(folder), "%s/otter-fuzz.XXXXXX", above);
        fuzz_expect(mkdtemp(folder) != NULL, "a folder can be made");
        atexit(remove_folder);
    }
    return folder;
}

const char *fuzz_path(const char *format, ...)
{
    static char paths[4][PATH_MAX];
    static unsigned next;
    char *path = paths[next++ % 4];
    int n = snprintf(path, PATH_MAX, "%s/", fuzz_folder());
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(path + n, PATH_MAX - (size_t)n, format, arguments);
    va_end(arguments);
    return path;
}

void fuzz_write(const char *path, const void *data, size_t size)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    fuzz_expect(file >= 0 && write(file, data, size) == (ssize_t)size, "a file can be written");
    close(file);
}

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    return remove(path);
}

void fuzz_remove(const char *path)
{
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}
