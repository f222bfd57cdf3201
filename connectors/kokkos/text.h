// Texts from Kokkos.
#pragma once

#include <stddef.h>
#include <string.h>

// Callers other than Kokkos may pass NULL to a hook.
static inline const char *text_of(const char *name)
{
    return name ? name : "";
}

// *Returns* the length of the longest prefix of `text` that fits into `max` bytes and does not
// split a UTF-8 character.
static inline size_t text_fit(const char *text, size_t max)
{
    size_t n = strnlen(text, max), begin = n;
    if (n < max || ((unsigned char)text[n] & 0xc0) != 0x80) {
        return n;
    }
    while (begin > 0 && n - begin < 3 && ((unsigned char)text[begin] & 0xc0) == 0x80) {
        begin--;
    }
    return ((unsigned char)text[begin] & 0xc0) == 0xc0 ? begin : n;
}
