// The files of one location while it is recorded, and the states that decide who may write.
#include "recording/event_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "trace/event_chunk.h"

#ifndef MREMAP_DONTUNMAP // before glibc 2.32
#define MREMAP_DONTUNMAP 4
#endif

enum { SEAL_ROOM = 4096 }; // bytes for the end of the file and the ends of open constructs

// Each change is a compare-exchange, so either the recording thread or the closing thread succeeds.
enum life {
    LIFE_OPEN = 0,  // the thread writes into the chunk; no file is open
    LIFE_STORING,   // the thread writes the chunk to a file
    LIFE_CLOSING,   // the thread is outside any call; the closing thread owns chunk and files
    LIFE_ABANDONED, // the thread is inside a call but reaches no file; the closing thread owns them
};

struct otter_event_file {
    _Atomic enum life life;
    char *path, *chunk_path;
    size_t chunk_size;
    uint64_t length; // bytes in the event file
    void *chunk;
    bool is_mapped;
    bool is_saved; // the chunk is held in memory, and its first part was written to its file
};

// No descriptor stays open between calls, since some programs close or count all descriptors.

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

// Reserves blocks before mapping, since a store into a hole would raise SIGBUS on a full disk.
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

static bool pass(struct otter_event_file *file, enum life from, enum life to)
{
    return atomic_compare_exchange_strong(&file->life, &from, to);
}

// Opens the file by its name while the location is open, then calls `storing` with the descriptor.
// From then on, a thread that abandons the location may give the names to other files.
static enum otter_status store(struct otter_event_file *file, const char *path, int flags,
                               int (*storing)(struct otter_event_file *file, int descriptor))
{
    if (atomic_load(&file->life) != LIFE_OPEN) {
        return OTTER_BUSY;
    }
    int descriptor = otter_file_open(path, O_WRONLY | O_NOFOLLOW | flags);
    if (descriptor < 0) {
        int error = errno;
        return atomic_load(&file->life) == LIFE_OPEN ? otter_status_from_errno(error) : OTTER_BUSY;
    }
    if (!pass(file, LIFE_OPEN, LIFE_STORING)) {
        close(descriptor);
        return OTTER_BUSY;
    }
    int error = storing(file, descriptor);
    error = close(descriptor) < 0 && !error ? errno : error;
    return pass(file, LIFE_STORING, LIFE_OPEN) ? otter_status_from_errno(error) : OTTER_BUSY;
}

static int append(struct otter_event_file *file, int descriptor)
{
    int error = otter_file_write(descriptor, file->chunk, file->chunk_size, file->length);
    if (error && ftruncate(descriptor, (off_t)file->length) < 0) {
        error = errno; // a torn chunk remains, which sealing ignores
    }
    return error;
}

// Returns whether the limit on file sizes allows the full chunk and the next one.
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
    void *memory = file->chunk; // if the location is abandoned meanwhile, others read file->chunk
    int create = file->length == 0 ? O_CREAT | O_EXCL : 0;
    enum otter_status status = store(file, file->path, create, append);
    if (status) {
        return status;
    }
    file->length += file->chunk_size;
    memset(memory, 0, file->chunk_size);
    file->is_saved = false;
    *chunk = memory;
    return OTTER_OK;
}

bool otter_event_file_close(struct otter_event_file *file)
{
    return pass(file, LIFE_OPEN, LIFE_CLOSING) || atomic_load(&file->life) == LIFE_CLOSING;
}

// Takes the pages of the chunk away from the thread, which stores into others from then on. A store
// beyond the end of a truncated file would raise SIGBUS. Pages of memory stay if Linux is older
// than 5.7, so that a record which the thread is storing may be saved in part.
static int detach_chunk(struct otter_event_file *file)
{
    if (!file->chunk) {
        return 0;
    }
    if (!file->is_mapped) {
        void *pages = mremap(file->chunk, file->chunk_size, file->chunk_size,
                             MREMAP_MAYMOVE | MREMAP_DONTUNMAP, NULL);
        file->chunk = pages == MAP_FAILED ? file->chunk : pages;
        return 0;
    }
    void *memory = mmap(file->chunk, file->chunk_size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    return memory == MAP_FAILED ? errno : 0;
}

// Replaces the files that the thread may still write to with copies of their complete chunks. The
// chunk in memory is complete and no longer changes.
static int replace_files(const struct otter_event_file *file)
{
    if (!file->is_mapped && unlink(file->chunk_path) < 0 && errno != ENOENT) {
        return errno;
    }
    if (file->length == 0) {
        return unlink(file->path) < 0 && errno != ENOENT ? errno : 0;
    }
    char *copy = otter_path("%s.copy", file->path);
    if (!copy) {
        return ENOMEM;
    }
    int error = otter_file_copy(file->path, copy, file->length);
    if (!error && rename(copy, file->path) < 0) {
        error = errno;
    }
    if (error) {
        unlink(copy);
    }
    free(copy);
    return error;
}

enum otter_status otter_event_file_abandon(struct otter_event_file *file)
{
    for (;;) {
        if (pass(file, LIFE_OPEN, LIFE_ABANDONED)) {
            return otter_status_from_errno(detach_chunk(file));
        }
        if (pass(file, LIFE_STORING, LIFE_ABANDONED)) {
            return otter_status_from_errno(replace_files(file));
        }
        enum life life = atomic_load(&file->life);
        if (life == LIFE_CLOSING || life == LIFE_ABANDONED) {
            return OTTER_OK;
        }
    }
}

static int save(struct otter_event_file *file, int descriptor)
{
    uint64_t n_events, last_time = 0;
    size_t used = otter_event_chunk_used(file->chunk, file->chunk_size, &n_events, &last_time);
    // The file may hold the start of this chunk, which is still valid, or the previous chunk.
    int error = file->is_saved || ftruncate(descriptor, 0) == 0 ? 0 : errno;
    file->is_saved = true;
    return error ? error : otter_file_write(descriptor, file->chunk, used, 0);
}

enum otter_status otter_event_file_flush_chunk(struct otter_event_file *file)
{
    return file->is_mapped || !file->chunk ? OTTER_OK
                                           : store(file, file->chunk_path, O_CREAT, save);
}

// `life` of a closing or abandoned location no longer changes.
enum otter_status otter_event_file_save_chunk(struct otter_event_file *file)
{
    enum life life = atomic_load(&file->life);
    if (life == LIFE_OPEN || life == LIFE_STORING) {
        return OTTER_BUSY;
    }
    if (file->is_mapped || !file->chunk) {
        return OTTER_OK;
    }
    int descriptor = otter_file_open(file->chunk_path, O_WRONLY | O_CREAT | O_NOFOLLOW);
    if (descriptor < 0) {
        return otter_status_from_errno(errno);
    }
    int error = save(file, descriptor);
    error = close(descriptor) < 0 && !error ? errno : error;
    return otter_status_from_errno(error);
}
