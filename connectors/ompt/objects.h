// The shared objects of the process: functions that they import, and the words in memory that hold
// the addresses of these functions.
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
    const uint32_t *hash; // GNU's table of the symbols that the object defines, or NULL
};

// A function or variable that an object takes from another one, or from itself by way of the
// loader.
struct object_import {
    const char *name;
    uintptr_t *slot; // the word that the loader fills
};

// Calls `visit` for each object until it returns true. Returns whether it did.
bool objects_visit(bool (*visit)(const struct object *object, void *user), void *user);

bool object_contains(const struct object *object, uintptr_t address);

// The import at `*position`, which begins with 0 and is moved on. Returns false behind the last
// one.
bool object_next_import(const struct object *object, size_t *position,
                        struct object_import *import);

// Returns the address of a function or variable that the object defines, or NULL. No constructor
// runs: dlopen() with RTLD_NOLOAD runs those of a library again whose destructors have run.
void *object_definition(const struct object *object, const char *name);

// Writes a word of the object's memory, also where the object's pages are read-only. Returns false
// when the system refuses.
bool object_write(const struct object *object, uintptr_t *word, uintptr_t value);
