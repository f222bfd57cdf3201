#include "recording/definitions.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "recording/definitions_line.h"
#include "recording/journal.h"
#include "trace/schema.h"

// Of those that define a number: "space 0 -".
enum { SHORTEST_LINE = 10 };

// OTTER_EMPTY: the file ends before its header, or the header was not written yet.
static enum otter_status read_header(int file, struct otter_journal_header *header)
{
    static const struct otter_journal_header unwritten;
    size_t n_read = 0;
    memset(header, 0, sizeof(*header));
    int error = otter_file_read(file, header, sizeof(*header), 0, &n_read);
    if (error) {
        return otter_status_from_errno(error);
    }
    if (memcmp(header, &unwritten, sizeof(unwritten)) == 0) {
        return OTTER_EMPTY;
    }
    bool is_header = n_read == sizeof(*header) && header->magic == OTTER_JOURNAL_MAGIC;
    return is_header ? OTTER_OK : OTTER_BAD_ARCHIVE;
}

static enum otter_status read_all(int file, void *to, size_t size, uint64_t offset)
{
    size_t n_read = 0;
    int error = otter_file_read(file, to, size, offset, &n_read);
    if (error) {
        return otter_status_from_errno(error);
    }
    return n_read == size ? OTTER_OK : OTTER_BAD_ARCHIVE;
}

// What there is of `told` bytes in a file of `size`: it may have been copied in part.
static uint64_t text_length(uint64_t size, uint64_t told)
{
    uint64_t room = size > OTTER_JOURNAL_TEXT_OFFSET ? size - OTTER_JOURNAL_TEXT_OFFSET : 0;
    room = room < OTTER_JOURNAL_MAX_TEXT ? room : OTTER_JOURNAL_MAX_TEXT;
    return told < room ? told : room;
}

static enum otter_status read_text(int file, struct otter_journal_definitions *to, uint64_t *told,
                                   uint64_t *length)
{
    struct stat about;
    struct otter_journal_header header;
    if (fstat(file, &about) < 0) {
        return otter_status_from_errno(errno);
    }
    if (!S_ISREG(about.st_mode)) {
        return OTTER_BAD_ARCHIVE;
    }
    enum otter_status status = read_header(file, &header);
    if (status) {
        return status;
    }
    *told = atomic_load(&header.length);
    *length = text_length((uint64_t)about.st_size, *told);
    to->text = malloc(*length + 1);
    if (!to->text) {
        return OTTER_NO_MEMORY;
    }
    status = read_all(file, to->text, *length, OTTER_JOURNAL_TEXT_OFFSET);
    if (status) {
        return status;
    }
    to->is_hidden = header.is_hidden != 0;
    to->end.ticks = atomic_load(&header.late_ticks);
    to->end.monotonic_ns = atomic_load(&header.late_monotonic_ns);
    return OTTER_OK;
}

// A counter's ticks are no nanoseconds; the two are read one after the other.
static bool is_of_counter(const struct otter_clock_reading *reading)
{
    uint64_t ticks = reading->ticks, ns = reading->monotonic_ns;
    return (ticks > ns ? ticks - ns : ns - ticks) > UINT64_C(1000000000);
}

// Zeros are no text: where some have come to a line, by a disk that failed or a copy with holes, that line is none.
static void read_lines(struct otter_definitions_reader *reader, char *text, size_t length)
{
    struct otter_journal_definitions *to = reader->to;
    for (char *line = text, *behind = text + length; line < behind;) {
        char *end = memchr(line, '\n', (size_t)(behind - line));
        size_t n = (size_t)((end ? end : behind) - line);
        bool is_line = end && !memchr(line, '\0', n);
        line[n] = '\0';
        if (!is_line || !otter_definitions_read_line(reader, line)) {
            to->n_unread++;
            to->n_unread_bytes += n + 1;
        }
        line += n + 1;
    }
    to->clock_is_counter =
        to->has_clock ? to->clock_is_counter : is_of_counter(&to->start) || is_of_counter(&to->end);
}

