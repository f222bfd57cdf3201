// A look into an ELF file: how it is started and which symbols it has. None of this runs the program.
#pragma once

#include <stdbool.h>

struct otter_elf;

// NULL when the file cannot be read or is no ELF file.
struct otter_elf *otter_elf_open(const char *path);
void otter_elf_close(struct otter_elf *elf);

// Is it made for the machine that this command runs on, and of the same word size?
bool otter_elf_is_native(const struct otter_elf *elf);

// Is it made to be loaded by programs, and none itself?
bool otter_elf_is_library(const struct otter_elf *elf);

// The dynamic loader that it asks for, or NULL: a static program, or a library. Lives as long as `elf`.
const char *otter_elf_interpreter(const struct otter_elf *elf);

// Does it use `symbol` of another file, or have it itself (exported, or in the table that `strip` removes)?
bool otter_elf_imports(const struct otter_elf *elf, const char *symbol);
bool otter_elf_defines(const struct otter_elf *elf, const char *symbol);

// A symbol that a file wants of others. The texts live as long as the file is open.
struct otter_elf_symbol {
    const char *name;
    const char *version; // NULL: any
    const char *library; // the file name of the library that had this version at link time, or NULL
};

// Returns true to stop.
typedef bool otter_elf_visit(const struct otter_elf_symbol *symbol, void *user);

// Calls `visit` for each symbol that the dynamic loader must find in another file. Returns whether
// `visit` stopped it.
bool otter_elf_find_import(const struct otter_elf *elf, otter_elf_visit *visit, void *user);

// Would the dynamic loader, when it reaches this file, take a symbol of it for `name` in `version`
// (NULL: any)?
bool otter_elf_satisfies(const struct otter_elf *elf, const char *name, const char *version);
