// Text of others (labels; names of files, folders, programs, hosts, threads; settings; metadata) as
// a person may see the text: on its line, without effect on a terminal, and so that different texts
// look different.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OTTER_VISIBLE_MAX = 12 };

// One character as it is shown: itself, or an escape of ASCII letters.
struct otter_visible {
    char bytes[OTTER_VISIBLE_MAX];
    unsigned char n_bytes, n_columns;
};

// Whether a character shows itself. Controls (C0, DEL, C1), marks that reorder text, breaks of
// lines and paragraphs, characters of no width and noncharacters do not.
bool otter_visible_is(uint32_t character);

// Shows the character at *at, which moves on, of the text that ends at `end`. Returns false at the end.
//   \n \r \t         these controls
//   \x1b             other controls below U+0080, and each byte that is no UTF-8
//   \u0085 \U0001fffe  other characters that do not show themselves
//   \\               a backslash, where it could be taken for the begin of one of these escapes
bool otter_visible_next(const char **at, const char *end, struct otter_visible *visible);

// Whether the whole text shows itself, without an escape.
bool otter_visible_is_text(const char *text);

// The text as a word of a shell's command line, for free(). A text that has neither a special character nor one that does not show itself
// is its own word. NULL: out of memory.
//   'a b'            other texts that show themselves, without ' and backslash
//   $'a\033b'        all others: octal escapes, which bash, ksh and zsh read
char *otter_visible_word(const char *text);
