#include "base/log.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/lock.h"

enum { MAX_MESSAGE = 2048 };

static const char prefix[] = "otter: ";
static atomic_bool is_quiet;

void otter_log_set_quiet(bool quiet)
{
    atomic_store(&is_quiet, quiet);
}

static void print(const char *start, const char *format, va_list arguments)
{
    int saved_errno = errno;
    char text[MAX_MESSAGE];
    size_t n = strlen(start);
    memcpy(text, start, n);

    int length = vsnprintf(text + n, sizeof(text) - n - 1, format, arguments);
    if (length > 0) {
        size_t room = sizeof(text) - n - 2;
        n += (size_t)length < room ? (size_t)length : room;
    }
    text[n++] = '\n';

    struct otter_held_signals signals;
    otter_signals_hold(&signals);
    for (size_t n_written = 0; n_written < n;) { // one write, but where the other end is slow
        ssize_t written = write(STDERR_FILENO, text + n_written, n - n_written);
        if (written <= 0) {
            break; // a closed stderr is the person's choice
        }
        n_written += (size_t)written;
    }
    otter_signals_release(&signals);
    errno = saved_errno;
}

void otter_note(const char *format, ...)
{
    if (atomic_load(&is_quiet)) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    print(prefix, format, arguments);
    va_end(arguments);
}

void otter_note_plain(const char *format, ...)
{
    if (atomic_load(&is_quiet)) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    print("", format, arguments);
    va_end(arguments);
}

void otter_vwarning(const char *format, va_list arguments)
{
    if (!atomic_load(&is_quiet)) {
        print(prefix, format, arguments);
    }
}

void otter_warning(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    otter_vwarning(format, arguments);
    va_end(arguments);
}

void otter_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print(prefix, format, arguments);
    va_end(arguments);
}
