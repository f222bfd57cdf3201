// Decodes and encodes UTF-8, and repairs text that is not UTF-8.
#include "base/text/utf8.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// Returns the length of the sequence that begins with `lead`, or 0.
static unsigned sequence_length(unsigned char lead)
{
    if (lead < 0xc2 || lead > 0xf4) {
        return 0;
    }
    return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

uint32_t otter_utf8_next(const char **at)
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

size_t otter_utf8_cut(const char *text, size_t most)
{
    size_t n = 0;
    for (const char *at = text; otter_utf8_next(&at) != 0 && (size_t)(at - text) <= most;) {
        n = (size_t)(at - text);
    }
    return n;
}

size_t otter_utf8_encode(uint32_t character, char *to)
{
    if (character < 0x80) {
        to[0] = (char)character;
        return 1;
    }
    unsigned n_more = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
    to[0] = (char)((0xff00u >> (n_more + 1) & 0xff) | character >> 6 * n_more);
    for (unsigned i = 1; i <= n_more; i++) {
        to[i] = (char)(0x80 | (character >> 6 * (n_more - i) & 0x3f));
    }
    return 1 + n_more;
}

char *otter_utf8_copy(const char *text)
{
    char *copy = malloc(2 * strlen(text) + 1), *to = copy; // each byte becomes at most two
    if (!copy) {
        return NULL;
    }
    for (uint32_t character; (character = otter_utf8_next(&text)) != 0;) {
        to += otter_utf8_encode(character, to);
    }
    *to = '\0';
    return copy;
}
