// Reads settings from the command line and reports progress to `otter record`.
#include "record/process/launcher.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arguments.h"
#include "base/file.h"
#include "base/settings.h"
#include "recording/switch_log.h"

enum { MAX_ARGUMENTS = 128 * 1024 };

// The launcher answers within a millisecond unless it is stopped or has no processor.
static const uint64_t max_wait_ns = UINT64_C(2000) * 1000 * 1000;

static void read_command_line(void)
{
    char *line = malloc(MAX_ARGUMENTS);
    if (!line) {
        return;
    }
    size_t length = otter_file_read_text("/proc/self/cmdline", line, MAX_ARGUMENTS);
    for (char *argument = line; argument < line + length; argument += strlen(argument) + 1) {
        otter_arguments_apply_option(argument);
    }
    free(line);
}

void otter_launcher_read_arguments(void)
{
    otter_arguments_apply_variable();
    read_command_line();
}

// Returns a copy that the first, early call made, since a program may later clear or move its
// environment.
static const char *report_path(void)
{
    static _Atomic(char *) copied;
    char *before = atomic_load(&copied);
    const char *now = before ? NULL : getenv("OTTER_REPORT_FILE");
    if (!now || !*now) {
        return before;
    }
    char *copy = strdup(now);
    if (!copy) {
        return NULL; // the launcher then explains less
    }
    if (atomic_compare_exchange_strong(&copied, &before, copy)) {
        return copy;
    }
    free(copy);
    return before;
}

void otter_launcher_report(const char *word, const char *format, ...)
{
    const char *path = report_path();
    if (!path) {
        return;
    }
    char *text, *line;
    va_list arguments;
    va_start(arguments, format);
    text = vasprintf(&text, format, arguments) < 0 ? NULL : text;
    va_end(arguments);
    int n = text ? asprintf(&line, "%s %ld %s", word, (long)getpid(), text) : -1;
    line = n < 0 ? NULL : line;
    int file = n < 0 ? -1 : otter_file_open(path, O_WRONLY | O_APPEND | O_NOFOLLOW);
    if (file >= 0) { // otherwise the launcher explains less
        ssize_t written = write(
            // writes the NUL too, since a path may contain any other byte
            file, line, (size_t)n + 1);
        (void)written;
        close(file);
    }
    free(text);
    free(line);
}

// If the file is absent, the launcher is on another node or has ended.
bool otter_launcher_records_switches(void)
{
    const char *path = report_path();
    return path && otter_settings_get_bool("switches") && access(path, W_OK) == 0;
}

void otter_launcher_await_switches(const char *recording, uint64_t time)
{
    if (otter_launcher_records_switches()) {
        otter_launcher_report("closing", "%s", recording);
        otter_switch_log_await(recording, time, max_wait_ns);
    }
}
