// Makes the files of the recording, and handles a full archive and failing files.
#include "record/output.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/path.h"
#include "base/settings.h"
#include "record/device.h"
#include "record/host.h"
#include "record/thread.h"
#include "record/region_totals.h"
#include "recording/finish.h"
#include "recording/recording.h"

enum { MAX_ATTEMPTS = 100 };

static char folder[PATH_MAX], recording[PATH_MAX + sizeof(OTTER_RECORDING_SUFFIX)];
static struct otter_writer *writer;
static _Atomic(struct otter_journal *) journal;
static _Atomic uint64_t longest_stall; // ticks
static atomic_bool is_full;            // max-size is reached
static bool is_mapped; // whether events are stored in mapped files until a chunk is full

const char *otter_output_folder(void)
{
    return folder;
}

const char *otter_output_recording(void)
{
    return recording;
}

struct otter_writer *otter_output_writer(void)
{
    return writer;
}

struct otter_journal *otter_output_journal(void)
{
    return atomic_load(&journal);
}

void otter_output_forget(void)
{
    atomic_store(&journal, NULL);
}

enum otter_status otter_output_define(const char *format, ...)
{
    struct otter_journal *to = atomic_load(&journal);
    if (!to) {
        return OTTER_UNSUPPORTED;
    }
    va_list arguments;
    va_start(arguments, format);
    enum otter_status status = otter_journal_vadd(to, format, arguments);
    va_end(arguments);
    return status;
}

bool otter_output_is_full(void)
{
    return atomic_load(&is_full);
}

uint64_t otter_output_longest_stall(void)
{
    return atomic_load(&longest_stall);
}

static void on_chunk_written(uint32_t location, uint64_t begin, uint64_t end)
{
    struct otter_thread *thread = otter_current_thread;
    uint64_t longest = atomic_load(&longest_stall);
    while (end - begin > longest &&
           !atomic_compare_exchange_weak(&longest_stall, &longest, end - begin)) {
    }
    if (thread->location == location) {
        otter_thread_note_flush(thread, begin, end);
    }
    struct otter_clock_reading reading = otter_clock_read();
    otter_journal_note_clock(atomic_load(&journal), &reading);
}

static bool wants_mapped_chunks(void)
{
    const char *kind = otter_settings_get("chunks");
    return strcmp(kind, "auto") == 0 ? otter_host_may_map(recording) : strcmp(kind, "mapped") == 0;
}

static bool wants_mapped_journal(void)
{
    return strcmp(otter_settings_get("chunks"), "mapped") == 0 ||
           !otter_host_copies_on_write(recording);
}

static bool wants_totals(void)
{
    return strcmp(otter_settings_get("when-full"), "totals") == 0 &&
           otter_region_totals_enable(recording, is_mapped);
}

// Called once, by the thread that reached the limit.
static void warn_of_full(bool has_totals)
{
    otter_output_define("describe STOPPED max-size");
    otter_output_define("describe STOPPED_AT %" PRIu64, otter_clock_now());
    otter_warning("recording has stopped: the archive is as large as max-size=%s allows; %s",
                  otter_settings_get("max-size"),
                  has_totals ? "of what follows totals are kept"
                             : "what follows is counted as lost");
}

// All threads stop together, so that no thread has records of a time at which others have none. The
// calls in progress are still recorded.
static void on_full(void)
{
    static atomic_flag has_warned = ATOMIC_FLAG_INIT;
    bool has_totals = wants_totals();
    atomic_store(&is_full, true);
    for (struct otter_thread *thread = otter_thread_first(); thread && !has_totals;
         thread = thread->next) {
        otter_thread_fail(thread);
    }
    if (!atomic_flag_test_and_set(&has_warned)) {
        warn_of_full(has_totals);
    }
}

void otter_output_note_loss(void)
{
    static atomic_flag is_noted = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&is_noted)) {
        otter_output_define("describe LOSING %" PRIu64, otter_clock_now());
    }
}

