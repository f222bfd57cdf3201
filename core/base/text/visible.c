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

// Ranges of characters that terminals show in two columns: East Asian wide characters, emoji.
static const uint32_t wide[][2] = {
    {0x1100, 0x115f},   {0x231a, 0x231b},   {0x2329, 0x232a},   {0x23e9, 0x23ec},
    {0x23f0, 0x23f0},   {0x23f3, 0x23f3},   {0x25fd, 0x25fe},   {0x2614, 0x2615},
    {0x2648, 0x2653},   {0x267f, 0x267f},   {0x2693, 0x2693},   {0x26a1, 0x26a1},
    {0x26aa, 0x26ab},   {0x26bd, 0x26be},   {0x26c4, 0x26c5},   {0x26ce, 0x26ce},
    {0x26d4, 0x26d4},   {0x26ea, 0x26ea},   {0x26f2, 0x26f3},   {0x26f5, 0x26f5},
    {0x26fa, 0x26fa},   {0x26fd, 0x26fd},   {0x2705, 0x2705},   {0x270a, 0x270b},
    {0x2728, 0x2728},   {0x274c, 0x274c},   {0x274e, 0x274e},   {0x2753, 0x2755},
    {0x2757, 0x2757},   {0x2795, 0x2797},   {0x27b0, 0x27b0},   {0x27bf, 0x27bf},
    {0x2b1b, 0x2b1c},   {0x2b50, 0x2b50},   {0x2b55, 0x2b55},   {0x2e80, 0x303e},
    {0x3041, 0xa4cf},   {0xa960, 0xa97f},   {0xac00, 0xd7a3},   {0xf900, 0xfaff},
    {0xfe10, 0xfe19},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},
    {0x16fe0, 0x18cff}, {0x1b000, 0x1b2fb}, {0x1f004, 0x1f004}, {0x1f0cf, 0x1f0cf},
    {0x1f18e, 0x1f18e}, {0x1f191, 0x1f19a}, {0x1f200, 0x1f320}, {0x1f32d, 0x1f335},
    {0x1f337, 0x1f37c}, {0x1f37e, 0x1f393}, {0x1f3a0, 0x1f3ca}, {0x1f3cf, 0x1f3d3},
    {0x1f3e0, 0x1f3f0}, {0x1f3f4, 0x1f3f4}, {0x1f3f8, 0x1f43e}, {0x1f440, 0x1f440},
    {0x1f442, 0x1f4fc}, {0x1f4ff, 0x1f53d}, {0x1f54b, 0x1f54e}, {0x1f550, 0x1f567},
    {0x1f57a, 0x1f57a}, {0x1f595, 0x1f596}, {0x1f5a4, 0x1f5a4}, {0x1f5fb, 0x1f64f},
    {0x1f680, 0x1f6c5}, {0x1f6cc, 0x1f6cc}, {0x1f6d0, 0x1f6d2}, {0x1f6d5, 0x1f6df},
    {0x1f6eb, 0x1f6ec}, {0x1f6f4, 0x1f6fc}, {0x1f7e0, 0x1f7eb}, {0x1f90c, 0x1f93a},
    {0x1f93c, 0x1f945}, {0x1f947, 0x1f9ff}, {0x1fa70, 0x1faff}, {0x20000, 0x3fffd},
};

static bool is_wide(uint32_t character)
{
    size_t low = 0, high = sizeof wide / sizeof *wide;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (character > wide[middle][1]) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < sizeof wide / sizeof *wide && character >= wide[low][0];
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
    visible->is_escape = is_byte || must_be_escaped(character, *at, end);
    if (visible->is_escape) {
        visible->n_bytes = (unsigned char)write_escape(character, is_byte, visible->bytes);
        visible->n_columns = visible->n_bytes;
    } else {
        visible->n_bytes = (unsigned char)otter_utf8_encode(character, visible->bytes);
        visible->n_columns = is_wide(character) ? 2 : 1;
    }
    return true;
}

bool otter_visible_is_text(const char *text)
{
    const char *end = text + strlen(text);
    struct otter_visible visible;
    while (otter_visible_next(&text, end, &visible)) {
        if (visible.is_escape) {
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
        is_plain = is_plain && !visible.is_escape;
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
