// Messages to the user: on stderr, with the prefix "otter: ". A message says what failed, on what,
// why, and what to do.
//
// A message of up to 2 KiB is one write, so that it does not mix with the program's output. Formats
// work as in base/text/print.h: text in an argument can neither begin a line nor send a control
// character to the terminal. Thread: any. errno is preserved.
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

// Quiet mode (the setting `quiet`) prints errors only.
void otter_log_set_quiet(bool quiet);

// Prints information that the user requested, except in quiet mode.
void otter_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Like otter_note, but without the prefix, for scripts.
void otter_note_plain(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Warns that the program or command continues with reduced results, except in quiet mode.
void otter_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
void otter_vwarning(const char *format, va_list arguments);

// Reports that the command has failed, even in quiet mode.
void otter_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Sets a function that is called before messages are printed; NULL: none. It prints no message.
// *Thread*: while no other thread prints.
void otter_log_set_before(void (*function)(void));

// Messages of a thread that are printed later.
struct otter_held_messages {
    char *text;
    size_t n, room;
};

// From now on, all messages of this thread are appended to `held`, which starts as zeros. If `held`
// is NULL or memory runs out, messages are printed at once.
void otter_log_hold(struct otter_held_messages *held);

// Prints the messages, and frees them.
void otter_log_print_held(struct otter_held_messages *held);

// Formats the error that a signal handler will print. Only one error can be prepared; text beyond 2
// KiB is cut off. *Thread*: any, but one at a time.
void otter_error_prepare(const char *format, ...) __attribute__((format(printf, 1, 2)));
// Prints the error. The only async-signal-safe function here.
void otter_error_prepared(void);
