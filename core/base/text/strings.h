// Numbers strings: each distinct string has a number, counted from 0 in order of first use.
//
// *Thread*: one at a time.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct otter_strings;

// Returns NULL if out of memory.
struct otter_strings *otter_strings_create(void);
void otter_strings_destroy(struct otter_strings *strings);

// Returns the number of `string`, which is copied. If out of memory, returns 0, the number of the
// first string (which should be ""), and sets *is_new to false.
uint32_t otter_strings_intern(struct otter_strings *strings, const char *string, bool *is_new);

// FNV-1a, 64 bits. Any thread.
uint64_t otter_string_hash(const char *string);
