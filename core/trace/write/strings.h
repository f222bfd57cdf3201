// The strings of an archive: each distinct one has a number, counted from 0 in order of first use. One thread.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct otter_strings;

struct otter_strings *otter_strings_create(void); // NULL: out of memory
void otter_strings_destroy(struct otter_strings *strings);

// The number of `string`, which is copied. Out of memory: the number of the first string, which should be "".
uint32_t otter_strings_intern(struct otter_strings *strings, const char *string, bool *is_new);

// FNV-1a, 64 bits. Any thread.
uint64_t otter_string_hash(const char *string);
