// Collects the bytes of a binary format in memory.
#include "export/encode/bytes.h"

#include <stdlib.h>
#include <string.h>

void otter_bytes_clear(struct otter_bytes *bytes)
{
    bytes->n = 0;
}

void otter_bytes_finish(struct otter_bytes *bytes)
{
    free(bytes->items);
    *bytes = (struct otter_bytes){0};
}

void otter_bytes_reserve(struct otter_bytes *bytes, size_t n)
{
    if (bytes->n + n > bytes->room) {
        bytes->room = 2 * (bytes->n + n) + 64;
        bytes->items = realloc(bytes->items, bytes->room);
    }
}

void otter_bytes_add(struct otter_bytes *bytes, const void *from, size_t n)
{
    if (n > 0) {
        otter_bytes_reserve(bytes, n);
        memcpy(bytes->items + bytes->n, from, n);
        bytes->n += n;
    }
}

void otter_bytes_add_number(struct otter_bytes *bytes, uint64_t value, unsigned n)
{
    unsigned char encoded[sizeof value];
    for (unsigned i = 0; i < n; i++) {
        encoded[i] = (unsigned char)(value >> 8 * i);
    }
    otter_bytes_add(bytes, encoded, n);
}

size_t otter_varint_encode(uint64_t value, unsigned char to[OTTER_MAX_VARINT])
{
    size_t n = 0;
    for (; value >= 0x80; value >>= 7) {
        to[n++] = (unsigned char)(value | 0x80);
    }
    to[n++] = (unsigned char)value;
    return n;
}

void otter_bytes_add_varint(struct otter_bytes *bytes, uint64_t value)
{
    unsigned char encoded[OTTER_MAX_VARINT];
    otter_bytes_add(bytes, encoded, otter_varint_encode(value, encoded));
}
