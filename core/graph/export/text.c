// Writes texts and numbers, escaped for each format.
#include "graph/export/text.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/text/utf8.h"
#include "base/text/visible.h"

void otter_put(FILE *out, const char *text)
{
    fputs_unlocked(text, out);
}

void otter_put_number(FILE *out, int64_t number)
{
    char digits[24], *at = digits + sizeof digits;
    uint64_t rest = number < 0 ? -(uint64_t)number : (uint64_t)number;
    do {
        *--at = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (number < 0) {
        *--at = '-';
    }
    fwrite_unlocked(at, 1, (size_t)(digits + sizeof digits - at), out);
}

static void put_character(FILE *out, uint32_t character)
{
    if (character < 0x80) {
        putc_unlocked((int)character, out);
        return;
    }
    char bytes[OTTER_UTF8_MAX];
    fwrite_unlocked(bytes, 1, otter_utf8_encode(character, bytes), out);
}

// Escapes the character as base/text/visible.h does.
static void put_visible(FILE *out, uint32_t character)
{
    char bytes[OTTER_UTF8_MAX];
    struct otter_visible visible;
    const char *at = bytes;
    if (otter_visible_next(&at, bytes + otter_utf8_encode(character, bytes), &visible)) {
        fwrite_unlocked(visible.bytes, 1, visible.n_bytes, out);
    }
}

// Returns whether a spreadsheet would evaluate a cell, even in quotes.
static bool is_formula(const char *text)
{
    return *text && strchr("=+-@\t\r\n", *text) != NULL;
}

void otter_put_csv(FILE *out, const char *text)
{
    bool is_quoted = text[strcspn(text, ",;\"\t\r\n")] != '\0';
    if (is_quoted) {
        putc_unlocked('"', out);
    }
    if (is_formula(text)) {
        putc_unlocked('\'', out);
    }
    for (uint32_t character; (character = otter_utf8_next(&text)) != 0;) {
        if (character == '"') {
            putc_unlocked('"', out);
        }
        if (!otter_visible_is(character) && isatty(fileno(out))) {
            put_visible(out, character);
        } else {
            put_character(out, character);
        }
    }
    if (is_quoted) {
        putc_unlocked('"', out);
    }
}

// Writes a character beyond U+FFFF as a surrogate pair.
static void put_json_escape(FILE *out, uint32_t character)
{
    if (character > 0xffff) {
        fprintf(out, "\\u%04x\\u%04x", (unsigned)(0xd7c0 + (character >> 10)),
                (unsigned)(0xdc00 + (character & 0x3ff)));
    } else {
        fprintf(out, "\\u%04x", (unsigned)character);
    }
}

void otter_put_json(FILE *out, const char *text)
{
    putc_unlocked('"', out);
    for (uint32_t character; (character = otter_utf8_next(&text)) != 0;) {
        if (!otter_visible_is(character)) {
            put_json_escape(out, character);
            continue;
        }
        if (character == '"' || character == '\\') {
            putc_unlocked('\\', out);
        }
        put_character(out, character);
    }
    putc_unlocked('"', out);
}

// Writes the name of a character: "\u202e".
static void put_name(FILE *out, const char *backslash, uint32_t character)
{
    otter_put(out, backslash);
    fprintf(out, character > 0xffff ? "U%08x" : "u%04x", (unsigned)character);
}

// XML 1.0 forbids some characters even in escaped form; these become U+FFFD. Line ends and tabs are
// escaped, because readers replace them in attributes. Invisible characters are escaped too.
static void put_xml_character(FILE *out, uint32_t character)
{
    bool is_none = character < 0x20 || character == 0xfffe || character == 0xffff;
    if (otter_visible_is(character)) {
        put_character(out, character);
    } else if (is_none && (character >= 0x20 || !strchr("\t\n\r", (int)character))) {
        put_character(out, 0xfffd);
    } else {
        fprintf(out, "&#%u;", (unsigned)character);
    }
}

static void put_markup(FILE *out, const char *text, bool is_drawn)
{
    for (uint32_t character; (character = otter_utf8_next(&text)) != 0;) {
        switch (character) {
        case '<': otter_put(out, "&lt;"); break;
        case '>': otter_put(out, "&gt;"); break;
        case '&': otter_put(out, "&amp;"); break;
        case '"': otter_put(out, "&quot;"); break;
        default:
            if (is_drawn && character >= 0x20 && !otter_visible_is(character)) {
                put_name(out, "\\", character);
            } else {
                put_xml_character(out, character);
            }
        }
    }
}

void otter_put_xml(FILE *out, const char *text)
{
    put_markup(out, text, false);
}

void otter_put_dot_markup(FILE *out, const char *text)
{
    put_markup(out, text, true);
}

// Writes an invisible character as text, because Graphviz converts each escape back.
static void put_dot_character(FILE *out, uint32_t character)
{
    if (character < 0x20) {
        putc_unlocked(' ', out);
    } else if (otter_visible_is(character)) {
        put_character(out, character);
    } else {
        put_name(out, "\\\\", character);
    }
}

// Graphviz interprets \", the escapes of its labels (\n, \N, ...) and HTML's entities.
void otter_put_dot(FILE *out, const char *text, size_t limit)
{
    for (uint32_t character; (character = otter_utf8_next(&text)) != 0;) {
        if (limit-- == 0) {
            otter_put(out, "…");
            return;
        }
        switch (character) {
        case '"': otter_put(out, "\\\""); break;
        case '\\': otter_put(out, "\\\\"); break;
        case '&': otter_put(out, "&amp;"); break;
        case '\n': otter_put(out, "\\n"); break;
        default: put_dot_character(out, character);
        }
    }
}

// Avoids printf's %f, whose decimal point depends on the program's locale.
void otter_put_duration(FILE *out, uint64_t nanoseconds)
{
    static const struct {
        uint64_t size;
        const char *name;
    } units[] = {{1000000000, "s"}, {1000000, "ms"}, {1000, "µs"}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        uint64_t size = units[i].size;
        // larger values would round to 1000 of the smaller unit
        if (nanoseconds < size - size / 2000) {
            continue;
        }
        unsigned scale = nanoseconds < size / 1000 * 9995        ? 100
                         : nanoseconds / 10 < size / 1000 * 9995 ? 10
                                                                 : 1;
        uint64_t value = (nanoseconds * scale + size / 2) / size;
        otter_put_number(out, (int64_t)(value / scale));
        if (scale > 1) {
            fprintf(out, ".%0*u", scale == 100 ? 2 : 1, (unsigned)(value % scale));
        }
        fprintf(out, " %s", units[i].name);
        return;
    }
    fprintf(out, "%u ns", (unsigned)nanoseconds);
}
