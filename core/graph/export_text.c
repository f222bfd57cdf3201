#include "graph/export_text.h"

#include <stdbool.h>
#include <string.h>

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

// Of the sequence that `lead` begins, 0 for a byte that begins none.
static unsigned sequence_length(unsigned char lead)
{
    if (lead < 0xc2 || lead > 0xf4) {
        return 0;
    }
    return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

uint32_t otter_next_character(const char **at)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *bytes = (const unsigned char *)*at;
    unsigned length = sequence_length(bytes[0]);
    uint32_t character = length ? bytes[0] & (0x7fu >> length) : bytes[0];
    unsigned n = 1;
    for (; n < length && (bytes[n] & 0xc0) == 0x80; n++) {
        character = character << 6 | (bytes[n] & 0x3f);
    }
    bool is_surrogate = character >= 0xd800 && character < 0xe000;
    if (length &&
        (n < length || character < smallest[length] || character > 0x10ffff || is_surrogate)) {
        character = bytes[0];
        n = 1;
    }
    *at += character ? n : 0;
    return character;
}

void otter_put_character(FILE *out, uint32_t character)
{
    if (character < 0x80) {
        putc_unlocked((int)character, out);
        return;
    }
    unsigned n_more = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
    putc_unlocked((int)((0xff00u >> (n_more + 1) & 0xff) | character >> 6 * n_more), out);
    while (n_more-- > 0) {
        putc_unlocked((int)(0x80 | (character >> 6 * n_more & 0x3f)), out);
    }
}

void otter_put_csv(FILE *out, const char *text)
{
    bool is_quoted = text[strcspn(text, ",\"\r\n")] != '\0';
    if (is_quoted) {
        putc_unlocked('"', out);
    }
    for (uint32_t character; (character = otter_next_character(&text)) != 0;) {
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
    for (uint32_t character; (character = otter_next_character(&text)) != 0;) {
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
    for (uint32_t character; (character = otter_next_character(&text)) != 0;) {
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
    for (uint32_t character; (character = otter_next_character(&text)) != 0;) {
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
