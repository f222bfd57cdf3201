// A growing array of bytes.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// If all members are zero, there are no bytes.
struct otter_bytes {
    unsigned char *items;
    size_t n, room;
};

// Empties the bytes; their memory is reused.
void otter_bytes_clear(struct otter_bytes *bytes);
void otter_bytes_finish(struct otter_bytes *bytes);

// Makes space for `n` more bytes.
void otter_bytes_reserve(struct otter_bytes *bytes, size_t n);
void otter_bytes_add(struct otter_bytes *bytes, const void *from, size_t n);
// Adds the `n` lowest bytes of a number, the least significant first.
void otter_bytes_add_number(struct otter_bytes *bytes, uint64_t value, unsigned n);

enum { OTTER_MAX_VARINT = 10 };

// Writes 7 bits in each byte, the least significant first. Returns the number of bytes.
size_t otter_varint_encode(uint64_t value, unsigned char to[OTTER_MAX_VARINT]);
void otter_bytes_add_varint(struct otter_bytes *bytes, uint64_t value);
