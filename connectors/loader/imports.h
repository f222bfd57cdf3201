// The functions that objects of the process import, and the words in memory that hold their
// addresses.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loader/objects.h"

// A function or variable whose address the loader writes into an object.
struct import {
    const char *name;
    uintptr_t *slot; // the word that the loader fills
};

// Reads the import at `*position` and advances the position, which starts at 0.
// *Returns* false after the last import.
bool imports_next(const struct object *object, size_t *position, struct import *import);

// Writes a word of the object's memory, even on a read-only page. *Returns* false when the system
// refuses.
bool imports_write(const struct object *object, uintptr_t *word, uintptr_t value);
