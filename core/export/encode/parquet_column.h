// The values of one column of a row group, until they are written as pages of a Parquet file.
#pragma once

#include "base/vector.h"
#include "export/encode/bytes.h"

enum {
    OTTER_PARQUET_ROWS = 1 << 17,     // rows of a row group, at most
    OTTER_PARQUET_TEXT_MAX = 1 << 24, // bytes of a text; a longer one loses its end
};

// Encodings of a page, as the format numbers them.
enum otter_parquet_encoding {
    OTTER_PARQUET_PLAIN = 0,
    OTTER_PARQUET_RLE = 3,
    OTTER_PARQUET_RLE_DICTIONARY = 8,
};

struct otter_parquet_values {
    bool is_text;
    uint32_t *is_there; // for each row: 1, or 0 if the value is missing
    uint32_t n_rows;
    uint32_t n;       // number of values that are not missing
    int64_t *numbers; // `n` numbers
    int64_t min, max; // of `numbers`
    uint32_t *texts;  // `n` indexes of distinct texts
    struct {
        OTTER_VECTOR(size_t);
    } different;                   // where each distinct text begins in `dictionary`
    struct otter_bytes dictionary; // in the encoding PLAIN
    uint32_t *slots;               // a hash table of distinct texts: index + 1
    uint64_t n_plain;              // bytes of all texts in the encoding PLAIN
};

void otter_parquet_values_init(struct otter_parquet_values *values, bool is_text);
void otter_parquet_values_finish(struct otter_parquet_values *values);
// Drops all rows.
void otter_parquet_values_clear(struct otter_parquet_values *values);

// Add a row; there are at most OTTER_PARQUET_ROWS.
void otter_parquet_values_add_missing(struct otter_parquet_values *values);
void otter_parquet_values_add_number(struct otter_parquet_values *values, int64_t number);
// `text` is any `n` bytes with a zero after them. A byte that is not UTF-8 is read as Latin-1.
void otter_parquet_values_add_text(struct otter_parquet_values *values, const char *text, size_t n);

// Returns whether dictionary indexes take less space than the texts.
bool otter_parquet_values_has_dictionary(const struct otter_parquet_values *values);
// Adds the content of the column's only data page.
void otter_parquet_values_encode(struct otter_parquet_values *values, bool is_optional,
                                 struct otter_bytes *page);

// ---- the hybrid encoding of small numbers: runs of one value, and packed bits

// Returns the number of bits that the largest of the numbers 0 to n - 1 needs; at least 1.
unsigned otter_parquet_width(uint32_t n);

// Adds values below 2^width, for a width of at most 32.
void otter_parquet_add_runs(struct otter_bytes *to, const uint32_t *values, uint32_t n,
                            unsigned width);
