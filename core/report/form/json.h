// JSON for all printers.
#pragma once

#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

#include "base/status.h"

// Sets a member. `value`: NULL is null, which json_real() returns for NAN.
void otter_json_set(json_t *object, const char *name, json_t *value);

// Returns a string. Bytes of `value` that are not UTF-8, as in some paths, are shown one by one.
json_t *otter_json_text(const char *value);
json_t *otter_json_number(uint64_t value);
json_t *otter_json_numbers(const uint64_t *values, unsigned n); // Returns an array.
void otter_json_set_text(json_t *object, const char *name, const char *value);
void otter_json_set_number(json_t *object, const char *name, uint64_t value);

// Prints and releases `root`. *Errors*: OTTER_IO: not all was printed.
enum otter_status otter_json_print(FILE *out, json_t *root);

// Prints and releases `root` on one line, without `<`, for a <script> element of HTML.
enum otter_status otter_json_print_script(FILE *out, json_t *root);
