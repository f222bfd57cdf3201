// Text of others (labels, paths, metadata) may be any bytes: a byte that is no UTF-8 counts as that character of Latin-1.
#pragma once

#include <stddef.h>
#include <stdint.h>

// The character at *at, which moves on; 0 at the end.
uint32_t otter_utf8_next(const char **at);

enum { OTTER_UTF8_MAX = 4 };

// Its bytes go to `to`, which has room for OTTER_UTF8_MAX; returns how many.
size_t otter_utf8_encode(uint32_t character, char *to);

// A copy that is UTF-8, which the caller frees. NULL: out of memory.
char *otter_utf8_copy(const char *text);
