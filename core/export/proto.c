// Writes messages of Protocol Buffers.
#include "export/proto.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

enum { TYPE_VARINT = 0, TYPE_FIXED64 = 1, TYPE_BYTES = 2, MOST_VARINT = 10 };

void otter_proto_clear(struct otter_proto *message)
{
    message->n = 0;
}

void otter_proto_finish(struct otter_proto *message)
{
    free(message->bytes);
    *message = (struct otter_proto){0};
}

static void add_bytes(struct otter_proto *message, const void *bytes, size_t n)
{
    if (message->n + n > message->room) {
        size_t room = 2 * (message->n + n) + 64;
        unsigned char *more = realloc(message->bytes, room);
        if (!more) {
            message->is_short_of_memory = true;
            return;
        }
        message->bytes = more;
        message->room = room;
    }
    if (n > 0) {
        memcpy(message->bytes + message->n, bytes, n);
        message->n += n;
    }
}

// Writes 7 bits in each byte, the lowest first. Returns the number of bytes.
static size_t encode(uint64_t value, unsigned char bytes[MOST_VARINT])
{
    size_t n = 0;
    for (; value >= 0x80; value >>= 7) {
        bytes[n++] = (unsigned char)(value | 0x80);
    }
    bytes[n++] = (unsigned char)value;
    return n;
}

static void add_varint(struct otter_proto *message, uint64_t value)
{
    unsigned char bytes[MOST_VARINT];
    add_bytes(message, bytes, encode(value, bytes));
}

static void add_tag(struct otter_proto *message, uint32_t field, unsigned type)
{
    add_varint(message, (uint64_t)field << 3 | type);
}

void otter_proto_number(struct otter_proto *message, uint32_t field, uint64_t value)
{
    add_tag(message, field, TYPE_VARINT);
    add_varint(message, value);
}

void otter_proto_fixed64(struct otter_proto *message, uint32_t field, uint64_t value)
{
    unsigned char bytes[8];
    for (unsigned i = 0; i < sizeof bytes; i++) {
        bytes[i] = (unsigned char)(value >> 8 * i);
    }
    add_tag(message, field, TYPE_FIXED64);
    add_bytes(message, bytes, sizeof bytes);
}

void otter_proto_text(struct otter_proto *message, uint32_t field, const char *text)
{
    char *copy = otter_utf8_copy(text);
    if (!copy) {
        message->is_short_of_memory = true;
        return;
    }
    size_t n = strlen(copy);
    add_tag(message, field, TYPE_BYTES);
    add_varint(message, n);
    add_bytes(message, copy, n);
    free(copy);
}

void otter_proto_message(struct otter_proto *message, uint32_t field,
                         const struct otter_proto *inner)
{
    message->is_short_of_memory |= inner->is_short_of_memory;
    add_tag(message, field, TYPE_BYTES);
    add_varint(message, inner->n);
    add_bytes(message, inner->bytes, inner->n);
}

void otter_proto_write(FILE *out, uint32_t field, const struct otter_proto *message)
{
    unsigned char bytes[2 * MOST_VARINT];
    size_t n = encode((uint64_t)field << 3 | TYPE_BYTES, bytes);
    n += encode(message->n, bytes + n);
    fwrite(bytes, 1, n, out);
    fwrite(message->bytes, 1, message->n, out);
}
