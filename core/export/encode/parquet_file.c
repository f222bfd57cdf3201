// Writes Parquet files: pages of each row group, then the metadata.
#include "export/encode/parquet_file.h"

#include <stdlib.h>
#include <string.h>

#include <libdeflate.h>

#include "export/encode/thrift.h"

// Numbers that the format defines.
enum {
    TYPE_INT64 = 2,
    TYPE_BYTE_ARRAY = 6,
    CODEC_GZIP = 2,
    CONVERTED_UTF8 = 0,
    PAGE_DATA = 0,
    PAGE_DICTIONARY = 2,
    FORMAT_VERSION = 2
};

enum { LEVEL = 1 }; // libdeflate's fastest level

struct otter_parquet {
    FILE *out;
    const struct otter_parquet_column *columns;
    struct otter_parquet_values *values;
    unsigned n_columns, column; // column: the next one of the row
    uint64_t offset;            // bytes written so far
    uint64_t n_rows;
    uint32_t n_groups;
    struct otter_thrift groups; // the metadata of the row groups
    struct otter_bytes page, packed;
    struct libdeflate_compressor *compressor;
};

static void put(struct otter_parquet *file, const void *bytes, size_t n)
{
    fwrite(bytes, 1, n, file->out);
    file->offset += n;
}

static void finish(struct otter_parquet *file)
{
    for (unsigned i = 0; i < file->n_columns; i++) {
        otter_parquet_values_finish(&file->values[i]);
    }
    free(file->values);
    otter_bytes_finish(&file->groups.bytes);
    otter_bytes_finish(&file->page);
    otter_bytes_finish(&file->packed);
    libdeflate_free_compressor(file->compressor);
    free(file);
}

struct otter_parquet *otter_parquet_create(FILE *out, const struct otter_parquet_column *columns,
                                           unsigned n_columns)
{
    struct otter_parquet *file = malloc(sizeof *file);
    *file = (struct otter_parquet){.out = out, .columns = columns, .n_columns = n_columns};
    file->values = calloc(n_columns, sizeof *file->values);
    file->compressor = libdeflate_alloc_compressor(LEVEL);
    for (unsigned i = 0; i < n_columns; i++) {
        otter_parquet_values_init(&file->values[i], columns[i].is_text);
    }
    put(file, "PAR1", 4);
    return file;
}

// ---- pages

// Compresses a page into `packed`.
static void pack(struct otter_parquet *file, const struct otter_bytes *page)
{
    struct otter_bytes *packed = &file->packed;
    otter_bytes_clear(packed);
    otter_bytes_reserve(packed, libdeflate_gzip_compress_bound(file->compressor, page->n));
    packed->n = libdeflate_gzip_compress(file->compressor, page->items, page->n, packed->items,
                                         packed->room);
}

// Returns the bytes of the page and its header before compression.
static uint64_t put_page(struct otter_parquet *file, const struct otter_bytes *page, int kind,
                         enum otter_parquet_encoding encoding, uint32_t n_values)
{
    struct otter_thrift head = {0};
    pack(file, page);
    otter_thrift_i32(&head, 1, kind);
    otter_thrift_i32(&head, 2, (int32_t)page->n);
    otter_thrift_i32(&head, 3, (int32_t)file->packed.n);
    otter_thrift_open(&head, kind == PAGE_DATA ? 5 : 7);
    otter_thrift_i32(&head, 1, (int32_t)n_values);
    otter_thrift_i32(&head, 2, (int32_t)encoding);
    if (kind == PAGE_DATA) {
        otter_thrift_i32(&head, 3, OTTER_PARQUET_RLE); // definition levels
        otter_thrift_i32(&head, 4, OTTER_PARQUET_RLE); // repetition levels, which are absent
    }
    otter_thrift_close(&head);
    otter_thrift_close(&head);
    put(file, head.bytes.items, head.bytes.n);
    put(file, file->packed.items, file->packed.n);
    uint64_t size = head.bytes.n + page->n;
    otter_bytes_finish(&head.bytes);
    return size;
}

