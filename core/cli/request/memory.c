// Limits the memory of a command, and passes large arrays to base/large/large.h.
#include "cli/request/memory.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/job/each_rank.h"
#include "base/large/large.h"
#include "base/large/large_file.h"
#include "base/log.h"
#include "base/settings.h"

bool otter_set_memory(const char *text)
{
    const uint64_t least = 1 << 20;
    uint64_t bytes;
    if (!otter_settings_parse_size(text, &bytes) || bytes < least) {
        otter_error("--max-memory takes a size from 1M on, such as 4G, not '%s'", text);
        return false;
    }
    otter_large_set_memory(bytes);
    return true;
}

void otter_announce_memory(const struct otter_archive *archive, enum otter_memory_need need)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    uint64_t n_events = 0, few = 1 << 20;
    if (otter_has_ranks(archive)) {
        n_events = otter_ranks_most_events(archive);
    }
    for (size_t i = 0; i < definitions->n_locations && !otter_has_ranks(archive); i++) {
        n_events += definitions->locations[i].n_events;
    }
    otter_large_file_expect(definitions->folder, n_events * need);
    if (n_events > few && n_events * need > otter_large_memory()) {
        otter_large_file_announce(otter_large_memory());
    }
}

// ---- instead of malloc, calloc, realloc and free

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *items, size_t size);
void __real_free(void *items);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *items, size_t size);
void __wrap_free(void *items);

// Names the limit that refused the memory. Printing the message needs no memory.
static void *explained(void *items, size_t size)
{
    if (!items && size > 0) {
        otter_large_file_explain(size);
        errno = ENOMEM;
    }
    return items;
}

void *__wrap_malloc(size_t size)
{
    return explained(size < otter_large_least() ? __real_malloc(size) : otter_large_create(size),
                     size);
}

void *__wrap_calloc(size_t n, size_t size)
{
    bool is_large = size > 0 && n >= otter_large_least() / size && n <= SIZE_MAX / size;
    return explained(is_large ? otter_large_create(n * size) : __real_calloc(n, size), n * size);
}

void *__wrap_realloc(void *items, size_t size)
{
    if (otter_large_has(items)) {
        return explained(otter_large_resize(items, size > 0 ? size : 1), size);
    }
    if (size < otter_large_least()) {
        return explained(__real_realloc(items, size), size);
    }
    char *moved = otter_large_create(size);
    if (moved && items) {
        size_t old = malloc_usable_size(items);
        memcpy(moved, items, old < size ? old : size);
        __real_free(items);
    }
    return explained(moved, size);
}

void __wrap_free(void *items)
{
    if (!otter_large_destroy(items)) {
        __real_free(items);
    }
}
