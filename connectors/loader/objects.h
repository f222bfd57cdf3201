// The shared objects of the process.
#pragma once

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef ElfW(Phdr) object_header; // header of a segment

// An object of the process, valid while it is visited.
struct object {
    const struct dl_phdr_info *info;
    const char *strings;
    const ElfW(Sym) * symbols;
    const ElfW(Rela) * tables[2]; // relocations
    size_t n[2];
    const uint32_t *hash; // the GNU hash table of the symbols that the object defines, or NULL
};

// Calls `visit` for each object until it returns true. *Returns* whether a call returned true.
bool objects_visit(bool (*visit)(const struct object *object, void *user), void *user);

// *Returns* the header of the object's segment that contains `address`, or NULL.
const object_header *object_segment(const struct object *object, uintptr_t address);
bool object_contains(const struct object *object, uintptr_t address);

// *Returns* the address of a function or variable that the object defines, or NULL. Unlike dlopen()
// with RTLD_NOLOAD after the library's destructors have run, this never runs constructors.
void *object_definition(const struct object *object, const char *name);
