// Reads scripts: lines, words and names.
#include "script.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn static void out_of_memory(void)
{
    fprintf(stderr, "player: out of memory\n");
    exit(2);
}

// ---- reading

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const struct name *)a)->text, ((const struct name *)b)->text);
}

static void add_name(struct script *script, const char *text)
{
    struct name *names = realloc(script->names, (script->n_names + 1) * sizeof(*names));
    if (!names) {
        out_of_memory();
    }
    script->names = names;
    script->names[script->n_names++] = (struct name){.text = text};
}

// Sorts the names and removes duplicates: several threads search them later.
static void sort_names(struct script *script)
{
    size_t n = 0;
    qsort(script->names, script->n_names, sizeof(*script->names), compare_names);
    for (size_t i = 0; i < script->n_names; i++) {
        if (n == 0 || compare_names(&script->names[n - 1], &script->names[i]) != 0) {
            script->names[n++] = script->names[i];
        }
    }
    script->n_names = n;
}

// Names are whole words, or the parts after '=', ':' or both.
static void add_names(struct script *script, char *word)
{
    add_name(script, word);
    for (char *at = word; *at; at++) {
        if (*at == '=' || *at == ':') {
            add_name(script, at + 1);
        }
    }
}

static void split(struct line *line, char *text)
{
    text[strcspn(text, "#\n")] = '\0';
    char *rest = NULL;
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        bool is_thread = line->n_words == 0 && word[0] == 'T' && isdigit((unsigned char)word[1]);
        if (is_thread && line->thread == SCRIPT_NO_THREAD) {
            line->thread = atoi(word + 1);
            continue;
        }
        if (line->n_words == SCRIPT_MAX_WORDS) {
            line_fail(line, "more than %d words", SCRIPT_MAX_WORDS);
        }
        line->words[line->n_words++] = word;
    }
}

static void read_file(struct script *script, const char *path);

static void include(struct script *script, const struct line *line)
{
    const char *slash = strrchr(line->path, '/');
    int length = slash ? (int)(slash - line->path) + 1 : 0;
    char *path;
    if (line->n_words != 2) {
        line_fail(line, "include what?");
    }
    if (asprintf(&path, "%.*s%s.part", length, line->path, line->words[1]) < 0) {
        out_of_memory();
    }
    read_file(script, path);
}

static void add_line(struct script *script, const struct line *line)
{
    struct line *lines = realloc(script->lines, (script->n_lines + 1) * sizeof(*lines));
    if (!lines) {
        out_of_memory();
    }
    script->lines = lines;
    script->lines[script->n_lines++] = *line;
    if (line->thread >= script->n_threads) {
        script->n_threads = line->thread + 1;
    }
    for (size_t i = 0; i < line->n_words; i++) {
        add_names(script, line->words[i]);
    }
}

static void read_line(struct script *script, const char *path, unsigned number, const char *text)
{
    char *copy = strdup(text);
    if (!copy) {
        out_of_memory();
    }
    struct line line = {
        .script = script, .path = path, .number = number, .thread = SCRIPT_NO_THREAD};
    split(&line, copy);
    if (line.n_words > 0 && strcmp(line.words[0], "include") != 0) {
        add_line(script, &line); // the line now owns the text
        return;
    }
    if (line.n_words > 0) {
        include(script, &line);
    }
    free(copy);
}

static void read_file(struct script *script, const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file) {
        fprintf(stderr, "player: cannot read %s\n", path);
        exit(2);
    }
    char text[1024];
    for (unsigned number = 1; fgets(text, sizeof(text), file); number++) {
        read_line(script, path, number, text);
    }
    fclose(file);
}

void script_read(struct script *script, const char *path)
{
    *script = (struct script){.n_threads = 1};
    read_file(script, path);
    sort_names(script);
}

// ---- lines

void line_fail(const struct line *line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s:%u: ", line->path, line->number);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    exit(2);
}

const char *line_word(const struct line *line, size_t index)
{
    for (size_t i = 0; i < line->n_words; i++) {
        if (!strchr(line->words[i], '=') && index-- == 0) {
            return line->words[i];
        }
    }
    return NULL;
}

const char *line_value(const struct line *line, const char *key, const char *otherwise)
{
    size_t length = strlen(key);
    for (size_t i = 0; i < line->n_words; i++) {
        if (strncmp(line->words[i], key, length) == 0 && line->words[i][length] == '=') {
            return line->words[i] + length + 1;
        }
    }
    return otherwise;
}

bool line_has(const struct line *line, const char *word)
{
    for (size_t i = 0; i < line->n_words; i++) {
        if (strcmp(line->words[i], word) == 0) {
            return true;
        }
    }
    return false;
}

uint64_t line_enum(const struct line *line, size_t index, enum words group)
{
    uint64_t number;
    const char *word = line_word(line, index);
    if (!word || !words_find(group, word, &number)) {
        line_fail(line, "word %zu means nothing here: %s", index, word ? word : "(none)");
    }
    return number;
}

uint64_t line_flags(const struct line *line, const char *key, enum words group, uint64_t otherwise)
{
    uint64_t number = otherwise;
    const char *text = line_value(line, key, NULL);
    if (text && !words_find(group, text, &number)) {
        line_fail(line, "%s: no such word: %s", key, text);
    }
    return number;
}

uint64_t line_number(const struct line *line, const char *key, uint64_t otherwise)
{
    const char *text = line_value(line, key, NULL);
    return text ? script_address(line->script, text) : otherwise;
}

// ---- names

size_t script_name_index(const struct script *script, const char *text)
{
    struct name wanted = {.text = text};
    const struct name *found =
        bsearch(&wanted, script->names, script->n_names, sizeof(wanted), compare_names);
    if (!found) {
        fprintf(stderr, "player: nothing is called %s\n", text);
        exit(2);
    }
    return (size_t)(found - script->names);
}

uint64_t script_address(const struct script *script, const char *text)
{
    enum { FIRST = 0x10000, STEP = 64 };
    char *end;
    uint64_t number = strtoull(text, &end, 0);
    if (end != text && *end == '\0') {
        return number;
    }
    return strcmp(text, "null") == 0 ? 0 : FIRST + STEP * script_name_index(script, text);
}

ompt_data_t *script_data(const struct script *script, const char *text)
{
    return strcmp(text, "null") == 0 ? NULL : &script->names[script_name_index(script, text)].data;
}