// Handles a file of a thread, or of a device's stream, that cannot grow.
static void on_location_failed(uint32_t location, enum otter_status why)
{
    static atomic_flag has_warned = ATOMIC_FLAG_INIT;
    otter_device_stream_failed(location);
    if (why == OTTER_FULL) { // the current record is larger than its reserve
        struct otter_thread *thread = otter_current_thread;
        thread->n_lost += thread->writer && thread->location == location;
        return;
    }
    for (struct otter_thread *thread = otter_thread_first(); thread; thread = thread->next) {
        if (thread->writer && thread->location == location) {
            otter_thread_fail(thread);
        }
    }
    otter_output_note_loss();
    if (why == OTTER_NO_MEMORY && otter_settings_get_size("max-memory") == 0) {
        otter_thread_warn_of_memory();
    } else if (atomic_flag_test_and_set(&has_warned)) {
        return; // one warning is enough
    } else if (why == OTTER_NO_MEMORY) {
        otter_warning(
            "no memory for the chunk of a further thread: what it does is counted as lost (max-memory=%s)",
            otter_settings_get("max-memory"));
    } else {
        otter_warning(
            "cannot write to '%s': %s; what was recorded is kept, what follows is counted as lost "
            "(choose another folder with trace-path)",
            recording, otter_status_text(why));
    }
}

static enum otter_status make_folder(void)
{
    for (unsigned attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        enum otter_status status = otter_host_archive_folder(attempt, folder, sizeof(folder));
        if (status) {
            return status;
        }
        snprintf(recording, sizeof(recording), "%s" OTTER_RECORDING_SUFFIX, folder);
        struct stat about;
        if (lstat(folder, &about) == 0) {
            if (attempt == 0) {
                otter_warning("'%s' exists already; another name is used", folder);
            }
            continue;
        }
        status = otter_host_make_folder(recording);
        if (status != OTTER_EXISTS) {
            return status;
        }
    }
    return OTTER_EXISTS;
}

void otter_output_define_files(void)
{
    otter_output_define("files %s %zu", is_mapped ? "mapped" : "memory",
                        otter_settings_get_size("chunk-size"));
}

static enum otter_status open_writer(void)
{
    struct otter_writer_options options = {.folder = recording,
                                           .chunk_size = otter_settings_get_size("chunk-size"),
                                           .max_size = otter_settings_get_size("max-size"),
                                           .max_memory = otter_settings_get_size("max-memory"),
                                           .is_mapped = is_mapped,
                                           .chunk_written = on_chunk_written,
                                           .full = on_full,
                                           .location_failed = on_location_failed};
    otter_finish_reserve(recording);
    return otter_writer_open(&options, &writer);
}

// If the journal could not be mapped, no file can be.
static void choose_chunks(bool is_journal_mapped)
{
    bool is_wanted = wants_mapped_chunks();
    is_mapped = is_wanted && is_journal_mapped;
    if (is_mapped != is_wanted) {
        otter_warning(
            "files in '%s' cannot be mapped as shared memory: if the program is killed, the last "
            "%s of each thread are lost (choose another folder with trace-path)",
            recording, otter_settings_get("chunk-size"));
    }
}

static enum otter_status open_files(const char *journal_path, void (*write_head)(void))
{
    struct otter_journal *opened = NULL;
    enum otter_status status = otter_journal_create(journal_path, wants_mapped_journal(), &opened);
    if (status) {
        return status;
    }
    atomic_store(&journal, opened);
    choose_chunks(otter_journal_is_mapped(opened));
    write_head();
    status = open_writer();
    if (status) {
        atomic_store(&journal, NULL);
        otter_journal_close(opened);
    }
    return status;
}

enum otter_status otter_output_open(void (*write_head)(void))
{
    enum otter_status status = otter_writer_layout_is_known() ? make_folder() : OTTER_UNKNOWN_OTF2;
    if (status) {
        return status;
    }
    char *path = otter_path("%s/journal", recording);
    status = path ? open_files(path, write_head) : OTTER_NO_MEMORY;
    if (status) {
        if (path) {
            unlink(path);
        }
        otter_finish_use_reserve(recording);
        rmdir(recording);
    }
    free(path);
    return status;
}
