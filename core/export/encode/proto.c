// Writes messages of Protocol Buffers.
#include "export/encode/proto.h"

#include <stdlib.h>
#include <string.h>

#include "base/text/utf8.h"

enum { TYPE_VARINT = 0, TYPE_FIXED64 = 1, TYPE_BYTES = 2 };

static void add_tag(struct otter_bytes *message, uint32_t field, unsigned type)
{
    otter_bytes_add_varint(message, (uint64_t)field << 3 | type);
}

void otter_proto_number(struct otter_bytes *message, uint32_t field, uint64_t value)
{
    add_tag(message, field, TYPE_VARINT);
    otter_bytes_add_varint(message, value);
}

void otter_proto_fixed64(struct otter_bytes *message, uint32_t field, uint64_t value)
{
    add_tag(message, field, TYPE_FIXED64);
    otter_bytes_add_number(message, value, sizeof value);
}

void otter_proto_text(struct otter_bytes *message, uint32_t field, const char *text)
{
    char *copy = otter_utf8_copy(text);
    if (!copy) {
        message->is_short_of_memory = true;
        return;
    }
    size_t n = strlen(copy);
    add_tag(message, field, TYPE_BYTES);
    otter_bytes_add_varint(message, n);
    otter_bytes_add(message, copy, n);
    free(copy);
}

void otter_proto_message(struct otter_bytes *message, uint32_t field,
                         const struct otter_bytes *inner)
{
    message->is_short_of_memory |= inner->is_short_of_memory;
    add_tag(message, field, TYPE_BYTES);
    otter_bytes_add_varint(message, inner->n);
    otter_bytes_add(message, inner->items, inner->n);
}

void otter_proto_write(FILE *out, uint32_t field, const struct otter_bytes *message)
{
    unsigned char bytes[2 * OTTER_MAX_VARINT];
    size_t n = otter_varint_encode((uint64_t)field << 3 | TYPE_BYTES, bytes);
    n += otter_varint_encode(message->n, bytes + n);
    fwrite(bytes, 1, n, out);
    fwrite(message->items, 1, message->n, out);
}
