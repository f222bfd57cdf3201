// Makes the files of the recording.
#include "record/process/output.h"

#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/path.h"
#include "base/settings.h"
#include "record/process/host.h"
#include "record/process/launcher.h"
#include "recording/folder.h"
#include "recording/switch_log.h"
#include "trace/schema.h"
#include "trace/write/layout_probe.h"

enum { MAX_ATTEMPTS = 100 };

static char folder[PATH_MAX], recording[PATH_MAX + sizeof(OTTER_RECORDING_SUFFIX)];
static struct otter_writer *writer;
static _Atomic(struct otter_journal *) journal;
static bool is_mapped; // whether events are stored in mapped files until a chunk is full

const char *otter_output_folder(void)
{
    return folder;
}

const char *otter_output_recording(void)
{
    return recording;
}

bool otter_output_is_mapped(void)
{
    return is_mapped;
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

void otter_output_note_loss(void)
{
    static atomic_flag is_noted = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&is_noted)) {
        otter_output_define("describe LOSING %" PRIu64, otter_clock_now());
    }
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

static enum otter_status make_folder(void)
{
    static char wanted[PATH_MAX];
    for (unsigned attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        enum otter_status status = otter_host_archive_folder(attempt, folder, sizeof(folder));
        if (status) {
            return status;
        }
        snprintf(recording, sizeof(recording), "%s" OTTER_RECORDING_SUFFIX, folder);
        if (attempt == 0) {
            strcpy(wanted, folder);
        }
        struct stat about;
        status = lstat(folder, &about) == 0 ? OTTER_EXISTS : otter_host_make_folder(recording);
        if (!status && attempt > 0 && *otter_settings_get("folder")) {
            otter_warning("another archive or recording has the name '%s': this one is '%s'",
                          otter_host_short_path(wanted), otter_host_short_path(folder));
        }
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

static enum otter_status open_writer(const struct otter_writer_options *calls)
{
    struct otter_writer_options options = *calls;
    options.folder = recording;
    options.chunk_size = otter_settings_get_size("chunk-size");
    options.max_size = otter_settings_get_size("max-size");
    options.max_memory = otter_settings_get_size("max-memory");
    options.is_mapped = is_mapped;
    otter_recording_reserve(recording);
    if (otter_launcher_records_switches()) {
        otter_switch_log_create(recording, otter_clock_uses_counter(), options.max_size);
    }
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

static enum otter_status open_files(const char *journal_path, void (*write_head)(void),
                                    const struct otter_writer_options *calls)
{
    struct otter_journal *opened = NULL;
    enum otter_status status = otter_journal_create(journal_path, wants_mapped_journal(), &opened);
    if (status) {
        return status;
    }
    atomic_store(&journal, opened);
    choose_chunks(otter_journal_is_mapped(opened));
    write_head();
    status = open_writer(calls);
    if (status) {
        atomic_store(&journal, NULL);
        otter_journal_close(opened);
    }
    return status;
}

enum otter_status otter_output_open(void (*write_head)(void),
                                    const struct otter_writer_options *calls)
{
    enum otter_status status = otter_layout_is_known() ? make_folder() : OTTER_UNKNOWN_OTF2;
    if (status) {
        return status;
    }
    char *path = otter_path("%s/journal", recording);
    status = path ? open_files(path, write_head, calls) : OTTER_NO_MEMORY;
    if (status) {
        if (path) {
            unlink(path);
        }
        otter_recording_use_reserve(recording);
        otter_switch_log_remove(recording);
        rmdir(recording);
    }
    free(path);
    return status;
}
