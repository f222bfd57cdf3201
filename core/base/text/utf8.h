// UTF-8 for foreign text (labels, paths, metadata), which may contain any bytes: a byte that is not
// valid UTF-8 is read as Latin-1.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Returns the character at *at and advances *at; 0 at the end.
uint32_t otter_utf8_next(const char **at);

// Returns the number of bytes of the longest prefix that has at most `most` bytes and no split
// character.
size_t otter_utf8_cut(const char *text, size_t most);

// The arguments of a "%.*s" that prints such a prefix.
#define OTTER_UTF8_CUT(text, most) (int)otter_utf8_cut(text, most), (text)

enum { OTTER_UTF8_MAX = 4 };

// Writes at most OTTER_UTF8_MAX bytes to `to`. Returns their number.
size_t otter_utf8_encode(uint32_t character, char *to);

// Returns a copy in UTF-8, which the caller frees; NULL: out of memory.
char *otter_utf8_copy(const char *text);
