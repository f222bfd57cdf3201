// Collects the values of a column: numbers, or texts, each of which is stored once.
#include "export/encode/parquet_column.h"

#include <stdlib.h>
#include <string.h>

#include "base/free.h"
#include "base/text/utf8.h"

enum { N_SLOTS = 2 * OTTER_PARQUET_ROWS, LENGTH_SIZE = 4 };

void otter_parquet_values_init(struct otter_parquet_values *values, bool is_text)
{
    *values = (struct otter_parquet_values){.is_text = is_text};
    values->is_there = malloc(OTTER_PARQUET_ROWS * sizeof *values->is_there);
    if (is_text) {
        values->texts = malloc(OTTER_PARQUET_ROWS * sizeof *values->texts);
        values->slots = calloc(N_SLOTS, sizeof *values->slots);
    } else {
        values->numbers = malloc(OTTER_PARQUET_ROWS * sizeof *values->numbers);
    }
}

void otter_parquet_values_finish(struct otter_parquet_values *values)
{
    OTTER_FREE(values->is_there, values->numbers, values->texts, values->slots,
               values->different.items);
    otter_bytes_finish(&values->dictionary);
    *values = (struct otter_parquet_values){0};
}

void otter_parquet_values_clear(struct otter_parquet_values *values)
{
    if (values->different.n > 0) {
        memset(values->slots, 0, N_SLOTS * sizeof *values->slots);
    }
    values->n_rows = values->n = values->different.n = 0;
    values->n_plain = 0;
    otter_bytes_clear(&values->dictionary);
}

// ---- rows

void otter_parquet_values_add_missing(struct otter_parquet_values *values)
{
    values->is_there[values->n_rows++] = 0;
}

void otter_parquet_values_add_number(struct otter_parquet_values *values, int64_t number)
{
    values->min = values->n == 0 || number < values->min ? number : values->min;
    values->max = values->n == 0 || number > values->max ? number : values->max;
    values->numbers[values->n++] = number;
    values->is_there[values->n_rows++] = 1;
}

static size_t ascii_length(const char *text, size_t n)
{
    size_t length = 0;
    while (length < n && (unsigned char)text[length] < 0x80) {
        length++;
    }
    return length;
}

// Appends a text to the dictionary.
static void append_text(struct otter_bytes *to, const char *text, size_t n)
{
    const char *end = text + n;
    size_t begin = to->n, room = OTTER_PARQUET_TEXT_MAX;
    otter_bytes_add_number(to, 0, LENGTH_SIZE);
    while (text < end && room >= OTTER_UTF8_MAX) {
        size_t left = (size_t)(end - text);
        size_t n_ascii = ascii_length(text, left < room ? left : room);
        otter_bytes_add(to, text, n_ascii);
        text += n_ascii;
        room -= n_ascii;
        if (text < end && room >= OTTER_UTF8_MAX) {
            char character[OTTER_UTF8_MAX];
            size_t size = otter_utf8_encode(otter_utf8_next(&text), character);
            otter_bytes_add(to, character, size);
            room -= size;
        }
    }
    uint32_t length = (uint32_t)(to->n - begin - LENGTH_SIZE);
    for (unsigned i = 0; i < LENGTH_SIZE; i++) {
        to->items[begin + i] = (unsigned char)(length >> 8 * i);
    }
}

static uint64_t hash(const unsigned char *bytes, size_t n)
{
    uint64_t value = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < n; i++) {
        value = (value ^ bytes[i]) * UINT64_C(0x100000001b3);
    }
    return value ^ value >> 32;
}

// Returns the bytes of a distinct text in the dictionary.
static size_t size_of(const struct otter_parquet_values *values, uint32_t text)
{
    size_t end =
        text + 1 < values->different.n ? values->different.items[text + 1] : values->dictionary.n;
    return end - values->different.items[text];
}

// Returns the slot for the last text of the dictionary: a free slot, or the slot of an equal text.
static uint32_t *find_slot(struct otter_parquet_values *values, size_t begin)
{
    const unsigned char *bytes = values->dictionary.items;
    size_t n = values->dictionary.n - begin;
    for (uint64_t i = hash(bytes + begin, n);; i++) {
        uint32_t *slot = &values->slots[i % N_SLOTS];
        if (*slot == 0) {
            return slot;
        }
        uint32_t text = *slot - 1;
        size_t end = text + 1 < values->different.n ? values->different.items[text + 1] : begin;
        size_t other = values->different.items[text];
        if (end - other == n && memcmp(bytes + other, bytes + begin, n) == 0) {
            return slot;
        }
    }
}

