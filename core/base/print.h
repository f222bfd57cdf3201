// The printer of all that Otter writes for a person. Text of others reaches a person through a %s
// of these functions alone (test/lint/printing.py): only the format itself can begin a line or
// bring a control character, since each argument is shown as base/visible.h says.
//
// Formats are those of printf, with the conversions d i u x X o c s f e g and %. The width of a %s
// counts columns, its precision counts bytes. Nothing is allocated, and the locale changes no text.
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// Writes to a file; errors stay in the file's own state.
void otter_print(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
void otter_vprint(FILE *out, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

// The end of a noun behind a number: "" for 1, else "s".
const char *otter_plural(uint64_t n);

// Passes the pieces of the text to `put`, in their order.
struct otter_sink {
    void (*put)(void *to, const char *bytes, size_t n);
    void *to;
};
void otter_vprint_to(const struct otter_sink *sink, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
