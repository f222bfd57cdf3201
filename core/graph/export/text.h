// Texts and numbers of an export. A label may be any bytes (base/utf8.h); what is written is valid in its format all the same. Streams are
// used without their lock, so each belongs to one thread.
#pragma once

#include <stdint.h>
#include <stdio.h>

// As it is: for our own texts.
void otter_put(FILE *out, const char *text);
void otter_put_number(FILE *out, int64_t number);

// In quotes where RFC 4180 wants them, and after an apostrophe where a spreadsheet would calculate.
void otter_put_csv(FILE *out, const char *text);

// Both escape invisible characters: controls, marks of direction, breaks of lines, noncharacters.
void otter_put_json(FILE *out, const char *text); // in quotes
void otter_put_xml(FILE *out, const char *text);  // for an element or a quoted attribute

// For a label in markup. In pictures invisible characters are written as text: "\u202e".
void otter_put_dot_markup(FILE *out, const char *text);

// For a quoted string; at most `limit` characters.
void otter_put_dot(FILE *out, const char *text, size_t limit);

// "0.9 µs", "12.3 ms", "4.5 s".
void otter_put_duration(FILE *out, uint64_t nanoseconds);

void otter_put_character(FILE *out, uint32_t character); // in UTF-8
