// Limits the memory of a command, passes large arrays to base/large/large.h, and ends a command
// that gets no memory.
#include "cli/request/memory.h"

#include <dirent.h>
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>
#include <libdeflate.h>

#include "analysis/job/each_rank.h"
#include "base/large/large.h"
#include "base/exit_status.h"
#include "base/free.h"
#include "base/large/large_file.h"
#include "base/log.h"
#include "base/output/unfinished.h"
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

// ---- the end of a command without memory

static bool ends_without_memory;

void otter_memory_begin(void)
{
    ends_without_memory = true;
    json_set_alloc_funcs(malloc, free);
    libdeflate_set_memory_allocator(malloc, free);
}

void otter_end_without_memory(size_t size)
{
    static atomic_flag has_ended = ATOMIC_FLAG_INIT;
    while (atomic_flag_test_and_set(&has_ended)) {
        pause(); // another thread ends the command
    }
    otter_log_hold(NULL);
    otter_large_file_explain(size);
    otter_error("not enough memory");
    otter_unfinished_remove();
    _exit(OTTER_EXIT_FAILED);
}

// ---- instead of malloc, calloc, realloc and free, and of functions that call them

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *items, size_t size);
void __real_free(void *items);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *items, size_t size);
void __wrap_free(void *items);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t size);
FILE *__wrap_open_memstream(char **text, size_t *size);
FILE *__real_fdopen(int file, const char *mode);
FILE *__wrap_fdopen(int file, const char *mode);
DIR *__real_opendir(const char *path);
DIR *__wrap_opendir(const char *path);

static void *needed(void *items, size_t size)
{
    if (!items && size > 0 && ends_without_memory) {
        otter_end_without_memory(size);
    }
    return items;
}

void *__wrap_malloc(size_t size)
{
    return needed(size < otter_large_least() ? __real_malloc(size) : otter_large_create(size),
                  size);
}

void *__wrap_calloc(size_t n, size_t size)
{
    bool is_large = size > 0 && n >= otter_large_least() / size && n <= SIZE_MAX / size;
    return needed(is_large ? otter_large_create(n * size) : __real_calloc(n, size),
                  n > 0 && size > SIZE_MAX / n ? SIZE_MAX : n * size);
}

void *__wrap_realloc(void *items, size_t size)
{
    if (otter_large_has(items)) {
        return needed(otter_large_resize(items, size > 0 ? size : 1), size);
    }
    if (size < otter_large_least()) {
        return needed(__real_realloc(items, size), size);
    }
    char *moved = otter_large_create(size);
    if (moved && items) {
        size_t old = malloc_usable_size(items);
        memcpy(moved, items, old < size ? old : size);
        __real_free(items);
    }
    return needed(moved, size);
}

void __wrap_free(void *items)
{
    if (!otter_large_destroy(items)) {
        __real_free(items);
    }
}

char *__wrap_strdup(const char *text)
{
    return needed(__real_strdup(text), 1);
}

char *__wrap_strndup(const char *text, size_t size)
{
    return needed(__real_strndup(text, size), 1);
}

// A text in memory. A stream of the C library would allocate without these functions as it grows.
struct text {
    char **text;
    size_t *size, room;
    char buffer[BUFSIZ]; // of the stream
};

static ssize_t write_text(void *stream, const char *bytes, size_t n)
{
    struct text *to = stream;
    size_t needs = *to->size + n + 1;
    if (needs > to->room) {
        size_t room = needs > to->room * 2 ? needs : to->room * 2;
        char *longer = realloc(*to->text, room);
        if (!longer) {
            return 0;
        }
        *to->text = longer;
        to->room = room;
    }
    memcpy(*to->text + *to->size, bytes, n);
    *to->size += n;
    (*to->text)[*to->size] = '\0';
    return (ssize_t)n;
}

static int close_text(void *stream)
{
    free(stream);
    return 0;
}

FILE *__wrap_open_memstream(char **text, size_t *size)
{
    struct text *to = malloc(sizeof *to);
    *text = calloc(1, 1);
    *size = 0;
    FILE *stream =
        to && *text ? fopencookie(to, "w",
                                  (cookie_io_functions_t){.write = write_text, .close = close_text})
                    : NULL;
    if (!needed(stream, 1)) {
        OTTER_FREE(to, *text);
        return NULL;
    }
    *to = (struct text){.text = text, .size = size, .room = 1};
    setvbuf(stream, to->buffer, _IOFBF, sizeof to->buffer);
    return stream;
}

FILE *__wrap_fdopen(int file, const char *mode)
{
    FILE *stream = __real_fdopen(file, mode);
    return needed(stream, !stream && errno == ENOMEM);
}

DIR *__wrap_opendir(const char *path)
{
    DIR *entries = __real_opendir(path);
    return needed(entries, !entries && errno == ENOMEM);
}
