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
