// Writes the journal. Lines are stored in a mapped file, or each line is written immediately.
#include "recording/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "base/lock.h"

// GROWTH is a multiple of every page size, 4 to 64 KiB, since the kernel maps only whole pages.
enum { GROWTH = 256 * 1024, MAX_LINE = 16384 };

struct otter_journal {
    pthread_mutex_t lock;
    char *path;
    bool is_mapped;                      // if false, each line is written immediately
    struct otter_journal_header *header; // this page remains mapped
    char *piece;                         // if mapped: the last GROWTH bytes of the file
    uint64_t piece_begin, piece_end;     // offsets in the file
    char line[MAX_LINE];
};

// No descriptor stays open between calls, since some programs close or count all descriptors.
static int map_piece(const char *path, off_t offset, size_t size, void **piece)
{
    int file = otter_file_open(path, O_RDWR | O_NOFOLLOW);
    if (file < 0) {
        return errno;
    }
    struct otter_held_signals signals;
    otter_signals_hold(&signals);
    int error = posix_fallocate(file, offset, (off_t)size);
    otter_signals_release(&signals);
    if (error == 0) {
        *piece = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, offset);
        error = *piece == MAP_FAILED ? errno : 0;
    }
    close(file);
    return error;
}

static int map_next_piece(struct otter_journal *journal)
{
    uint64_t begin = journal->piece_end;
    void *piece = NULL;
    int error = map_piece(journal->path, (off_t)begin, GROWTH, &piece);
    if (error) {
        return error;
    }
    if (journal->piece) {
        munmap(journal->piece, GROWTH);
    }
    journal->piece = piece;
    journal->piece_begin = begin;
    journal->piece_end = begin + GROWTH;
    return 0;
}

static int create_file(const char *path)
{
    int file = otter_file_open(path, O_WRONLY | O_NOFOLLOW | O_CREAT | O_EXCL);
    if (file < 0) {
        return errno;
    }
    int error = ftruncate(file, OTTER_JOURNAL_TEXT_OFFSET) < 0 ? errno : 0;
    return close(file) < 0 && !error ? errno : error;
}

static int map_file(struct otter_journal *journal)
{
    void *header = NULL;
    int error = map_piece(journal->path, 0, OTTER_JOURNAL_TEXT_OFFSET, &header);
    if (!error) {
        journal->header = header;
        error = map_next_piece(journal); // contains the header, too
    }
    return error;
}

// Returns whether the mapping was refused by a file system without shared mappings, or by a system
// call filter.
static bool is_refusal(int error)
{
    return error == EPERM || error == EACCES || error == EINVAL || error == ENODEV ||
           error == EOPNOTSUPP || error == ENOSYS;
}

