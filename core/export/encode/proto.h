// Messages of Protocol Buffers: https://protobuf.dev/programming-guides/encoding
#pragma once

#include <stdio.h>

#include "export/encode/bytes.h"

// Add a field. If memory runs out, the message lacks fields.
void otter_proto_number(struct otter_bytes *message, uint32_t field, uint64_t value); // a varint
void otter_proto_fixed64(struct otter_bytes *message, uint32_t field, uint64_t value);
void otter_proto_text(struct otter_bytes *message, uint32_t field, const char *text); // any bytes
void otter_proto_message(struct otter_bytes *message, uint32_t field,
                         const struct otter_bytes *inner);

// Writes `message` as a field of the message that the file contains. Errors: see ferror().
void otter_proto_write(FILE *out, uint32_t field, const struct otter_bytes *message);