// A text of which `length` bytes are there: the rest may have defined threads. What it claims counts no more than what there is.
static void count_rest(struct otter_journal_definitions *to, uint64_t told, uint64_t length)
{
    if (told > length) {
        to->n_unread++;
        to->n_unread_bytes += told - length < length ? told - length : length;
    }
}

// The line `files` is in the head, which is whole before the first thread gets a location.
static enum otter_status judge_head(const struct otter_journal_definitions *to)
{
    if (to->schema > OTTER_SCHEMA_VERSION) {
        return OTTER_BAD_ARCHIVE;
    }
    if (to->schema > 0 && to->chunk_size > 0) {
        return OTTER_OK;
    }
    bool is_begun = to->n_locations > 0 || to->n_regions > 0;
    bool is_damaged = to->chunk_size > 0 || to->n_unread > 0;
    return is_begun || is_damaged ? OTTER_BAD_ARCHIVE : OTTER_EMPTY;
}

enum otter_status otter_definitions_read(const char *path,
                                         struct otter_journal_definitions *definitions)
{
    *definitions = (struct otter_journal_definitions){.text = NULL};
    // Anybody may have put a pipe there, at which opening would wait.
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (file < 0) {
        return otter_status_from_errno(errno);
    }
    uint64_t told = 0, length = 0;
    enum otter_status status = read_text(file, definitions, &told, &length);
    close(file);
    if (status) {
        otter_definitions_free(definitions);
        return status;
    }
    struct otter_definitions_reader reader = {.to = definitions};
    read_lines(&reader, definitions->text, length);
    count_rest(definitions, told, length);
    status = reader.is_short_of_memory ? OTTER_NO_MEMORY : judge_head(definitions);
    if (status) {
        otter_definitions_free(definitions);
    }
    return status;
}

const char *otter_definitions_described(const struct otter_journal_definitions *definitions,
                                        const char *name)
{
    for (size_t i = 0; i < definitions->n_descriptions; i++) {
        if (strcmp(definitions->descriptions[i].name, name) == 0) {
            return definitions->descriptions[i].value;
        }
    }
    return "";
}

bool otter_definitions_are_complete(const struct otter_journal_definitions *definitions)
{
    return definitions->n_lost == 0 && definitions->n_unread == 0 &&
           !*otter_definitions_described(definitions, "STOPPED");
}

bool otter_definitions_may_follow(const struct otter_journal_definitions *definitions, uint64_t id,
                                  size_t n)
{
    return id >= n && id - n <= definitions->n_unread_bytes / SHORTEST_LINE;
}

void otter_definitions_follow(struct otter_journal_definitions *definitions, uint64_t id, size_t n)
{
    definitions->n_unread_bytes -= (id - n) * SHORTEST_LINE;
}

enum otter_status
otter_definitions_add_unknown_threads(struct otter_journal_definitions *definitions, size_t id)
{
    size_t n = definitions->n_locations;
    struct otter_location_definition *grown =
        realloc(definitions->locations, (id + 1) * sizeof(*grown));
    if (!grown) {
        return OTTER_NO_MEMORY;
    }
    otter_definitions_follow(definitions, id, n);
    memset(grown + n, 0, (id + 1 - n) * sizeof(*grown));
    definitions->locations = grown;
    definitions->n_locations = id + 1;
    return OTTER_OK;
}

void otter_definitions_free(struct otter_journal_definitions *definitions)
{
    for (size_t i = 0; i < definitions->n_teams; i++) {
        free(definitions->teams[i].members);
    }
    free(definitions->descriptions);
    free(definitions->modules);
    free(definitions->locations);
    free(definitions->regions);
    free(definitions->marks);
    free(definitions->teams);
    free(definitions->totals);
    free(definitions->text);
    *definitions = (struct otter_journal_definitions){.text = NULL};
}
