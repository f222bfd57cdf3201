// What the JSON printers share. Everything lies below one object; jansson's `_new` functions take over what they are given, also
// when they fail, so that NULL may be given where memory is short.
#pragma once

#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

#include "base/status.h"

void otter_json_set(json_t *object, const char *name, json_t *value);

// Text that is no UTF-8 (a path may be anything) is shown byte for byte.
json_t *otter_json_text(const char *value);
json_t *otter_json_number(uint64_t value);

// Prints `root` and ends it. OTTER_IO: not all was printed.
enum otter_status otter_json_print(FILE *out, json_t *root);
