// Messages of Protocol Buffers: https://protobuf.dev/programming-guides/encoding
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// All zero is empty. A message that is short of memory lacks fields.
struct otter_proto {
    unsigned char *bytes;
    size_t n, room;
    bool is_short_of_memory;
};

// Makes a message empty; its memory remains for the next fields.
void otter_proto_clear(struct otter_proto *message);
void otter_proto_finish(struct otter_proto *message);

// Add a field.
void otter_proto_number(struct otter_proto *message, uint32_t field, uint64_t value); // a varint
void otter_proto_fixed64(struct otter_proto *message, uint32_t field, uint64_t value);
void otter_proto_text(struct otter_proto *message, uint32_t field, const char *text); // any bytes
void otter_proto_message(struct otter_proto *message, uint32_t field,
                         const struct otter_proto *inner);

// Writes `message` as a field of the message that the file contains. Errors: see ferror().
void otter_proto_write(FILE *out, uint32_t field, const struct otter_proto *message);
