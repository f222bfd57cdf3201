// Reads ELF files: their interpreter and their symbols. Nothing here runs the program.
#pragma once

#include <stdbool.h>

struct otter_elf;

// Returns NULL if the file cannot be read or is not an ELF file.
struct otter_elf *otter_elf_open(const char *path);
void otter_elf_close(struct otter_elf *elf);

// Returns whether the file is for this command's machine and word size.
bool otter_elf_is_native(const struct otter_elf *elf);

// Returns whether the file is a shared library and not a program.
bool otter_elf_is_library(const struct otter_elf *elf);

// Returns the path of the file's dynamic loader; NULL for a static program or a library.
// Valid until `elf` is closed.
const char *otter_elf_interpreter(const struct otter_elf *elf);

// Returns whether the file refers to `symbol` of another file.
bool otter_elf_imports(const struct otter_elf *elf, const char *symbol);

// Returns whether the file defines `symbol`, exported or in the table that `strip` removes.
bool otter_elf_defines(const struct otter_elf *elf, const char *symbol);

// A symbol that a file needs from others. The texts are valid until the file is closed.
struct otter_elf_symbol {
    const char *name;
    const char *version; // NULL: any
    const char *library; // name of the library that had this version at link time, or NULL
};

// Returns true to stop.
typedef bool otter_elf_visit(const struct otter_elf_symbol *symbol, void *user);

// Calls `visit` for each symbol that the dynamic loader must find in another file, until `visit`
// returns true. Returns whether a call returned true.
bool otter_elf_find_import(const struct otter_elf *elf, otter_elf_visit *visit, void *user);

// Returns whether the dynamic loader resolves `name` in `version` (NULL: any) to a symbol of this
// file.
bool otter_elf_satisfies(const struct otter_elf *elf, const char *name, const char *version);
