// Packets of a Perfetto trace: messages of Protocol Buffers with messages inside.
// perfetto/trace/*.proto defines the fields, https://protobuf.dev/programming-guides/encoding their
// encoding.
#pragma once

#include <stdio.h>

#include "export/encode/bytes.h"

enum {
    OTTER_PACKET_TIMESTAMP = 8,
    OTTER_PACKET_TRACK_EVENT = 11,
    OTTER_PACKET_INTERNED = 12,
    OTTER_PACKET_DESCRIPTOR = 60,
    OTTER_PACKET_SAMPLE = 66,
    OTTER_PACKET_CLEARED = 1, // flags
    OTTER_PACKET_NEEDS_INTERNED = 2,
    OTTER_INTERNED_ID = 1, // field of an interned text
    OTTER_INTERNED_TEXT = 2,
};

struct otter_packets {
    FILE *out;
    uint64_t sequence;
    // nested messages: a part is in a body, a body in a packet
    struct otter_bytes packet, body, part;
};

// Adds `part` to the body and clears the part.
void otter_packets_end_part(struct otter_packets *packets, uint32_t field);
// Adds the body to the packet, writes the packet and clears both. Errors: see ferror().
void otter_packets_end(struct otter_packets *packets, uint32_t field, uint64_t flags);
// Adds a text with a number to the body.
void otter_packets_intern(struct otter_packets *packets, uint32_t field, uint64_t id,
                          const char *text);
void otter_packets_finish(struct otter_packets *packets);

// Add a field.
void otter_proto_number(struct otter_bytes *message, uint32_t field, uint64_t value); // a varint
void otter_proto_fixed64(struct otter_bytes *message, uint32_t field, uint64_t value);
void otter_proto_text(struct otter_bytes *message, uint32_t field, const char *text); // any bytes
void otter_proto_message(struct otter_bytes *message, uint32_t field,
                         const struct otter_bytes *inner);
