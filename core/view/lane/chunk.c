// Compresses columns of numbers: differences, shuffled bytes, zlib, base64.
#include "view/lane/chunk.h"

#include <stdlib.h>
#include <string.h>

#include <libdeflate.h>

enum {
    HEAD = 4,
    MAX_WIDTH = 8,
    ELEMENT_SIZE = 200,
    NUMBER_SIZE = 12,
    // distance between columns, in values; a power of 2 would map all columns to the same cache set
    STRIDE = OTTER_CHUNK_ROWS + 8,
    LEVEL = 1, // level of libdeflate: level 2 takes 1.1 times as long and saves only 3 %
};

// Returns the characters that the chunk takes in the file: base64, its element, and its entry in
// the index.
static uint64_t size_in_file(const struct otter_chunk *chunk)
{
    uint64_t n_numbers = (uint64_t)chunk->n_segments * chunk->table->n_segment_numbers;
    return (chunk->n_bytes + 2) / 3 * 4 + ELEMENT_SIZE + n_numbers * NUMBER_SIZE;
}

// ---- columns

static uint64_t zigzag(uint64_t value, uint64_t before)
{
    return value >= before ? (value - before) * 2 : (before - value) * 2 - 1;
}

// Encodes values as they are stored. Returns the bytes that the largest one needs.
static unsigned encode(uint64_t *values, uint32_t n, bool is_delta)
{
    uint64_t before = 0, all = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t value = values[i];
        values[i] = is_delta ? zigzag(value, before) : value;
        before = value;
        all |= values[i];
    }
    unsigned width = 0;
    while (width < MAX_WIDTH && all >> (8 * width)) {
        width++;
    }
    return width;
}

static unsigned char *shuffle(unsigned char *restrict to, const uint64_t *restrict values,
                              uint32_t n, unsigned width)
{
    for (unsigned byte = 0; byte < width; byte++) {
        for (uint32_t i = 0; i < n; i++) {
            to[i] = (unsigned char)(values[i] >> (8 * byte));
        }
        to += n;
    }
    return to;
}

// Returns the inflated chunk; the caller frees it.
static unsigned char *pack(const struct otter_chunk_writer *writer, size_t *size)
{
    unsigned n_columns = writer->table->n_columns, sum = 0;
    unsigned char widths[OTTER_CHUNK_COLUMNS];
    for (unsigned i = 0; i < n_columns; i++) {
        uint64_t *values = writer->rows + (size_t)i * STRIDE;
        widths[i] =
            (unsigned char)encode(values, writer->n_rows, writer->table->columns[i].is_delta);
        sum += widths[i];
    }
    *size = HEAD + n_columns + (size_t)sum * writer->n_rows;
    unsigned char *bytes = malloc(*size), *to = bytes;
    for (unsigned i = 0; i < HEAD; i++) {
        *to++ = (unsigned char)(writer->n_rows >> (8 * i));
    }
    memcpy(to, widths, n_columns);
    to += n_columns;
    for (unsigned i = 0; i < n_columns; i++) {
        to = shuffle(to, writer->rows + (size_t)i * STRIDE, writer->n_rows, widths[i]);
    }
    return bytes;
}

void otter_chunk_compress(struct otter_chunk *chunk, const void *bytes, size_t size)
{
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(LEVEL);
    size_t room = libdeflate_zlib_compress_bound(compressor, size);
    chunk->bytes = malloc(room);
    chunk->n_bytes = libdeflate_zlib_compress(compressor, bytes, size, chunk->bytes, room);
    chunk->bytes = realloc(chunk->bytes, chunk->n_bytes);
    libdeflate_free_compressor(compressor);
}

// ---- chunks

static void flush(struct otter_chunk_writer *writer)
{
    struct otter_chunks *chunks = writer->chunks;
    struct otter_chunk chunk = {.table = writer->table,
                                .n_rows = writer->n_rows,
                                .segments = writer->segments.items,
                                .n_segments = writer->segments.n};
    size_t size;
    unsigned char *bytes = pack(writer, &size);
    otter_chunk_compress(&chunk, bytes, size);
    free(bytes);
    writer->n_rows = 0;
    memset(&writer->segments, 0, sizeof writer->segments);
    OTTER_VECTOR_APPEND(chunks, chunk);
    chunks->n_characters += size_in_file(&chunk);
}

void otter_chunk_add(struct otter_chunk_writer *writer, const uint64_t *values)
{
    if (!writer->rows) {
        writer->rows = malloc((size_t)writer->table->n_columns * STRIDE * sizeof *writer->rows);
    }
    for (unsigned i = 0; i < writer->table->n_columns; i++) {
        writer->rows[(size_t)i * STRIDE + writer->n_rows] = values[i];
    }
    if (++writer->n_rows == OTTER_CHUNK_ROWS) {
        flush(writer);
    }
}

void otter_chunk_begin_segment(struct otter_chunk_writer *writer, struct otter_segment segment)
{
    OTTER_VECTOR_APPEND(&writer->segments, segment);
}

struct otter_segment *otter_chunk_segment(struct otter_chunk_writer *writer)
{
    return writer->segments.n ? &writer->segments.items[writer->segments.n - 1] : NULL;
}

void otter_chunk_end(struct otter_chunk_writer *writer)
{
    if (writer->n_rows > 0) {
        flush(writer);
    }
    free(writer->rows);
    free(writer->segments.items);
    writer->rows = NULL;
    memset(&writer->segments, 0, sizeof writer->segments);
}

void otter_chunks_cut(struct otter_chunks *chunks, uint32_t n)
{
    while (chunks->n > n) {
        struct otter_chunk *chunk = &chunks->items[--chunks->n];
        chunks->n_characters -= size_in_file(chunk);
        free(chunk->bytes);
        free(chunk->segments);
    }
}

void otter_chunks_finish(struct otter_chunks *chunks)
{
    otter_chunks_cut(chunks, 0);
    free(chunks->items);
    *chunks = (struct otter_chunks){0};
}

void otter_chunk_print(FILE *out, const struct otter_chunk *chunk)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < chunk->n_bytes; i += 3) {
        size_t n = chunk->n_bytes - i < 3 ? chunk->n_bytes - i : 3;
        uint32_t bits = (uint32_t)chunk->bytes[i] << 16;
        bits |= n > 1 ? (uint32_t)chunk->bytes[i + 1] << 8 : 0;
        bits |= n > 2 ? (uint32_t)chunk->bytes[i + 2] : 0;
        char quad[] = {digits[bits >> 18], digits[bits >> 12 & 63],
                       n > 1 ? digits[bits >> 6 & 63] : '=', n > 2 ? digits[bits & 63] : '='};
        fwrite_unlocked(quad, 1, sizeof quad, out);
    }
}