void otter_parquet_values_add_text(struct otter_parquet_values *values, const char *text, size_t n)
{
    size_t begin = values->dictionary.n;
    append_text(&values->dictionary, text, n);
    values->n_plain += values->dictionary.n - begin;
    uint32_t *slot = find_slot(values, begin);
    if (*slot == 0) {
        OTTER_VECTOR_APPEND(&values->different, begin);
        *slot = values->different.n;
    } else {
        values->dictionary.n = begin;
    }
    values->texts[values->n++] = *slot - 1;
    values->is_there[values->n_rows++] = 1;
}

// ---- pages

bool otter_parquet_values_has_dictionary(const struct otter_parquet_values *values)
{
    return values->is_text && values->dictionary.n + values->n * sizeof(uint32_t) < values->n_plain;
}

static void encode_levels(const struct otter_parquet_values *values, struct otter_bytes *page)
{
    struct otter_bytes levels = {0};
    otter_parquet_add_runs(&levels, values->is_there, values->n_rows, 1);
    otter_bytes_add_number(page, levels.n, 4);
    otter_bytes_add(page, levels.items, levels.n);
    otter_bytes_finish(&levels);
}

void otter_parquet_values_encode(struct otter_parquet_values *values, bool is_optional,
                                 struct otter_bytes *page)
{
    if (is_optional) {
        encode_levels(values, page);
    }
    if (otter_parquet_values_has_dictionary(values)) {
        unsigned width = otter_parquet_width(values->different.n);
        otter_bytes_add_number(page, width, 1);
        otter_parquet_add_runs(page, values->texts, values->n, width);
        return;
    }
    for (uint32_t i = 0; i < values->n; i++) {
        if (values->is_text) {
            uint32_t text = values->texts[i];
            otter_bytes_add(page, values->dictionary.items + values->different.items[text],
                            size_of(values, text));
        } else {
            otter_bytes_add_number(page, (uint64_t)values->numbers[i], sizeof *values->numbers);
        }
    }
}

// ---- runs

enum { GROUP = 8 }; // values are packed in groups of 8, and so are runs shorter than that

unsigned otter_parquet_width(uint32_t n)
{
    unsigned width = 1;
    while (width < 32 && n > UINT64_C(1) << width) {
        width++;
    }
    return width;
}

static uint32_t run_length(const uint32_t *values, uint32_t n)
{
    uint32_t length = n > 0;
    while (length < n && values[length] == values[0]) {
        length++;
    }
    return length;
}

static bool is_run(const uint32_t *values, uint32_t n)
{
    return n >= GROUP && run_length(values, GROUP) == GROUP;
}

// Adds groups of values; the last may be shorter and is padded with zeros.
static void add_packed(struct otter_bytes *to, const uint32_t *values, uint32_t n, unsigned width)
{
    uint32_t n_groups = n / GROUP + (n % GROUP > 0);
    uint64_t bits = 0;
    unsigned n_bits = 0;
    otter_bytes_add_varint(to, (uint64_t)n_groups << 1 | 1);
    for (uint64_t i = 0; i < (uint64_t)n_groups * GROUP; i++) {
        bits |= (uint64_t)(i < n ? values[i] : 0) << n_bits;
        for (n_bits += width; n_bits >= 8; n_bits -= 8, bits >>= 8) {
            otter_bytes_add_number(to, bits, 1);
        }
    }
}

void otter_parquet_add_runs(struct otter_bytes *to, const uint32_t *values, uint32_t n,
                            unsigned width)
{
    for (uint32_t i = 0; i < n;) {
        uint32_t length = run_length(values + i, n - i);
        if (length >= GROUP) {
            otter_bytes_add_varint(to, (uint64_t)length << 1);
            otter_bytes_add_number(to, values[i], (width + 7) / 8);
            i += length;
            continue;
        }
        uint32_t end = i;
        do {
            end = n - end > GROUP ? end + GROUP : n;
        } while (end < n && !is_run(values + end, n - end));
        add_packed(to, values + i, end - i, width);
        i = end;
    }
}
