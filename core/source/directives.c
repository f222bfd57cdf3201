// Finds OpenMP directives in the text of C, C++ and Fortran.
#include "source/directives.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/free.h"
#include "base/file.h"

enum { MAX_SIZE = 16 * 1024 * 1024 };

struct directive {
    const char *words; // "single private(a) ...", with all lines of a continued directive
    uint32_t line, last_line;
    bool has_nowait; // itself, or in Fortran the directive that ends the construct
    bool has_end;    // a later directive "end ..."
};

struct otter_source_text {
    char *name, *text; // text: NULL if the file cannot be read
    struct {
        OTTER_VECTOR(struct directive);
    } directives;
};

// ---- reading

static bool is_readable(const struct stat *file, uint64_t newest)
{
    uint64_t changed =
        (uint64_t)file->st_mtim.tv_sec * 1000000000 + (uint64_t)file->st_mtim.tv_nsec;
    return S_ISREG(file->st_mode) && file->st_size < MAX_SIZE && changed <= newest;
}

// Returns the text, or NULL.
static char *read_text(const char *path, uint64_t newest)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat about;
    size_t n = 0;
    char *text = NULL;
    if (file < 0) {
        return NULL;
    }
    if (fstat(file, &about) == 0 && is_readable(&about, newest)) {
        text = malloc((size_t)about.st_size + 1);
    }
    if (text) {
        otter_file_read(file, text, (size_t)about.st_size, 0, &n);
        text[n] = '\0';
    }
    close(file);
    return text;
}

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t");
}

// Returns the text after the word `word` and blanks, or NULL.
static const char *after(const char *at, const char *word)
{
    size_t n = strlen(word);
    return at && strncasecmp(at, word, n) == 0 ? skip_blanks(at + n) : NULL;
}

// Returns the words of the directive that begins in the line, or NULL. C has `#pragma omp` and
// _Pragma("omp"), Fortran `!$omp`, and in its fixed form `c$omp` and `*$omp`.
static const char *words_of(const char *line)
{
    const char *at = skip_blanks(line);
    const char *pragma = *at == '#' ? after(skip_blanks(at + 1), "pragma") : strstr(at, "_Pragma");
    if (*at != '#' && pragma) {
        pragma = after(after(after(pragma, "_Pragma"), "("), "\"");
    }
    bool is_fortran = *at == '!' || *line == 'c' || *line == 'C' || *line == '*';
    return pragma ? after(pragma, "omp") : is_fortran ? after(at + 1, "$omp") : NULL;
}

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// Returns the text after a C comment that begins at `at`, otherwise `at`.
static const char *skip_comment(const char *at)
{
    const char *end = strncmp(at, "/*", 2) == 0 ? strstr(at + 2, "*/") : NULL;
    return end ? end + 2 : at;
}

// Returns whether a directive has the clause `nowait`. Arguments of other clauses are in
// parentheses; a comment may stand between or after the clauses.
static bool has_nowait(const char *words)
{
    int depth = 0;
    while (*words && (depth > 0 || (*words != '!' && strncmp(words, "//", 2) != 0))) {
        size_t n = strspn(words, LETTERS "_0123456789");
        if (depth == 0 && n == strlen("nowait") && strncasecmp(words, "nowait", n) == 0) {
            return true;
        }
        const char *next = n > 0 ? words + n : skip_comment(words);
        depth += next == words ? (*words == '(') - (*words == ')') : 0;
        words = next == words ? words + 1 : next;
    }
    return false;
}

// If the directive is "end do", it ends the last directive "do" before it that has no end yet. The
// ended directive has the clause `nowait` if its end has it.
static void end_directive(struct otter_source_text *source, const char *words)
{
    const char *ended = after(words, "end");
    size_t n = ended ? strspn(ended, LETTERS) : 0;
    for (uint32_t i = source->directives.n; n > 0 && i > 0; i--) {
        struct directive *directive = &source->directives.items[i - 1];
        if (!directive->has_end && strspn(directive->words, LETTERS) == n &&
            strncasecmp(directive->words, ended, n) == 0) {
            directive->has_end = true;
            directive->has_nowait = directive->has_nowait || has_nowait(ended);
            return;
        }
    }
}

// Returns the start of the mark in `line` that continues the directive on the next line, or NULL.
// The mark is a backslash in C, and `&` in free-form Fortran, perhaps followed by a comment.
static char *find_continuation(char *line)
{
    char *last = line + strlen(line), *mark = strchr(line, '&');
    while (last > line && strchr(" \t\r", last[-1])) {
        last--;
    }
    if (last > line && last[-1] == '\\') {
        return last - 1;
    }
    const char *rest = mark ? skip_blanks(mark + 1) : "";
    return mark && (rest >= last || *rest == '!') ? mark : NULL;
}

