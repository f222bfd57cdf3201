// Writes Thrift's compact protocol.
#include "export/encode/thrift.h"

#include <string.h>

// Zigzag: small numbers of either sign become small unsigned numbers.
static void add_zigzag(struct otter_thrift *thrift, int64_t value)
{
    uint64_t sign = value < 0 ? UINT64_MAX : 0;
    otter_bytes_add_varint(&thrift->bytes, (uint64_t)value << 1 ^ sign);
}

static void add_head(struct otter_thrift *thrift, unsigned field, enum otter_thrift_type type)
{
    unsigned char *last = &thrift->last[thrift->depth];
    otter_bytes_add_number(&thrift->bytes, (field - *last) << 4 | type, 1);
    *last = (unsigned char)field;
}

void otter_thrift_open_element(struct otter_thrift *thrift)
{
    thrift->last[++thrift->depth] = 0;
}

void otter_thrift_open(struct otter_thrift *thrift, unsigned field)
{
    add_head(thrift, field, OTTER_THRIFT_STRUCT);
    otter_thrift_open_element(thrift);
}

void otter_thrift_close(struct otter_thrift *thrift)
{
    otter_bytes_add_number(&thrift->bytes, 0, 1);
    thrift->depth -= thrift->depth > 0;
}

void otter_thrift_i32(struct otter_thrift *thrift, unsigned field, int32_t value)
{
    add_head(thrift, field, OTTER_THRIFT_I32);
    add_zigzag(thrift, value);
}

void otter_thrift_i64(struct otter_thrift *thrift, unsigned field, int64_t value)
{
    add_head(thrift, field, OTTER_THRIFT_I64);
    add_zigzag(thrift, value);
}

static void add_binary(struct otter_thrift *thrift, const void *from, size_t n)
{
    otter_bytes_add_varint(&thrift->bytes, n);
    otter_bytes_add(&thrift->bytes, from, n);
}

void otter_thrift_binary(struct otter_thrift *thrift, unsigned field, const void *from, size_t n)
{
    add_head(thrift, field, OTTER_THRIFT_BINARY);
    add_binary(thrift, from, n);
}

void otter_thrift_text(struct otter_thrift *thrift, unsigned field, const char *text)
{
    otter_thrift_binary(thrift, field, text, strlen(text));
}

void otter_thrift_list(struct otter_thrift *thrift, unsigned field, enum otter_thrift_type type,
                       size_t n)
{
    add_head(thrift, field, OTTER_THRIFT_LIST);
    otter_bytes_add_number(&thrift->bytes, (n < 15 ? n : 15) << 4 | type, 1);
    if (n >= 15) {
        otter_bytes_add_varint(&thrift->bytes, n);
    }
}

void otter_thrift_i32_element(struct otter_thrift *thrift, int32_t value)
{
    add_zigzag(thrift, value);
}

void otter_thrift_text_element(struct otter_thrift *thrift, const char *text)
{
    add_binary(thrift, text, strlen(text));
}