// Uses a private page for the header. If possible, the page is a private mapping of the file, so
// that /proc/<pid>/maps shows that this process records. Otherwise header->is_hidden is set.
static int use_memory(struct otter_journal *journal)
{
    int file = otter_file_open(journal->path, O_RDONLY | O_NOFOLLOW);
    void *page = MAP_FAILED;
    if (file >= 0) {
        page = mmap(NULL, OTTER_JOURNAL_TEXT_OFFSET, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
        close(file);
    }
    bool is_hidden = page == MAP_FAILED;
    if (is_hidden) {
        page = mmap(NULL, OTTER_JOURNAL_TEXT_OFFSET, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    }
    if (page == MAP_FAILED) {
        return errno;
    }
    if (journal->header) {
        munmap(journal->header, OTTER_JOURNAL_TEXT_OFFSET);
    }
    journal->header = page;
    journal->header->is_hidden = is_hidden;
    return 0;
}

static int open_file(struct otter_journal *journal, bool is_mapped)
{
    int error = create_file(journal->path);
    if (error) {
        return error;
    }
    error = is_mapped ? map_file(journal) : 0;
    journal->is_mapped = is_mapped && !error;
    if (!journal->is_mapped && (!error || is_refusal(error))) {
        error = use_memory(journal);
    }
    return error;
}

enum otter_status otter_journal_create(const char *path, bool is_mapped,
                                       struct otter_journal **created)
{
    struct otter_journal *journal = calloc(1, sizeof(*journal));
    if (!journal) {
        return OTTER_NO_MEMORY;
    }
    pthread_mutex_init(&journal->lock, NULL);
    enum otter_status status = OTTER_NO_MEMORY;
    journal->path = strdup(path);
    if (!journal->path) {
        goto close_journal;
    }
    status = otter_status_from_errno(open_file(journal, is_mapped));
    if (status) {
        goto close_journal;
    }
    journal->header->magic = OTTER_JOURNAL_MAGIC;
    *created = journal;
    return OTTER_OK;

close_journal:
    otter_journal_close(journal);
    return status;
}

void otter_journal_close(struct otter_journal *journal)
{
    if (!journal) {
        return;
    }
    if (journal->piece) {
        munmap(journal->piece, GROWTH);
    }
    if (journal->header) {
        munmap(journal->header, OTTER_JOURNAL_TEXT_OFFSET);
    }
    pthread_mutex_destroy(&journal->lock);
    free(journal->path);
    free(journal);
}

bool otter_journal_is_mapped(const struct otter_journal *journal)
{
    return journal->is_mapped;
}

// Caller holds journal->lock. The header is written last, since its length makes the text valid.
static int write_out(const struct otter_journal *journal, const char *text, size_t length,
                     uint64_t offset)
{
    int file = otter_file_open(journal->path, O_WRONLY | O_NOFOLLOW);
    if (file < 0) {
        return errno;
    }
    int error = otter_file_write(file, text, length, OTTER_JOURNAL_TEXT_OFFSET + offset);
    if (!error) {
        error = otter_file_write(file, journal->header, sizeof(*journal->header), 0);
    }
    return close(file) < 0 && !error ? errno : error;
}

// Caller holds journal->lock.
static enum otter_status append_to_file(struct otter_journal *journal, const char *line,
                                        size_t length)
{
    uint64_t at = atomic_load(&journal->header->length);
    atomic_store(&journal->header->length, at + length);
    int error = write_out(journal, line, length, at);
    if (error) {
        atomic_store(&journal->header->length, at);
    }
    return otter_status_from_errno(error);
}

// Caller holds journal->lock. Copies the line into the mapped piece, and its rest into the next.
static enum otter_status append_to_memory(struct otter_journal *journal, const char *line,
                                          size_t length)
{
    uint64_t before = atomic_load_explicit(&journal->header->length, memory_order_relaxed);
    uint64_t at = OTTER_JOURNAL_TEXT_OFFSET + before, end = at + length;
    while (at < end) {
        if (at == journal->piece_end) {
            int error = map_next_piece(journal);
            if (error) {
                return otter_status_from_errno(error); // nothing was published
            }
        }
        size_t n = (size_t)((end < journal->piece_end ? end : journal->piece_end) - at);
        memcpy(journal->piece + (at - journal->piece_begin), line, n);
        line += n;
        at += n;
    }
    atomic_store_explicit(&journal->header->length, before + length, memory_order_release);
    return OTTER_OK;
}

static enum otter_status append(struct otter_journal *journal, const char *line, size_t length)
{
    return journal->is_mapped ? append_to_memory(journal, line, length)
                              : append_to_file(journal, line, length);
}

// Returns whether an archive is incomplete or impossible without the line.
static bool is_vital(const char *line)
{
    static const char *const words[] = {"location ", "device ", "stream ",
                                        "further ",  "count ",  "end "};
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
        if (strncmp(line, words[i], strlen(words[i])) == 0) {
            return true;
        }
    }
    return false;
}

// Returns the text length up to which the line is accepted. Without a limit, the lines of very many
// chunks would leave no room for definitions.
static uint64_t limit_of(const char *line)
{
    if (strncmp(line, "chunk ", strlen("chunk ")) == 0) {
        return OTTER_JOURNAL_MAX_TEXT / 2;
    }
    return OTTER_JOURNAL_MAX_TEXT - (is_vital(line) ? 0 : OTTER_JOURNAL_RESERVE);
}

static bool has_room(const struct otter_journal *journal, size_t length)
{
    return atomic_load(&journal->header->length) + length < limit_of(journal->line);
}

// Caller holds journal->lock.
static void store_clock(struct otter_journal *journal, const struct otter_clock_reading *reading)
{
    atomic_store_explicit(&journal->header->late_ticks, reading->ticks, memory_order_relaxed);
    atomic_store_explicit(&journal->header->late_monotonic_ns, reading->monotonic_ns,
                          memory_order_release);
}

enum otter_status otter_journal_vadd(struct otter_journal *journal, const char *format,
                                     va_list arguments)
{
    struct otter_held_signals held;
    otter_lock(&journal->lock, &held);
    const struct otter_clock_reading now = otter_clock_read();
    store_clock(journal, &now);
    enum otter_status status = OTTER_BAD_VALUE;
    int length = vsnprintf(journal->line, sizeof(journal->line) - 1, format, arguments);
    if (length >= 0 && (size_t)length < sizeof(journal->line) - 1) {
        journal->line[length] = '\n';
        status = !has_room(journal, (size_t)length + 1)
                     ? OTTER_NO_SPACE
                     : append(journal, journal->line, (size_t)length + 1);
    }
    otter_unlock(&journal->lock, &held);
    return status;
}

enum otter_status otter_journal_add(struct otter_journal *journal, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    enum otter_status status = otter_journal_vadd(journal, format, arguments);
    va_end(arguments);
    return status;
}

void otter_journal_note_clock(struct otter_journal *journal,
                              const struct otter_clock_reading *reading)
{
    struct otter_held_signals held;
    otter_lock(&journal->lock, &held);
    store_clock(journal, reading);
    int error = journal->is_mapped ? 0 : write_out(journal, "", 0, 0);
    (void)error; // the next line rewrites the header
    otter_unlock(&journal->lock, &held);
}

static bool is_inside_character(unsigned char c)
{
    return (c & 0xc0) == 0x80; // in UTF-8
}

// Returns the length of `encoded` without a partial character before `next`.
static size_t cut_length(const char *encoded, size_t n, unsigned char next)
{
    size_t begin = n;
    if (!is_inside_character(next)) {
        return n;
    }
    while (begin > 0 && n - begin < 3 && is_inside_character((unsigned char)encoded[begin - 1])) {
        begin--;
    }
    return begin > 0 && (unsigned char)encoded[begin - 1] >= 0xc0 ? begin - 1 : n;
}

char *otter_journal_encode(const char *text, char *encoded, size_t size)
{
    size_t n = 0;
    const unsigned char *c = (const unsigned char *)text;
    for (; *c && n + 4 < size; c++) {
        if (*c <= ' ' || *c == '%' || *c == 0x7f || (*c == '-' && n == 0)) {
            n += (size_t)snprintf(encoded + n, size - n, "%%%02x", *c);
        } else {
            encoded[n++] = (char)*c;
        }
    }
    n = cut_length(encoded, n, *c);
    if (n == 0 && size > 1) {
        encoded[n++] = '-';
    }
    encoded[n] = '\0';
    return encoded;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

void otter_journal_decode(char *text)
{
    if (strcmp(text, "-") == 0) {
        *text = '\0';
        return;
    }
    char *to = text;
    for (const char *from = text; *from; from++) {
        if (*from == '%' && hex_digit(from[1]) >= 0 && hex_digit(from[2]) >= 0) {
            *to++ = (char)(hex_digit(from[1]) * 16 + hex_digit(from[2]));
            from += 2;
        } else {
            *to++ = *from;
        }
    }
    *to = '\0';
}
