// Encodes definition levels and indexes of dictionaries.
#include "export/encode/parquet_runs.h"

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
