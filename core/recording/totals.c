// The file of region totals: blocks while recording, sums at the end.
#include "recording/totals.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/lock.h"
#include "base/path.h"
#include "trace/schema.h"

enum { MAX_BLOCKS = 1 << 18 };

_Static_assert(sizeof(struct otter_total_block) <= OTTER_TOTAL_BLOCK_SIZE, "a block fits its room");

struct otter_total_file {
    pthread_mutex_t lock; // protects the members below and the creation of the file
    char *path;
    bool is_mapped;
    uint64_t n_blocks;   // blocks in the file, without those of `next`
    unsigned char *next; // unused blocks of a mapped page, if a page is larger than a block
    unsigned n_next;
};

struct otter_total_file *otter_total_file_create(const char *recording, bool is_mapped)
{
    struct otter_total_file *file = calloc(1, sizeof(*file));
    if (!file) {
        return NULL;
    }
    pthread_mutex_init(&file->lock, NULL);
    file->is_mapped = is_mapped;
    file->path = otter_path("%s/totals", recording);
    if (!file->path) {
        otter_total_file_destroy(file);
        return NULL;
    }
    return file;
}

void otter_total_file_destroy(struct otter_total_file *file)
{
    if (file) {
        pthread_mutex_destroy(&file->lock);
        free(file->path);
        free(file);
    }
}

// ---- blocks. No descriptor remains open, as for the journal

// Returns the number of blocks in a page.
static unsigned blocks_of_page(void)
{
    return (unsigned)(((uint64_t)sysconf(_SC_PAGESIZE) - 1) / OTTER_TOTAL_BLOCK_SIZE + 1);
}

// Caller holds file->lock.
static void *map_page(struct otter_total_file *file, unsigned n)
{
    size_t size = (size_t)n * OTTER_TOTAL_BLOCK_SIZE;
    void *page = MAP_FAILED;
    off_t offset = (off_t)(file->n_blocks * OTTER_TOTAL_BLOCK_SIZE);
    int descriptor = otter_file_open(file->path, O_RDWR | O_CREAT | O_NOFOLLOW);
    if (descriptor < 0) {
        return MAP_FAILED;
    }
    if (posix_fallocate(descriptor, offset, (off_t)size) == 0) {
        page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, offset);
    }
    close(descriptor);
    return page;
}

// Caller holds file->lock.
static void *map_file(struct otter_total_file *file)
{
    unsigned n = blocks_of_page();
    if (file->n_next == 0) {
        void *page = file->n_blocks + n > MAX_BLOCKS ? MAP_FAILED : map_page(file, n);
        if (page == MAP_FAILED) {
            return MAP_FAILED;
        }
        file->next = page;
        file->n_next = n;
        file->n_blocks += n;
    }
    void *block = file->next;
    file->next += OTTER_TOTAL_BLOCK_SIZE;
    file->n_next--;
    return block;
}

static void *map_block(struct otter_total_file *file)
{
    if (!file->is_mapped) {
        return mmap(NULL, OTTER_TOTAL_BLOCK_SIZE, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    }
    struct otter_held_signals held;
    otter_lock(&file->lock, &held);
    void *block = map_file(file);
    otter_unlock(&file->lock, &held);
    return block;
}

struct otter_total_block *otter_total_file_add(struct otter_total_file *file, uint32_t location,
                                               uint32_t first_region)
{
    struct otter_total_block *block = map_block(file);
    if (block == MAP_FAILED) {
        return NULL;
    }
    block->location = location;
    block->first_region = first_region;
    block->magic = OTTER_TOTAL_MAGIC;
    return block;
}

// Caller holds file->lock.
static int append(struct otter_total_file *file, const struct otter_total_block *block)
{
    uint64_t offset = file->n_blocks * OTTER_TOTAL_BLOCK_SIZE;
    int descriptor = otter_file_open(file->path, O_WRONLY | O_CREAT | O_NOFOLLOW);
    if (descriptor < 0) {
        return errno;
    }
    int error = otter_file_write(descriptor, block, sizeof(*block), offset);
    file->n_blocks += error == 0;
    return close(descriptor) < 0 && !error ? errno : error;
}

enum otter_status otter_total_file_save(struct otter_total_file *file,
                                        const struct otter_total_block *block)
{
    if (file->is_mapped) {
        return OTTER_OK;
    }
    struct otter_held_signals held;
    otter_lock(&file->lock, &held);
    int error = append(file, block);
    otter_unlock(&file->lock, &held);
    return otter_status_from_errno(error);
}

void otter_total_file_release(const struct otter_total_file *file, struct otter_total_block *block)
{
    if (!file->is_mapped || blocks_of_page() == 1) {
        munmap(block, OTTER_TOTAL_BLOCK_SIZE);
    }
}

// ---- the sum

struct sum {
    int file;
    uint64_t *last_times; // time of the last event of each location
    size_t n;
    struct otter_region_total *totals;
};

static void note_time(struct sum *sum, const struct otter_total_block *block)
{
    uint64_t *last = &sum->last_times[block->location];
    *last = block->last_time > *last ? block->last_time : *last;
}

static void add(struct sum *sum, const struct otter_total_block *block)
{
    uint64_t last = sum->last_times[block->location];
    for (size_t i = 0; i < OTTER_TOTALS_OF_BLOCK && block->first_region + i < sum->n; i++) {
        const struct otter_total *from = &block->totals[i];
        struct otter_region_total *to = &sum->totals[block->first_region + i];
        bool is_open = from->n_open > 0 && last > from->open_since;
        to->n_visits += from->n_visits;
        to->exclusive += from->exclusive;
        to->inclusive += from->inclusive + (is_open ? last - from->open_since : 0);
    }
}

static enum otter_status for_each_block(struct sum *sum,
                                        void (*visit)(struct sum *sum,
                                                      const struct otter_total_block *block))
{
    struct otter_total_block block;
    for (uint64_t i = 0; i < MAX_BLOCKS; i++) {
        size_t n_read;
        int error =
            otter_file_read(sum->file, &block, sizeof(block), i * OTTER_TOTAL_BLOCK_SIZE, &n_read);
        if (error || n_read < sizeof(block)) {
            return otter_status_from_errno(error);
        }
        // A block that was being added when its process died has no magic.
        if (block.magic == OTTER_TOTAL_MAGIC && block.location < OTTER_END_OF_STREAMS) {
            visit(sum, &block);
        }
    }
    return OTTER_OK;
}

static enum otter_status sum_file(struct sum *sum)
{
    struct stat about;
    if (fstat(sum->file, &about) < 0) {
        return otter_status_from_errno(errno);
    }
    if (!S_ISREG(about.st_mode)) {
        return OTTER_BAD_ARCHIVE;
    }
    sum->last_times = calloc(OTTER_END_OF_STREAMS, sizeof(*sum->last_times));
    if (!sum->last_times) {
        return OTTER_NO_MEMORY;
    }
    enum otter_status status = for_each_block(sum, note_time);
    OTTER_THEN(status, for_each_block(sum, add));
    free(sum->last_times);
    return status;
}

enum otter_status otter_total_file_sum(const char *path, size_t n,
                                       struct otter_region_total *totals)
{
    // O_NONBLOCK: does not wait for a writer if the file is a pipe.
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (file < 0) {
        return otter_status_from_errno(errno);
    }
    struct sum sum = {.file = file, .n = n, .totals = totals};
    enum otter_status status = sum_file(&sum);
    close(file);
    return status;
}
