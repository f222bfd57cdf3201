// Shows each character of foreign text as itself or as an escape.
#include "base/text/visible.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/utf8.h"

bool otter_visible_is(uint32_t character)
{
    bool is_control = character < 0x20 || (character >= 0x7f && character < 0xa0);
    bool reorders = (character >= 0x200b && character <= 0x200f) ||
                    (character >= 0x2028 && character <= 0x202e) ||
                    (character >= 0x2060 && character <= 0x206f) || character == 0x061c ||
                    character == 0xfeff;
    bool is_none = (character & 0xfffe) == 0xfffe || (character >= 0xfdd0 && character <= 0xfdef);
    return !is_control && !reorders && !is_none;
}

// Returns the character at *at and advances *at. `*is_byte`: the byte is not UTF-8.
static uint32_t next(const char **at, const char *end, bool *is_byte)
{
    char window[OTTER_UTF8_MAX + 1] = "";
    size_t left = (size_t)(end - *at);
    memcpy(window, *at, left < OTTER_UTF8_MAX ? left : OTTER_UTF8_MAX);
    const char *behind = window;
    uint32_t character = otter_utf8_next(&behind);
    *is_byte = character >= 0x80 && behind == window + 1;
    *at += character ? behind - window : 1;
    return character;
}

static char short_escape(uint32_t character)
{
    switch (character) {
    case '\n': return 'n';
    case '\r': return 'r';
    case '\t': return 't';
    case '\\': return '\\';
    default: return '\0';
    }
}

static bool must_be_escaped(uint32_t character, const char *behind, const char *end)
{
    if (character != '\\') {
        return !otter_visible_is(character);
    }
    return behind < end && *behind && strchr("\\nrtxuU", *behind);
}

static int write_escape(uint32_t character, bool is_byte, char *to)
{
    char letter = short_escape(character);
    if (letter) {
        return snprintf(to, OTTER_VISIBLE_MAX, "\\%c", letter);
    }
    if (is_byte || character < 0x80) {
        return snprintf(to, OTTER_VISIBLE_MAX, "\\x%02x", (unsigned)character);
    }
    return snprintf(to, OTTER_VISIBLE_MAX, character > 0xffff ? "\\U%08x" : "\\u%04x",
                    (unsigned)character);
}

bool otter_visible_next(const char **at, const char *end, struct otter_visible *visible)
{
    if (*at >= end || **at == '\0') {
        return false;
    }
    bool is_byte;
    uint32_t character = next(at, end, &is_byte);
    if (is_byte || must_be_escaped(character, *at, end)) {
        visible->n_bytes = (unsigned char)write_escape(character, is_byte, visible->bytes);
        visible->n_columns = visible->n_bytes;
    } else {
        visible->n_bytes = (unsigned char)otter_utf8_encode(character, visible->bytes);
        visible->n_columns = 1;
    }
    return true;
}

bool otter_visible_is_text(const char *text)
{
    const char *end = text + strlen(text);
    struct otter_visible visible;
    while (otter_visible_next(&text, end, &visible)) {
        if (visible.n_columns > 1) {
            return false;
        }
    }
    return true;
}

static char *quoted(const char *text)
{
    size_t room = strlen(text) + sizeof "''";
    char *word = malloc(room);
    if (word) {
        snprintf(word, room, "'%s'", text);
    }
    return word;
}

static char *escaped(const char *text)
{
    char *word = malloc(4 * strlen(text) + sizeof "$''"), *to = word;
    if (!word) {
        return NULL;
    }
    to = stpcpy(to, "$'");
    for (const char *at = text, *end = text + strlen(text); at < end;) {
        struct otter_visible visible;
        const char *begin = at;
        bool is_plain = strchr("'\\", *at) == NULL;
        otter_visible_next(&at, end, &visible);
        is_plain = is_plain && visible.n_columns == 1;
        for (; begin < at; begin++) {
            to += is_plain ? (*to = *begin, 1) : sprintf(to, "\\%03o", (unsigned char)*begin);
        }
    }
    strcpy(to, "'");
    return word;
}

char *otter_visible_word(const char *text)
{
    if (!otter_visible_is_text(text) || strpbrk(text, "'\\")) {
        return escaped(text);
    }
    bool is_plain = *text && *text != '~' && !strpbrk(text, " \"$&;()<>|*?`#![]{}");
    return is_plain ? strdup(text) : quoted(text);
}
