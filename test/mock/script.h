// Scripts: what a mock runtime plays, one event a line. README.md has the language.
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
    unsigned number;               // in the file
    int thread;                    // of `T2 ...`; SCRIPT_NO_THREAD: a directive
    char *words[SCRIPT_MAX_WORDS]; // without the thread
    size_t n_words;
};

// Each word of a script is a name: what the tool keeps in it, and where in the program it is.
struct name {
    const char *text;
    ompt_data_t data;
};

struct script {
    struct line *lines;
    size_t n_lines;
    struct name *names;
    size_t n_names;
    int n_threads; // the largest number + 1
};

// `include NAME` stands for the lines of NAME.part in the same folder. Ends the process when a file cannot be read.
void script_read(struct script *script, const char *path);

// Says what is wrong with a line and ends the process.
_Noreturn void line_fail(const struct line *line, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// The words that are no KEY=VALUE, from 0, which is what the line does; NULL: there are fewer.
const char *line_word(const struct line *line, size_t index);

// The value of KEY=VALUE, or `otherwise`.
const char *line_value(const struct line *line, const char *key, const char *otherwise);

// Whether the word stands in the line.
bool line_has(const struct line *line, const char *word);

// The same as numbers. A word that is missing or means no number ends the process.
uint64_t line_enum(const struct line *line, size_t index, enum words group);
uint64_t line_flags(const struct line *line, const char *key, enum words group, uint64_t otherwise);
uint64_t line_number(const struct line *line, const char *key, uint64_t otherwise);

// A number as it stands, or one of its own for each name.
uint64_t script_address(const struct script *script, const char *text);

// What the tool keeps in that name; NULL for "null".
ompt_data_t *script_data(const struct script *script, const char *text);

// The place of the first name in the list.
size_t script_name_index(const struct script *script, const char *text);
