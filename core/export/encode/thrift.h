// Thrift's compact protocol, in which Parquet stores its metadata:
// https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
#pragma once

#include "export/encode/bytes.h"

enum otter_thrift_type {
    OTTER_THRIFT_I32 = 5,
    OTTER_THRIFT_I64 = 6,
    OTTER_THRIFT_BINARY = 8,
    OTTER_THRIFT_LIST = 9,
    OTTER_THRIFT_STRUCT = 12,
};

enum { OTTER_THRIFT_DEPTH = 8 };

// All bytes zero: an open struct without fields. Field numbers must ascend in steps of at most 15.
struct otter_thrift {
    struct otter_bytes bytes;
    unsigned char last[OTTER_THRIFT_DEPTH]; // field of each open struct
    unsigned depth;
};

// Open a struct: as a field, or as an element of a list.
void otter_thrift_open(struct otter_thrift *thrift, unsigned field);
void otter_thrift_open_element(struct otter_thrift *thrift);
// Closes the innermost open struct.
void otter_thrift_close(struct otter_thrift *thrift);

// Add a field.
void otter_thrift_i32(struct otter_thrift *thrift, unsigned field, int32_t value);
void otter_thrift_i64(struct otter_thrift *thrift, unsigned field, int64_t value);
void otter_thrift_binary(struct otter_thrift *thrift, unsigned field, const void *from, size_t n);
void otter_thrift_text(struct otter_thrift *thrift, unsigned field, const char *text);
// Opens a list, whose elements follow.
void otter_thrift_list(struct otter_thrift *thrift, unsigned field, enum otter_thrift_type type,
                       size_t n);

// Add an element.
void otter_thrift_i32_element(struct otter_thrift *thrift, int32_t value);
void otter_thrift_text_element(struct otter_thrift *thrift, const char *text);
