// Writes messages to stderr.
#include "base/log.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/lock.h"
#include "base/text/print.h"

enum { MAX_PIECE = 2048 }; // bytes of one write; a longer message needs several

static const char prefix[] = "otter: ";
static atomic_bool is_quiet;

void otter_log_set_quiet(bool quiet)
{
    atomic_store(&is_quiet, quiet);
}

struct message {
    char text[MAX_PIECE];
    size_t n;
};

static _Thread_local struct otter_held_messages *held; // NULL: messages are printed

static bool hold(const struct message *message)
{
    size_t needed = held->n + message->n;
    if (needed > held->room) {
        char *longer = realloc(held->text, 2 * needed);
        if (!longer) {
            return false;
        }
        held->text = longer;
        held->room = 2 * needed;
    }
    memcpy(held->text + held->n, message->text, message->n);
    held->n = needed;
    return true;
}

static void write_all(const char *text, size_t n)
{
    for (size_t n_written = 0; n_written < n;) {
        ssize_t written = write(STDERR_FILENO, text + n_written, n - n_written);
        if (written <= 0) {
            break; // stderr may be closed
        }
        n_written += (size_t)written;
    }
}

static void (*before)(void); // NULL: nothing to do

void otter_log_set_before(void (*function)(void))
{
    before = function;
}

// Returns without a call if there is nothing to print.
static void write_messages(const char *text, size_t n)
{
    if (n > 0 && before) {
        before();
    }
    write_all(text, n);
}

void otter_log_hold(struct otter_held_messages *messages)
{
    held = messages;
}

void otter_log_print_held(struct otter_held_messages *messages)
{
    write_messages(messages->text, messages->n);
    free(messages->text);
    *messages = (struct otter_held_messages){.text = NULL};
}

static void flush(struct message *message)
{
    if (!held || !hold(message)) {
        write_messages(message->text, message->n);
    }
    message->n = 0;
}

static void add(void *to, const char *bytes, size_t n)
{
    struct message *message = to;
    while (n > 0) {
        size_t room = sizeof(message->text) - message->n, part = n < room ? n : room;
        memcpy(message->text + message->n, bytes, part);
        message->n += part;
        bytes += part;
        n -= part;
        if (message->n == sizeof(message->text)) {
            flush(message);
        }
    }
}

static void print(const char *start, const char *format, va_list arguments)
{
    int saved_errno = errno;
    struct message message;
    const struct otter_sink sink = {add, &message};
    struct otter_held_signals signals;
    message.n = 0;
    otter_signals_hold(&signals);
    add(&message, start, strlen(start));
    otter_vprint_to(&sink, format, arguments);
    add(&message, "\n", 1);
    flush(&message);
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

// ---- errors of signal handlers

static struct message prepared;

static void add_if_room(void *to, const char *bytes, size_t n)
{
    struct message *message = to;
    if (n < sizeof message->text - message->n) {
        add(message, bytes, n);
    }
}

void otter_error_prepare(const char *format, ...)
{
    static const struct otter_sink sink = {add_if_room, &prepared};
    va_list arguments;
    prepared.n = 0;
    va_start(arguments, format);
    add_if_room(&prepared, prefix, strlen(prefix));
    otter_vprint_to(&sink, format, arguments);
    add_if_room(&prepared, "\n", 1);
    va_end(arguments);
}

void otter_error_prepared(void)
{
    write_all(prepared.text, prepared.n);
}
