#include "graph/export_text.h"

#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"

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

void otter_put_character(FILE *out, uint32_t character)
{
    if (character < 0x80) {
        putc_unlocked((int)character, out);
        return;
    }
    char bytes[OTTER_UTF8_MAX];
    fwrite_unlocked(bytes, 1, otter_utf8_encode(character, bytes), out);
}

void otter_put_csv(FILE *out, const char *text)
{
    bool is_quoted = text[strcspn(text, ",\"\r\n")] != '\0';
    if (is_quoted) {
        putc_unlocked('"', out);
    }
    for (uint32_t character; (character = otter_utf8_next(&text)) != 0;) {
        if (character == '"') {
            putc_unlocked('"', out);
        }
        otter_put_character(out, character);
    }
    if (is_quoted) {
        putc_unlocked('"', out);
    }
}

void otter_put_json(FILE *out, const char *text)
{
    putc_unlocked('"', out);
    for (uint32_t character; (character = otter_utf8_next(&text)) != 0;) {
        if (character < 0x20) {
            fprintf(out, "\\u%04x", (unsigned)character);
            continue;
        }
        if (character == '"' || character == '\\') {
            putc_unlocked('\\', out);
        }
        otter_put_character(out, character);
    }
    putc_unlocked('"', out);
}

// Characters that no XML 1.0 document may hold, not even escaped, become U+FFFD. Line ends and tabs are escaped, since
// readers replace them in attributes.
void otter_put_xml(FILE *out, const char *text)
{
    for (uint32_t character; (character = otter_utf8_next(&text)) != 0;) {
        switch (character) {
        case '<': otter_put(out, "&lt;"); break;
        case '>': otter_put(out, "&gt;"); break;
        case '&': otter_put(out, "&amp;"); break;
        case '"': otter_put(out, "&quot;"); break;
        case '\t':
        case '\n':
        case '\r': fprintf(out, "&#%u;", (unsigned)character); break;
        case 0xfffe:
        case 0xffff: otter_put_character(out, 0xfffd); break;
        default: otter_put_character(out, character < 0x20 ? 0xfffd : character); break;
        }
    }
}

// Graphviz knows \" and the escapes of labels (\n, \N, ...), and HTML's entities.
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
        default: otter_put_character(out, character < 0x20 ? ' ' : character); break;
        }
    }
}

// Without printf's %f, whose decimal point is that of the program's language.
void otter_put_duration(FILE *out, uint64_t nanoseconds)
{
    static const struct {
        uint64_t size;
        const char *name;
    } units[] = {{1000000000, "s"}, {1000000, "ms"}, {1000, "µs"}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        uint64_t size = units[i].size;
        if (nanoseconds <
            size - size / 2000) { // the rest would be printed as 1000 of the smaller unit
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
