// Writes the packets of a Perfetto trace.
#include "export/encode/packets.h"

enum { TRACE_PACKET = 1, PACKET_SEQUENCE = 10, PACKET_FLAGS = 13 };

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
    otter_proto_write(packets->out, TRACE_PACKET, &packets->packet);
    packets->is_short_of_memory |= packets->packet.is_short_of_memory;
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
