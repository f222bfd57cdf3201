// The fields of a line of a journal.
//
// Functions return false for a field that is absent or malformed. *Thread*: any.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OTTER_MAX_FIELDS = 6 };

struct otter_fields {
    char *at[OTTER_MAX_FIELDS]; // at[0] is the kind of the line
    size_t n;
};

// Splits `text` at its blanks, in place. Fields beyond OTTER_MAX_FIELDS are ignored.
struct otter_fields otter_fields_split(char *text);

// Reads `n` decimal numbers of at most `max`.
bool otter_fields_numbers(const struct otter_fields *fields, size_t first, size_t n, uint64_t max,
                          uint64_t *values);
bool otter_fields_hexadecimal(const struct otter_fields *fields, size_t field, uint64_t *value);

// Decodes a field in place. Returns its text; "" for an absent field.
char *otter_fields_text(const struct otter_fields *fields, size_t field);
