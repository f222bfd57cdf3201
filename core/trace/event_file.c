#include "trace/event_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"

enum { SEAL_ROOM = 4096 }; // for the end of a file, and the ends of what its thread had open

struct otter_event_file {
    char *path, *chunk_path;
    size_t chunk_size;
    uint64_t length; // of the event file
    void *chunk;
    bool is_mapped;
    bool is_saved; // of a chunk that is memory, its beginning
};

// ---- writing. No descriptor is kept: programs that close all they find would close ours, and those that count theirs would miscount.

struct otter_event_file *otter_event_file_create(const char *folder, uint32_t location,
                                                 size_t chunk_size, bool is_mapped)
{
    struct otter_event_file *file = calloc(1, sizeof(*file));
    if (!file) {
        return NULL;
    }
    file->path = otter_path("%s/%" PRIu32 ".evt", folder, location);
    file->chunk_path = otter_path("%s/%" PRIu32 ".chunk", folder, location);
    file->chunk_size = chunk_size;
    file->is_mapped = is_mapped;
    if (!file->path || !file->chunk_path) {
        otter_event_file_destroy(file);
        return NULL;
    }
    return file;
}

void otter_event_file_destroy(struct otter_event_file *file)
{
    if (!file) {
        return;
    }
    if (file->chunk) {
        munmap(file->chunk, file->chunk_size);
    }
    free(file->path);
    free(file->chunk_path);
    free(file);
}

// Blocks are reserved before they are mapped: a store into a hole of a full disk would be SIGBUS.
static int map_file(const struct otter_event_file *file, void **chunk)
{
    int descriptor = otter_file_open(file->chunk_path, O_RDWR | O_CREAT | O_EXCL);
    if (descriptor < 0) {
        return errno;
    }
    int error = posix_fallocate(descriptor, 0, (off_t)file->chunk_size);
    if (!error) {
        *chunk = mmap(NULL, file->chunk_size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
        error = *chunk == MAP_FAILED ? errno : 0;
    }
    close(descriptor);
    return error;
}

static int map_memory(const struct otter_event_file *file, void **chunk)
{
    *chunk =
        mmap(NULL, file->chunk_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return *chunk == MAP_FAILED ? errno : 0;
}

static int write_file(const char *path, int flags, const void *data, size_t size, uint64_t offset)
{
    int descriptor = otter_file_open(path, O_WRONLY | O_NOFOLLOW | flags);
    if (descriptor < 0) {
        return errno;
    }
    int error = otter_file_write(descriptor, data, size, offset);
    if (error && ftruncate(descriptor, (off_t)offset) < 0) {
        error = errno; // a torn chunk stays behind; whoever seals the file passes over it
    }
    return close(descriptor) < 0 && !error ? errno : error;
}

// The chunk that is asked for will be appended one day.
static bool may_grow(const struct otter_event_file *file)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) < 0 || limit.rlim_cur == RLIM_INFINITY ||
           file->length + 2 * file->chunk_size + SEAL_ROOM <= limit.rlim_cur;
}

static enum otter_status first_chunk(struct otter_event_file *file, void **chunk)
{
    void *made = NULL;
    int error = file->is_mapped ? map_file(file, &made) : map_memory(file, &made);
    if (error) {
        return otter_status_from_errno(error);
    }
    file->chunk = made;
    *chunk = made;
    return OTTER_OK;
}

enum otter_status otter_event_file_next_chunk(struct otter_event_file *file, void **chunk)
{
    if (!file->chunk) {
        return first_chunk(file, chunk);
    }
    if (!may_grow(file)) {
        return OTTER_NO_SPACE;
    }
    int create = file->length == 0 ? O_CREAT | O_EXCL : 0;
    int error = write_file(file->path, create, file->chunk, file->chunk_size, file->length);
    if (error) {
        return otter_status_from_errno(error);
    }
    file->length += file->chunk_size;
    memset(file->chunk, 0, file->chunk_size);
    file->is_saved = false;
    *chunk = file->chunk;
    return OTTER_OK;
}

// Behind the end of a file that was cut a store would be SIGBUS.
void otter_event_file_let_go(struct otter_event_file *file)
{
    if (file->is_mapped && file->chunk) {
        void *memory = mmap(file->chunk, file->chunk_size, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        (void)memory; // without any, the file stays where it is
    }
}

enum otter_status otter_event_file_save_chunk(struct otter_event_file *file)
{
    if (file->is_mapped || !file->chunk) {
        return OTTER_OK;
    }
    uint64_t n_events, last_time = 0;
    size_t used = otter_event_chunk_used(file->chunk, file->chunk_size, &n_events, &last_time);
    // A chunk only grows: what is there of it holds, whatever comes. What is there of the one before is in the event file.
    int flags = O_WRONLY | O_CREAT | O_NOFOLLOW | (file->is_saved ? 0 : O_TRUNC);
    int descriptor = otter_file_open(file->chunk_path, flags);
    if (descriptor < 0) {
        return otter_status_from_errno(errno);
    }
    file->is_saved = true;
    int error = otter_file_write(descriptor, file->chunk, used, 0);
    error = close(descriptor) < 0 && !error ? errno : error;
    return otter_status_from_errno(error);
}
