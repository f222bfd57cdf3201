// Fuzzes the reading of a journal and of the archive written from the journal, which must open.
//
// The first byte determines the use of the archive; 'h' means that the rest is the whole file, not
// only its text.
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "trace/write/archive.h"
#include "recording/finish/definitions.h"
#include "recording/journal.h"
#include "trace/read/reader.h"
#include "use.h"

enum { MAX_LOCATIONS = 40 }; // each location is a file

static void write_journal(const char *path, struct fuzz_bytes text)
{
    struct otter_journal_header header = {.magic = OTTER_JOURNAL_MAGIC};
    atomic_init(&header.length, text.n);
    uint8_t *whole = calloc(1, OTTER_JOURNAL_TEXT_OFFSET + text.n);
    if (!whole) {
        return;
    }
    memcpy(whole, &header, sizeof(header));
    if (text.n > 0) {
        memcpy(whole + OTTER_JOURNAL_TEXT_OFFSET, text.at, text.n);
    }
    fuzz_write(path, whole, OTTER_JOURNAL_TEXT_OFFSET + text.n);
    free(whole);
}

static void write_archive(const struct otter_journal_definitions *definitions, uint8_t how)
{
    uint64_t n_events[MAX_LOCATIONS];
    size_t n = otter_content_n_locations(&definitions->content);
    const char *folder = fuzz_path("archive");
    for (size_t i = 0; i < n && i < MAX_LOCATIONS; i++) {
        n_events[i] = i;
    }
    if (n <= MAX_LOCATIONS && !otter_archive_write(folder, &definitions->content, n_events, 1)) {
        struct otter_archive *archive;
        struct otter_complaint complaint;
        fuzz_expect(!otter_archive_open(folder, &archive, &complaint), complaint.text);
        fuzz_use_archive(archive, how);
        otter_archive_close(archive);
    }
    fuzz_remove(folder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_bytes bytes = {data, size};
    const char *path = fuzz_path("journal");
    uint8_t how = fuzz_byte(&bytes);
    if (how == 'h') {
        fuzz_write(path, bytes.at, bytes.n);
    } else {
        write_journal(path, bytes);
    }
    struct otter_journal_definitions definitions;
    if (!otter_definitions_read(path, &definitions)) {
        write_archive(&definitions, how);
        otter_definitions_free(&definitions);
    }
    unlink(path);
    return 0;
}