// ---- row groups

static void describe_values(struct otter_thrift *to, const struct otter_parquet_values *values)
{
    otter_thrift_open(to, 12); // Statistics
    otter_thrift_i64(to, 3, values->n_rows - values->n);
    if (!values->is_text && values->n > 0) {
        struct otter_bytes number = {0};
        otter_bytes_add_number(&number, (uint64_t)values->max, sizeof values->max);
        otter_bytes_add_number(&number, (uint64_t)values->min, sizeof values->min);
        otter_thrift_binary(to, 5, number.items, sizeof values->max);
        otter_thrift_binary(to, 6, number.items + sizeof values->max, sizeof values->min);
        otter_bytes_finish(&number);
    }
    otter_thrift_close(to);
}

// Adds a ColumnChunk with the pages from `begin` on and the data page at `data`.
static void describe_chunk(struct otter_parquet *file, unsigned column, uint64_t begin,
                           uint64_t data, uint64_t size)
{
    struct otter_thrift *to = &file->groups;
    const struct otter_parquet_values *values = &file->values[column];
    otter_thrift_open_element(to);
    otter_thrift_i64(to, 2, 0);
    otter_thrift_open(to, 3); // ColumnMetaData
    otter_thrift_i32(to, 1, values->is_text ? TYPE_BYTE_ARRAY : TYPE_INT64);
    otter_thrift_list(to, 2, OTTER_THRIFT_I32, data > begin ? 3 : 2);
    otter_thrift_i32_element(to, OTTER_PARQUET_PLAIN);
    otter_thrift_i32_element(to, OTTER_PARQUET_RLE);
    if (data > begin) {
        otter_thrift_i32_element(to, OTTER_PARQUET_RLE_DICTIONARY);
    }
    otter_thrift_list(to, 3, OTTER_THRIFT_BINARY, 1);
    otter_thrift_text_element(to, file->columns[column].name);
    otter_thrift_i32(to, 4, CODEC_GZIP);
    otter_thrift_i64(to, 5, values->n_rows);
    otter_thrift_i64(to, 6, (int64_t)size);
    otter_thrift_i64(to, 7, (int64_t)(file->offset - begin));
    otter_thrift_i64(to, 9, (int64_t)data);
    if (data > begin) {
        otter_thrift_i64(to, 11, (int64_t)begin);
    }
    describe_values(to, values);
    otter_thrift_close(to);
    otter_thrift_close(to);
}

// Returns the bytes of the column before compression.
static uint64_t put_column(struct otter_parquet *file, unsigned column)
{
    struct otter_parquet_values *values = &file->values[column];
    bool has_dictionary = otter_parquet_values_has_dictionary(values);
    uint64_t begin = file->offset, size = 0;
    if (has_dictionary) {
        size += put_page(file, &values->dictionary, PAGE_DICTIONARY, OTTER_PARQUET_PLAIN,
                         values->different.n);
    }
    uint64_t data = file->offset;
    otter_bytes_clear(&file->page);
    otter_parquet_values_encode(values, file->columns[column].is_optional, &file->page);
    size += put_page(file, &file->page, PAGE_DATA,
                     has_dictionary ? OTTER_PARQUET_RLE_DICTIONARY : OTTER_PARQUET_PLAIN,
                     values->n_rows);
    describe_chunk(file, column, begin, data, size);
    otter_parquet_values_clear(values);
    return size;
}

static void put_group(struct otter_parquet *file)
{
    uint32_t n_rows = file->values[0].n_rows;
    uint64_t size = 0;
    otter_thrift_open_element(&file->groups);
    otter_thrift_list(&file->groups, 1, OTTER_THRIFT_STRUCT, file->n_columns);
    for (unsigned i = 0; i < file->n_columns; i++) {
        size += put_column(file, i);
    }
    otter_thrift_i64(&file->groups, 2, (int64_t)size);
    otter_thrift_i64(&file->groups, 3, n_rows);
    otter_thrift_close(&file->groups);
    file->n_groups++;
    file->n_rows += n_rows;
}

