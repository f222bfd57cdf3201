// Shows foreign text (labels, metadata, settings, names of files, programs, hosts and threads) to
// the user. Shown text does not break its line and does not control the terminal; different texts
// look different.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OTTER_VISIBLE_MAX = 12 };

// A shown character: itself, or an escape of ASCII letters.
struct otter_visible {
    char bytes[OTTER_VISIBLE_MAX];
    unsigned char n_bytes, n_columns; // wide characters and emoji have two columns
    bool is_escape;
};

// Returns whether a character is shown as itself. Controls (C0, DEL, C1), marks that reorder text,
// line and paragraph separators, characters of no width and noncharacters are not.
bool otter_visible_is(uint32_t character);

// Shows the character at *at and advances *at; the text ends at `end`. Returns false at the end.
//   \n \r \t         these controls
//   \x1b             other controls below U+0080, and each byte that is not UTF-8
//   \u0085 \U0001fffe  other characters that are not shown as themselves
//   \\               a backslash that otherwise reads as the start of an escape
bool otter_visible_next(const char **at, const char *end, struct otter_visible *visible);

// Returns whether the whole text is shown without an escape.
bool otter_visible_is_text(const char *text);

// Returns the text as a word of a shell's command line, which the caller frees; NULL: out of
// memory.
//   a_b              text without special characters
//   'a b'            other text that is shown without an escape, without ' and backslash
//   $'a\033b'        all other text: octal escapes, which bash, ksh and zsh read
char *otter_visible_word(const char *text);
