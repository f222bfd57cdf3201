// Tables of numbers as chunks of compressed columns; README.md defines the bytes.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/vector.h"

enum { OTTER_CHUNK_ROWS = 65536, OTTER_CHUNK_COLUMNS = 16, OTTER_SEGMENT_NUMBERS = 6 };

struct otter_chunk_column {
    const char *name;
    bool is_delta;
};

struct otter_chunk_table {
    const char *name;
    const struct otter_chunk_column *columns;
    unsigned n_columns;
    unsigned n_segment_numbers; // 0: the table has no segments
};

// Initialises two members of a table.
#define OTTER_COLUMNS(list) .columns = (list), .n_columns = sizeof(list) / sizeof *(list)

struct otter_segment {
    uint64_t numbers[OTTER_SEGMENT_NUMBERS];
};

struct otter_chunk {
    const struct otter_chunk_table *table;
    uint32_t n_rows;
    unsigned char *bytes; // zlib
    size_t n_bytes;
    struct otter_segment *segments;
    uint32_t n_segments;
};

struct otter_chunks {
    OTTER_VECTOR(struct otter_chunk);
    uint64_t n_characters; // limit for all chunks in the file with their entries in the index
};

// Removes the chunks from number `n` on.
void otter_chunks_cut(struct otter_chunks *chunks, uint32_t n);
void otter_chunks_finish(struct otter_chunks *chunks);

// Compresses `bytes` to the bytes of the chunk, which the caller frees.
void otter_chunk_compress(struct otter_chunk *chunk, const void *bytes, size_t size);

// Writes the bytes of a chunk as base64. Errors: see ferror().
void otter_chunk_print(FILE *out, const struct otter_chunk *chunk);

// Collects the rows of one table. If all members except `chunks` and `table` are zero, there are no
// rows.
struct otter_chunk_writer {
    struct otter_chunks *chunks;
    const struct otter_chunk_table *table;
    uint64_t *rows; // rows of each column; see chunk.c
    uint32_t n_rows;
    struct {
        OTTER_VECTOR(struct otter_segment);
    } segments;
};

// Adds a row; `values` has a number for each column.
void otter_chunk_add(struct otter_chunk_writer *writer, const uint64_t *values);
// Adds a segment to the chunk of the next row.
void otter_chunk_begin_segment(struct otter_chunk_writer *writer, struct otter_segment segment);
// Returns the segment of the last row, which the caller may change; NULL: the chunk has none yet.
struct otter_segment *otter_chunk_segment(struct otter_chunk_writer *writer);
// Returns whether the next row begins a chunk.
static inline bool otter_chunk_is_empty(const struct otter_chunk_writer *writer)
{
    return writer->n_rows == 0;
}
// Writes the last rows and frees the writer.
void otter_chunk_end(struct otter_chunk_writer *writer);
