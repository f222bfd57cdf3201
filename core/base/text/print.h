// Prints all text that Otter writes for the user (test/lint/printing.py). Only a format can begin a
// line or contain a control character: each argument is shown as base/text/visible.h describes.
//
// Formats are like printf's, with the conversions d i u x X o c s f e g and %. The width of a %s
// counts columns, its precision counts bytes. The functions allocate nothing and ignore the locale.
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// Writes to a file. Errors: see ferror().
void otter_print(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
void otter_vprint(FILE *out, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

// Returns the plural ending of a noun after a number: "" for 1, otherwise "s".
const char *otter_plural(uint64_t n);

// Calls `put` for each piece of the text, in order.
struct otter_sink {
    void (*put)(void *to, const char *bytes, size_t n);
    void *to;
};
void otter_vprint_to(const struct otter_sink *sink, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
