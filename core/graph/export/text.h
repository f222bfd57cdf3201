// Texts and numbers of an export. A label may be any bytes (base/text/utf8.h), and is written as
// valid text of the format.
// Thread: a stream belongs to one thread, because its lock is not used.
#pragma once

#include <stdint.h>
#include <stdio.h>

// Writes a text without escapes, for Otter's own texts.
void otter_put(FILE *out, const char *text);
void otter_put_number(FILE *out, int64_t number);

// Writes quotes where RFC 4180 requires them, and an apostrophe before a cell that a spreadsheet
// would evaluate. Escapes invisible characters on a terminal; a file has the text itself.
void otter_put_csv(FILE *out, const char *text);

// Escape invisible characters: controls, marks of direction, line breaks, noncharacters.
void otter_put_json(FILE *out, const char *text); // writes a quoted string
// writes the text of an element or quoted attribute
void otter_put_xml(FILE *out, const char *text);

// Writes a text for Graphviz's markup. Invisible characters are written as text: "\u202e".
void otter_put_dot_markup(FILE *out, const char *text);

// Writes at most `limit` characters of a text, for a quoted string of Graphviz.
void otter_put_dot(FILE *out, const char *text, size_t limit);

// Writes "0.9 µs", "12.3 ms", "4.5 s".
void otter_put_duration(FILE *out, uint64_t nanoseconds);
