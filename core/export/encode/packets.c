// Writes the packets of a Perfetto trace, as messages of Protocol Buffers.
#include "export/encode/packets.h"

#include <stdlib.h>
#include <string.h>

#include "base/text/utf8.h"

enum { TYPE_VARINT = 0, TYPE_FIXED64 = 1, TYPE_BYTES = 2 };
enum { TRACE_PACKET = 1, PACKET_SEQUENCE = 10, PACKET_FLAGS = 13 };

// ---- fields

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
    size_t n = strlen(copy);
    add_tag(message, field, TYPE_BYTES);
    otter_bytes_add_varint(message, n);
    otter_bytes_add(message, copy, n);
    free(copy);
}

void otter_proto_message(struct otter_bytes *message, uint32_t field,
                         const struct otter_bytes *inner)
{
    add_tag(message, field, TYPE_BYTES);
    otter_bytes_add_varint(message, inner->n);
    otter_bytes_add(message, inner->items, inner->n);
}

// ---- packets

// Writes `message` as a field of the message that the file contains. Errors: see ferror().
static void write_message(FILE *out, uint32_t field, const struct otter_bytes *message)
{
    unsigned char bytes[2 * OTTER_MAX_VARINT];
    size_t n = otter_varint_encode((uint64_t)field << 3 | TYPE_BYTES, bytes);
    n += otter_varint_encode(message->n, bytes + n);
    fwrite(bytes, 1, n, out);
    fwrite(message->items, 1, message->n, out);
}

void otter_packets_end_part(struct otter_packets *packets, uint32_t field)
{
    otter_proto_message(&packets->body, field, &packets->part);
    otter_bytes_clear(&packets->part);
}

void otter_packets_end(struct otter_packets *packets, uint32_t field, uint64_t flags)
{
    otter_proto_number(&packets->packet, PACKET_SEQUENCE, packets->sequence);
    otter_proto_number(&packets->packet, PACKET_FLAGS, flags);
    otter_proto_message(&packets->packet, field, &packets->body);
    write_message(packets->out, TRACE_PACKET, &packets->packet);
    otter_bytes_clear(&packets->packet);
    otter_bytes_clear(&packets->body);
}

void otter_packets_intern(struct otter_packets *packets, uint32_t field, uint64_t id,
                          const char *text)
{
    otter_proto_number(&packets->part, OTTER_INTERNED_ID, id);
    otter_proto_text(&packets->part, OTTER_INTERNED_TEXT, text);
    otter_packets_end_part(packets, field);
}

void otter_packets_finish(struct otter_packets *packets)
{
    otter_bytes_finish(&packets->packet);
    otter_bytes_finish(&packets->body);
    otter_bytes_finish(&packets->part);
}