// ---- rows

// Ends the row after its last column.
static void next_column(struct otter_parquet *file)
{
    if (++file->column < file->n_columns) {
        return;
    }
    file->column = 0;
    size_t n_text = 0;
    for (unsigned i = 0; i < file->n_columns; i++) {
        n_text += file->values[i].dictionary.n;
    }
    if (file->values[0].n_rows == OTTER_PARQUET_ROWS || n_text > OTTER_PARQUET_TEXT_MAX) {
        put_group(file);
    }
}

void otter_parquet_add_number(struct otter_parquet *file, int64_t number)
{
    otter_parquet_values_add_number(&file->values[file->column], number);
    next_column(file);
}

void otter_parquet_add_text(struct otter_parquet *file, const char *text, size_t n)
{
    otter_parquet_values_add_text(&file->values[file->column], text, n);
    next_column(file);
}

void otter_parquet_add_missing(struct otter_parquet *file)
{
    otter_parquet_values_add_missing(&file->values[file->column]);
    next_column(file);
}

// ---- the file

static void describe_column(struct otter_thrift *to, const struct otter_parquet_column *column)
{
    otter_thrift_open_element(to); // SchemaElement
    otter_thrift_i32(to, 1, column->is_text ? TYPE_BYTE_ARRAY : TYPE_INT64);
    otter_thrift_i32(to, 3, column->is_optional);
    otter_thrift_text(to, 4, column->name);
    if (column->is_text) {
        otter_thrift_i32(to, 6, CONVERTED_UTF8);
        otter_thrift_open(to, 10); // LogicalType
        otter_thrift_open(to, 1);  // StringType
        otter_thrift_close(to);
        otter_thrift_close(to);
    }
    otter_thrift_close(to);
}

static void describe_schema(struct otter_thrift *to, const struct otter_parquet *file)
{
    otter_thrift_list(to, 2, OTTER_THRIFT_STRUCT, file->n_columns + 1);
    otter_thrift_open_element(to);
    otter_thrift_text(to, 4, "schema");
    otter_thrift_i32(to, 5, (int32_t)file->n_columns);
    otter_thrift_close(to);
    for (unsigned i = 0; i < file->n_columns; i++) {
        describe_column(to, &file->columns[i]);
    }
}

// States that numbers are ordered by type; otherwise readers ignore the statistics.
static void describe_orders(struct otter_thrift *to, unsigned n_columns)
{
    otter_thrift_list(to, 7, OTTER_THRIFT_STRUCT, n_columns);
    for (unsigned i = 0; i < n_columns; i++) {
        otter_thrift_open_element(to);
        otter_thrift_open(to, 1); // TypeDefinedOrder
        otter_thrift_close(to);
        otter_thrift_close(to);
    }
}

void otter_parquet_close(struct otter_parquet *file)
{
    struct otter_thrift data = {0}; // the FileMetaData of the format
    if (file->values[0].n_rows > 0) {
        put_group(file);
    }
    otter_thrift_i32(&data, 1, FORMAT_VERSION);
    describe_schema(&data, file);
    otter_thrift_i64(&data, 3, (int64_t)file->n_rows);
    otter_thrift_list(&data, 4, OTTER_THRIFT_STRUCT, file->n_groups);
    otter_bytes_add(&data.bytes, file->groups.bytes.items, file->groups.bytes.n);
    otter_thrift_text(&data, 6, "otter version " OTTER_VERSION);
    describe_orders(&data, file->n_columns);
    otter_thrift_close(&data);
    size_t n = data.bytes.n;
    otter_bytes_add_number(&data.bytes, n, 4);
    otter_bytes_add(&data.bytes, "PAR1", 4);
    put(file, data.bytes.items, data.bytes.n);
    otter_bytes_finish(&data.bytes);
    finish(file);
}
