// Numbers of strings: each distinct string has one, from 0 in order of first use.
//
// *Thread*: one at a time.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct otter_strings;

// Returns NULL when memory is short.
struct otter_strings *otter_strings_create(void);
void otter_strings_destroy(struct otter_strings *strings);

// Returns the number of `string`, which is copied. When memory is short, returns 0 with *is_new
// false, the number of the first string, which should be "".
uint32_t otter_strings_intern(struct otter_strings *strings, const char *string, bool *is_new);

// FNV-1a, 64 bits. Any thread.
uint64_t otter_string_hash(const char *string);