// Ends the line with '\0', and joins it with the next ones if it is a directive that continues
// there. Counts these in *number. Returns the start of the line after them.
static char *end_line(char *line, uint32_t *number)
{
    char *end = line + strcspn(line, "\n");
    while (*end != '\0') {
        *end = '\0';
        char *mark = words_of(line) ? find_continuation(line) : NULL, *next = end + 1;
        if (!mark) {
            return next;
        }
        end = next + strcspn(next, "\n");
        bool is_last = *end == '\0';
        *end = '\0';
        const char *words = *mark == '&' ? words_of(next) : next;
        memset(mark, ' ', (size_t)((words ? words : next) - mark));
        *end = is_last ? '\0' : '\n';
        ++*number;
    }
    return end;
}

static void find_directives(struct otter_source_text *source)
{
    uint32_t number = 1;
    for (char *line = source->text, *end; line && *line; line = end, number++) {
        uint32_t first = number;
        end = end_line(line, &number);
        const char *words = words_of(line);
        if (words && OTTER_VECTOR_RESERVE(&source->directives)) {
            end_directive(source, words);
            source->directives.items[source->directives.n++] =
                (struct directive){.words = words,
                                   .line = first,
                                   .last_line = number,
                                   .has_nowait = has_nowait(words)};
        }
    }
}

static const struct otter_source_text *source_of(struct otter_directives *directives,
                                                 const char *file)
{
    for (uint32_t i = 0; i < directives->texts.n; i++) {
        if (strcmp(directives->texts.items[i]->name, file) == 0) {
            return directives->texts.items[i];
        }
    }
    struct otter_source_text *source = calloc(1, sizeof *source);
    char *name = strdup(file);
    if (!source || !name || !OTTER_VECTOR_RESERVE(&directives->texts)) {
        free(source);
        free(name);
        return NULL;
    }
    source->name = name;
    source->text = read_text(file, directives->newest);
    find_directives(source);
    return directives->texts.items[directives->texts.n++] = source;
}

void otter_directives_finish(struct otter_directives *directives)
{
    for (uint32_t i = 0; i < directives->texts.n; i++) {
        struct otter_source_text *source = directives->texts.items[i];
        OTTER_FREE(source->directives.items, source->text, source->name, source);
    }
    free(directives->texts.items);
}

// ---- searching

enum { MAX_WORDS = 6 };

// The directives for which GCC's code calls a function.
static const struct kind {
    const char *callee;           // how the function's name begins
    const char *words[MAX_WORDS]; // one of these words must name the directive
    bool is_combined;             // the word may follow another: "parallel for"
    bool is_wait;                 // a directive with `nowait` does not count
} kinds[] = {
    {"GOMP_single_", {"single", "workshare"}, false, false},
    {"GOMP_taskgroup_start", {"taskgroup"}, false, false},
    {"GOMP_ordered_start", {"ordered"}, false, false},
    {"GOMP_critical_", {"critical"}, false, false},
    {"GOMP_scope_start", {"scope"}, false, false},
    {"GOMP_sections", {"sections"}, false, false}, // 'parallel sections' calls another function
    {"GOMP_loop_", {"for", "do"}, true, false},
    {"GOMP_barrier", {"barrier", "for", "do", "single", "workshare", "scope"}, false, true},
};

static const struct kind *kind_of(const char *callee)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strncmp(callee, kinds[i].callee, strlen(kinds[i].callee)) == 0) {
            return &kinds[i];
        }
    }
    return NULL;
}

static bool is_of_kind(const struct directive *directive, const struct kind *kind)
{
    const char *words = directive->words;
    if (kind->is_wait && directive->has_nowait) {
        return false;
    }
    do {
        size_t n = strspn(words, LETTERS);
        for (int i = 0; n > 0 && i < MAX_WORDS && kind->words[i]; i++) {
            if (strlen(kind->words[i]) == n && strncasecmp(words, kind->words[i], n) == 0) {
                return true;
            }
        }
        if (n == 0 || strncasecmp(words, "end", n) == 0 || words[n] == '(') {
            return false;
        }
        words = skip_blanks(words + n);
    } while (kind->is_combined);
    return false;
}

uint32_t otter_directives_nearest(struct otter_directives *directives, const char *file,
                                  const char *callee, uint32_t first, uint32_t end, uint32_t line)
{
    const struct kind *kind = kind_of(callee);
    const struct otter_source_text *source = kind ? source_of(directives, file) : NULL;
    uint32_t best = 0, least = UINT32_MAX;
    for (uint32_t i = 0; source && i < source->directives.n; i++) {
        const struct directive *directive = &source->directives.items[i];
        uint32_t distance =
            directive->line > line ? directive->line - line : line - directive->line;
        bool is_inside = directive->line >= first && directive->line < end;
        if (is_inside && distance <= least && is_of_kind(directive, kind)) {
            best = directive->line;
            least = distance;
        }
    }
    return best;
}

uint32_t otter_directives_first_line(struct otter_directives *directives, const char *file,
                                     uint32_t line)
{
    const struct otter_source_text *source = source_of(directives, file);
    for (uint32_t i = 0; source && i < source->directives.n; i++) {
        const struct directive *directive = &source->directives.items[i];
        if (directive->line < line && line <= directive->last_line) {
            return directive->line;
        }
    }
    return line;
}
