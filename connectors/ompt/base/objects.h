// The shared objects of the process, the functions that they import, and the words in memory that
// hold the addresses of these functions.
#pragma once

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// An object of the process, valid while it is visited.
struct object {
    const struct dl_phdr_info *info;
    const char *strings;
    const ElfW(Sym) * symbols;
    const ElfW(Rela) * tables[2]; // relocations
    size_t n[2];
    const uint32_t *hash; // the GNU hash table of the symbols that the object defines, or NULL
};

// A function or variable whose address the loader writes into an object.
struct object_import {
    const char *name;
    uintptr_t *slot; // the word that the loader fills
};

// Calls `visit` for each object until it returns true. *Returns* whether a call returned true.
bool objects_visit(bool (*visit)(const struct object *object, void *user), void *user);

bool object_contains(const struct object *object, uintptr_t address);

// Reads the import at `*position` and advances the position, which begins with 0.
// *Returns* false after the last import.
bool object_next_import(const struct object *object, size_t *position,
                        struct object_import *import);

// *Returns* the address of a function or variable that the object defines, or NULL. No constructor
// runs, unlike in dlopen() with RTLD_NOLOAD after the destructors of the library have run.
void *object_definition(const struct object *object, const char *name);

// Writes a word of the object's memory, also on a read-only page.
// *Returns* false when the system refuses.
bool object_write(const struct object *object, uintptr_t *word, uintptr_t value);
