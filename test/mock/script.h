// Scripts of the mock runtime, one event per line. README.md describes the language.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <omp-tools.h>

#include "words.h"

enum { SCRIPT_MAX_WORDS = 32, SCRIPT_NO_THREAD = -1 };

struct line {
    const struct script *script;
    const char *path;
    unsigned number;               // line number in the file
    int thread;                    // N of `TN ...`; SCRIPT_NO_THREAD: a directive
    char *words[SCRIPT_MAX_WORDS]; // without the thread
    size_t n_words;
};

// A name in a script: the tool's data for it, and its place in the program.
struct name {
    const char *text;
    ompt_data_t data;
};

struct script {
    struct line *lines;
    size_t n_lines;
    struct name *names;
    size_t n_names;
    int n_threads; // largest thread number + 1
};

// Reads a script; `include NAME` inserts NAME.part of the same folder. Ends the process when a file
// cannot be read.
void script_read(struct script *script, const char *path);

// Prints the error of a line and ends the process.
_Noreturn void line_fail(const struct line *line, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Returns the word with this index among words without KEY=VALUE; word 0 is the line's command.
// NULL: there are fewer words.
const char *line_word(const struct line *line, size_t index);

// Returns the value of KEY=VALUE, or `otherwise`.
const char *line_value(const struct line *line, const char *key, const char *otherwise);

// Returns whether the line contains the word.
bool line_has(const struct line *line, const char *word);

// The same, but as numbers. A missing or invalid number ends the process.
uint64_t line_enum(const struct line *line, size_t index, enum words group);
uint64_t line_flags(const struct line *line, const char *key, enum words group, uint64_t otherwise);
uint64_t line_number(const struct line *line, const char *key, uint64_t otherwise);

// Returns a number, or the unique number of a name.
uint64_t script_address(const struct script *script, const char *text);

// Returns the tool's data for a name; NULL for "null".
ompt_data_t *script_data(const struct script *script, const char *text);

// Returns the index of the first name in the list.
size_t script_name_index(const struct script *script, const char *text);
