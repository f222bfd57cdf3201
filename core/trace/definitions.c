#include "trace/definitions.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "trace/definitions_line.h"
#include "trace/journal.h"
#include "trace/schema.h"

static enum otter_status read_all(int file, void *to, size_t size, uint64_t offset)
{
    size_t n_read = 0;
    int error = otter_file_read(file, to, size, offset, &n_read);
    if (error) {
        return otter_status_from_errno(error);
    }
    return n_read == size ? OTTER_OK : OTTER_BAD_ARCHIVE;
}

static enum otter_status read_text(int file, struct otter_journal_definitions *to)
{
    struct stat about;
    struct otter_journal_header header;
    if (fstat(file, &about) < 0) {
        return otter_status_from_errno(errno);
    }
    if (!S_ISREG(about.st_mode)) {
        return OTTER_BAD_ARCHIVE;
    }
    enum otter_status status = read_all(file, &header, sizeof(header), 0);
    if (status || header.magic != OTTER_JOURNAL_MAGIC) {
        return status ? status : OTTER_BAD_ARCHIVE;
    }
    uint64_t length = atomic_load(&header.length);
    if (length > OTTER_JOURNAL_MAX_TEXT ||
        (uint64_t)about.st_size < OTTER_JOURNAL_TEXT_OFFSET + length) {
        return OTTER_BAD_ARCHIVE;
    }
    to->text = malloc(length + 1);
    if (!to->text) {
        return OTTER_NO_MEMORY;
    }
    status = read_all(file, to->text, length, OTTER_JOURNAL_TEXT_OFFSET);
    if (status) {
        return status;
    }
    to->text[length] = '\0';
    to->end.ticks = atomic_load(&header.late_ticks);
    to->end.monotonic_ns = atomic_load(&header.late_monotonic_ns);
    return OTTER_OK;
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
    enum otter_status status = read_text(file, definitions);
    close(file);
    if (status) {
        otter_definitions_free(definitions);
        return status;
    }
    struct otter_definitions_reader reader = {.to = definitions};
    char *rest = definitions->text;
    for (char *line; (line = strsep(&rest, "\n"));) {
        otter_definitions_read_line(&reader, line);
    }
    if (reader.is_short_of_memory) {
        otter_definitions_free(definitions);
        return OTTER_NO_MEMORY;
    }
    if (definitions->schema == 0 || definitions->schema > OTTER_SCHEMA_VERSION ||
        definitions->chunk_size == 0) {
        otter_definitions_free(definitions);
        return OTTER_BAD_ARCHIVE;
    }
    return OTTER_OK;
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
    return definitions->n_lost == 0 && !*otter_definitions_described(definitions, "STOPPED");
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
