#include "report/plain.h"

#include <stdbool.h>
#include <stdint.h>

#include "base/utf8.h"
#include "graph/export_text.h"

// Marks that reverse or reorder what stands behind them, and breaks of lines and paragraphs.
static bool reorders(uint32_t character)
{
    return (character >= 0x200b && character <= 0x200f) ||
           (character >= 0x2028 && character <= 0x202e) ||
           (character >= 0x2060 && character <= 0x206f) || character == 0x061c ||
           character == 0xfeff;
}

static const char *short_escape(uint32_t character)
{
    switch (character) {
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    default: return NULL;
    }
}

static size_t width_of(uint32_t character)
{
    if (short_escape(character)) {
        return 2;
    }
    if (character < 0x20 || (character >= 0x7f && character < 0xa0)) {
        return sizeof "\\x1b" - 1;
    }
    return reorders(character) ? sizeof "\\u202e" - 1 : 1;
}

static void put(FILE *out, uint32_t character)
{
    const char *escape = short_escape(character);
    if (escape) {
        fputs(escape, out);
    } else if (width_of(character) == 1) {
        otter_put_character(out, character);
    } else {
        fprintf(out, reorders(character) ? "\\u%04x" : "\\x%02x", (unsigned)character);
    }
}

static size_t width_of_text(const char *text)
{
    size_t width = 0;
    for (uint32_t character; (character = otter_utf8_next(&text)) != 0;) {
        width += width_of(character);
    }
    return width;
}

size_t otter_plain_print(FILE *out, const char *text, size_t limit)
{
    size_t total = width_of_text(text);
    bool is_cut = limit > 0 && total > limit;
    size_t head = is_cut ? (limit - 1) * 2 / 3 : total; // columns before the gap
    size_t tail = is_cut ? limit - 1 - head : 0;        // and behind it
    size_t at = 0, used = 0;
    bool has_gap = false;
    for (uint32_t character; (character = otter_utf8_next(&text)) != 0;) {
        size_t width = width_of(character);
        if ((!has_gap && at + width <= head) || total - at <= tail) {
            put(out, character);
            used += width;
        } else if (!has_gap) {
            fputs("…", out);
            used++;
            has_gap = true;
        }
        at += width;
    }
    return used;
}
