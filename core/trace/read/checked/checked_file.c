// Passes only checked bytes of a file to OTF2.
#include "trace/read/checked/checked_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

enum { BUFFER_SIZE = 1 << 16 }; // the C library copies unbuffered streams byte by byte

struct checked {
    struct otter_chunks chunks; // chunk_size of an anchor file is the file's size
    struct otter_tick_range ticks;
    bool is_expected, is_anchor, has_ended;
    uint64_t n_left; // records that OTF2 will read
    int file;
    uint64_t position;   // position in the file of OTF2's next byte
    uint64_t begin;      // position in the file of the part in memory
    size_t n;            // bytes in memory; 0: none
    unsigned char *data; // room for a chunk
    char *buffer;        // the stream's buffer
};

static _Thread_local struct checked expected;

void otter_checked_begin(const struct otter_chunks *chunks, uint64_t n_records)
{
    expected = (struct checked){.chunks = *chunks, .is_expected = true, .n_left = n_records};
    if (chunks->ticks) {
        expected.ticks = *chunks->ticks;
    }
}

void otter_checked_begin_anchor(void)
{
    expected = (struct checked){.is_expected = true, .is_anchor = true};
}

void otter_checked_end(void)
{
    expected.is_expected = false;
}

// ---- the stream

static bool check_part(struct checked *checked)
{
    if (checked->is_anchor) {
        return otter_check_anchor(checked->data, checked->n) == OTTER_OK;
    }
    uint64_t n_whole;
    enum otter_status status =
        otter_check_chunk(&checked->chunks, checked->data, checked->n, checked->begin,
                          checked->n_left, &n_whole, &checked->has_ended);
    checked->n_left -= checked->n_left == UINT64_MAX ? 0 : n_whole;
    return status == OTTER_OK;
}

// Reads the part of the file that contains the position.
static bool load(struct checked *checked)
{
    uint64_t begin = checked->position - checked->position % checked->chunks.chunk_size;
    if (checked->n > 0 && checked->begin == begin) {
        return true;
    }
    checked->begin = begin;
    bool is_good = !checked->has_ended &&
                   otter_file_read(checked->file, checked->data, checked->chunks.chunk_size, begin,
                                   &checked->n) == 0 &&
                   check_part(checked);
    checked->n = is_good ? checked->n : 0;
    return is_good;
}

static ssize_t read_checked(void *cookie, char *to, size_t size)
{
    struct checked *checked = cookie;
    if (!load(checked)) {
        errno = EIO;
        return -1;
    }
    size_t from = (size_t)(checked->position - checked->begin);
    size_t n = from < checked->n ? checked->n - from : 0;
    n = n < size ? n : size;
    memcpy(to, checked->data + from, n);
    checked->position += n;
    return (ssize_t)n;
}

static int seek_checked(void *cookie, off64_t *offset, int whence)
{
    struct checked *checked = cookie;
    off64_t from = whence == SEEK_CUR ? (off64_t)checked->position : 0;
    if (whence == SEEK_END || from + *offset < 0) {
        errno = EINVAL;
        return -1;
    }
    *offset += from;
    checked->position = (uint64_t)*offset;
    return 0;
}

static int close_checked(void *cookie)
{
    struct checked *checked = cookie;
    int result = checked->file >= 0 ? close(checked->file) : 0;
    free(checked->data);
    free(checked->buffer);
    free(checked);
    return result;
}

// ---- instead of fopen

static bool prepare(struct checked *checked, const char *path)
{
    struct stat about;
    checked->file = otter_check_open(path, &about);
    if (checked->file < 0) {
        return false;
    }
    if (!S_ISREG(about.st_mode) || about.st_size == 0) {
        errno = EINVAL;
        return false;
    }
    checked->chunks.ticks = checked->chunks.ticks ? &checked->ticks : NULL;
    if (checked->is_anchor) {
        checked->chunks.chunk_size = (uint64_t)about.st_size;
    }
    checked->data = malloc(checked->chunks.chunk_size);
    checked->buffer = malloc(BUFFER_SIZE);
    return checked->data && checked->buffer;
}

static FILE *open_checked(const char *path)
{
    struct checked *checked = malloc(sizeof *checked);
    if (!checked) {
        return NULL;
    }
    *checked = expected;
    cookie_io_functions_t functions = {
        .read = read_checked, .seek = seek_checked, .close = close_checked};
    FILE *stream = prepare(checked, path) ? fopencookie(checked, "r", functions) : NULL;
    if (!stream) {
        close_checked(checked);
        return NULL;
    }
    setvbuf(stream, checked->buffer, _IOFBF, BUFFER_SIZE);
    return stream;
}

FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);

FILE *__wrap_fopen(const char *path, const char *mode)
{
    return expected.is_expected && mode[0] == 'r' ? open_checked(path) : __real_fopen(path, mode);
}
