// The program that is to be recorded: what kind of file it is, and the libraries it will be started with.
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum otter_program_kind {
    OTTER_PROGRAM_UNKNOWN = 0, // not found, not readable
    OTTER_PROGRAM_SCRIPT,      // anything that is no ELF file
    OTTER_PROGRAM_FOREIGN,     // for another machine or word size
    OTTER_PROGRAM_STATIC,
    OTTER_PROGRAM_DYNAMIC,
};

struct otter_program {
    enum otter_program_kind kind;
    char *path;         // as `execvp` would find it; NULL when it would not
    bool is_privileged; // set-user-ID, set-group-ID or capabilities: the loader ignores variables
    char *interpreter;
    char **
        libraries; // of a dynamic program: paths, in the order of loading, with those of LD_PRELOAD
    size_t n_libraries;
};

// Looks at the program that `name` means on a command line, in the present environment. Never fails: it may find nothing.
void otter_program_init(struct otter_program *program, const char *name);
void otter_program_finish(struct otter_program *program);

// The path of the first library whose file name begins with `beginning`, or NULL.
const char *otter_program_library(const struct otter_program *program, const char *beginning);

// What the loader would take for `library` in an LD_PRELOAD of this program: a path for free(), or NULL.
char *otter_program_resolve(const struct otter_program *program, const char *library);

// Does the program, or one of its libraries but those whose name begins with `except`, import or define the symbol?
// The path of that file, or NULL.
const char *otter_program_importer(const struct otter_program *program, const char *symbol,
                                   const char *except);
const char *otter_program_definer(const struct otter_program *program, const char *symbol,
                                  const char *const *except, size_t n_except);

// Is the text somewhere in the program, or in one of its libraries whose name contains `library`?
bool otter_program_mentions(const struct otter_program *program, const char *text,
                            const char *library);

// The part of a path behind its last slash.
const char *otter_file_name(const char *path);
