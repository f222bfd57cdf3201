// One Parquet file, written row by row: https://parquet.apache.org/docs/file-format
//
// Columns are signed 64-bit numbers or UTF-8 texts. A column chunk has one data page and is
// compressed (GZIP). A column of texts also has a dictionary page if that is shorter.
#pragma once

#include <stdio.h>

#include "export/encode/parquet_column.h"

struct otter_parquet_column {
    const char *name;
    bool is_text;
    bool is_optional; // values may be missing
};

struct otter_parquet;

// `out` and `columns` must live until close.
// Memory: one row group, plus about 100 bytes for each column of each row group. A row group ends
// after OTTER_PARQUET_ROWS rows, or OTTER_PARQUET_TEXT_MAX bytes of distinct texts.
struct otter_parquet *otter_parquet_create(FILE *out, const struct otter_parquet_column *columns,
                                           unsigned n_columns);

// Set the next column of the row, in order.
void otter_parquet_add_number(struct otter_parquet *file, int64_t number);
// `text` is any `n` bytes with a zero after them. A byte that is not UTF-8 is read as Latin-1.
void otter_parquet_add_text(struct otter_parquet *file, const char *text, size_t n);
// Only an optional column may have missing values.
void otter_parquet_add_missing(struct otter_parquet *file);

// Writes the last row group and the metadata, and frees the file. Write errors: see ferror().
void otter_parquet_close(struct otter_parquet *file);
