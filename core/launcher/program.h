// The program to record: the kind of its file, and its libraries.
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum otter_program_kind {
    OTTER_PROGRAM_UNKNOWN = 0, // the file was not found or is not readable
    OTTER_PROGRAM_SCRIPT,      // the file is not an ELF file
    OTTER_PROGRAM_FOREIGN,     // the file is for another machine or word size
    OTTER_PROGRAM_STATIC,
    OTTER_PROGRAM_DYNAMIC,
};

struct otter_program {
    enum otter_program_kind kind;
    char *path;         // the file that `execvp` finds, or NULL
    bool is_privileged; // set-user-ID, set-group-ID or capabilities: the loader ignores variables
    char *interpreter;
    char **libraries; // paths in the order of loading, including those of LD_PRELOAD
    size_t n_libraries;
};

// Returns whether the path names a file that this user may execute.
bool otter_program_is_executable(const char *path);

// Inspects the program that `name` means on a command line. Never fails; `kind` may be
// OTTER_PROGRAM_UNKNOWN.
void otter_program_init(struct otter_program *program, const char *name);
void otter_program_finish(struct otter_program *program);

// Inspects the program that arguments[0] launches, such as ./app in `mpirun ./app`: the first of
// the later arguments that `is_wanted` accepts. *Returns* false if there is none; `found` then
// needs no finish.
bool otter_program_init_launched(struct otter_program *found, char *const *arguments,
                                 bool (*is_wanted)(const struct otter_program *program));

// Returns the path of the first library whose file name begins with `beginning`, or NULL.
const char *otter_program_library(const struct otter_program *program, const char *beginning);

// Returns the path to which the loader resolves `library` in LD_PRELOAD, or NULL. The caller frees
// it.
char *otter_program_resolve(const struct otter_program *program, const char *library);

// Returns the path of the program or library that imports or defines the symbol, or NULL. Skips
// libraries whose file name begins with `except`.
const char *otter_program_importer(const struct otter_program *program, const char *symbol,
                                   const char *except);
const char *otter_program_definer(const struct otter_program *program, const char *symbol,
                                  const char *const *except, size_t n_except);

// Returns whether the program's file, or a library whose file name contains `library`, contains the
// text.
bool otter_program_mentions(const struct otter_program *program, const char *text,
                            const char *library);
