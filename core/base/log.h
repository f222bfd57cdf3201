// Messages to the person: on stderr, each prefixed "otter: ". A message up to 2 KiB is one write,
// so that messages do not mix with the program's. Formats are those of base/print.h: what a %s
// brings cannot begin a line or reach the terminal as a control character.
//
// A message says what failed, on what, why, and what to do. Any thread; errno is preserved.
#pragma once

#include <stdarg.h>
#include <stdbool.h>

// Prints nothing from now on but errors. For `quiet=on`.
void otter_log_set_quiet(bool quiet);

// Something the person asked to know. Not in quiet mode.
void otter_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

// The same for programs to read: without the prefix.
void otter_note_plain(const char *format, ...) __attribute__((format(printf, 1, 2)));

// The program or the command goes on, with less. Not in quiet mode.
void otter_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
void otter_vwarning(const char *format, va_list arguments);

// The command cannot do what it was asked. Always.
void otter_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
