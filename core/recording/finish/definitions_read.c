// Reads the definitions of a recording from its journal.
#include "recording/finish/definitions.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/free.h"
#include "base/file.h"
#include "recording/finish/definitions_line.h"
#include "recording/journal.h"

// *Errors*: OTTER_EMPTY: the file ends before its header, or the header was not written yet.
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

// Returns the bytes of text in a file of `size` bytes whose header claims `claimed`, since a copy
// may be truncated.
static uint64_t text_length(uint64_t size, uint64_t claimed)
{
    uint64_t room = size > OTTER_JOURNAL_TEXT_OFFSET ? size - OTTER_JOURNAL_TEXT_OFFSET : 0;
    room = room < OTTER_JOURNAL_MAX_TEXT ? room : OTTER_JOURNAL_MAX_TEXT;
    return claimed < room ? claimed : room;
}

static enum otter_status read_text(int file, struct otter_journal_definitions *to,
                                   uint64_t *claimed, uint64_t *length)
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
    *claimed = atomic_load(&header.length);
    *length = text_length((uint64_t)about.st_size, *claimed);
    to->text = malloc(*length + 1);
    if (!to->text) {
        return OTTER_NO_MEMORY;
    }
    status = read_all(file, to->text, *length, OTTER_JOURNAL_TEXT_OFFSET);
    if (status) {
        return status;
    }
    to->is_hidden = header.is_hidden != 0;
    to->content.end.ticks = atomic_load(&header.late_ticks);
    to->content.end.monotonic_ns = atomic_load(&header.late_monotonic_ns);
    return OTTER_OK;
}

// Returns whether ticks come from a counter, which is so if they differ from the nanoseconds read
// with them.
static bool is_of_counter(const struct otter_clock_reading *reading)
{
    uint64_t ticks = reading->ticks, ns = reading->monotonic_ns;
    return (ticks > ns ? ticks - ns : ns - ticks) > UINT64_C(1000000000);
}

// A line with a zero byte counts as unread, since failed disks and sparse copies leave zeros in
// files.
static void read_lines(struct otter_definitions_reader *reader, char *text, size_t length)
{
    struct otter_journal_definitions *to = reader->to;
    for (char *line = text, *behind = text + length; line < behind;) {
        char *end = memchr(line, '\n', (size_t)(behind - line));
        size_t n = (size_t)((end ? end : behind) - line);
        bool is_line = end && !memchr(line, '\0', n);
        line[n] = '\0';
        if (!is_line || !otter_definitions_read_line(reader, line)) {
            to->content.n_unread++;
            to->n_unread_bytes += n + 1;
        }
        line += n + 1;
    }
    to->content.clock_is_counter =
        to->has_clock ? to->content.clock_is_counter
                      : is_of_counter(&to->content.start) || is_of_counter(&to->content.end);
}

// Counts the missing rest of a text of `length` bytes as an unread line, which may have defined
// threads. The rest is counted with at most as many bytes as the text itself.
static void count_rest(struct otter_journal_definitions *to, uint64_t claimed, uint64_t length)
{
    if (claimed > length) {
        to->content.n_unread++;
        to->n_unread_bytes += claimed - length < length ? claimed - length : length;
    }
}

// The line `files` is in the head, which is complete before the first thread has a location.
static enum otter_status judge_head(const struct otter_journal_definitions *to)
{
    if (to->content.schema > OTTER_SCHEMA_VERSION) {
        return OTTER_BAD_ARCHIVE;
    }
    if (to->content.schema > 0 && to->content.chunk_size > 0) {
        return OTTER_OK;
    }
    bool is_begun = to->content.n_locations > 0 || to->content.n_regions > 0;
    bool is_damaged = to->content.chunk_size > 0 || to->content.n_unread > 0;
    return is_begun || is_damaged ? OTTER_BAD_ARCHIVE : OTTER_EMPTY;
}

enum otter_status otter_definitions_read(const char *path,
                                         struct otter_journal_definitions *definitions)
{
    *definitions = (struct otter_journal_definitions){.text = NULL};
    // O_NONBLOCK: does not wait for a writer if the file is a pipe.
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (file < 0) {
        return otter_status_from_errno(errno);
    }
    uint64_t claimed = 0, length = 0;
    enum otter_status status = read_text(file, definitions, &claimed, &length);
    close(file);
    if (status) {
        otter_definitions_free(definitions);
        return status;
    }
    struct otter_definitions_reader reader = {.to = definitions};
    read_lines(&reader, definitions->text, length);
    count_rest(definitions, claimed, length);
    status = reader.is_short_of_memory ? OTTER_NO_MEMORY : judge_head(definitions);
    if (status) {
        otter_definitions_free(definitions);
    }
    return status;
}

void otter_definitions_free(struct otter_journal_definitions *definitions)
{
    struct otter_archive_content *content = &definitions->content;
    for (size_t i = 0; i < content->n_teams; i++) {
        free(content->teams[i].members);
    }
    OTTER_FREE(content->descriptions, content->modules, content->locations, content->regions,
               content->marks, content->teams, content->totals, content->processors,
               content->sampled, content->contexts, content->missing, definitions->begun,
               definitions->text);
    *definitions = (struct otter_journal_definitions){.text = NULL};
}
