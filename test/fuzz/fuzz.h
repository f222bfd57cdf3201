// Shared code of the fuzz targets. Each target is one file: it converts bytes of libFuzzer to the
// input of a part of Otter.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Runs the target. Returns 0 for any bytes; sanitizers report faults.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Ends the process with the message `rule` unless `holds`. libFuzzer stores the input.
void fuzz_expect(bool holds, const char *rule);

// Bytes that are consumed from the start; after their end there are zeros.
struct fuzz_bytes {
    const uint8_t *at;
    size_t n;
};

uint8_t fuzz_byte(struct fuzz_bytes *bytes);
uint64_t fuzz_number(struct fuzz_bytes *bytes, unsigned n_bytes);
// *Returns* the next `n` bytes, or as many as there are, and removes them from `bytes`.
struct fuzz_bytes fuzz_take(struct fuzz_bytes *bytes, size_t n);

// Returns a folder of this process, below $TMPDIR or in memory. It is removed when the process ends
// normally.
const char *fuzz_folder(void);
// Returns a path in this folder, from a format. Valid until the third call after this one.
const char *fuzz_path(const char *format, ...) __attribute__((format(printf, 1, 2)));
void fuzz_write(const char *path, const void *data, size_t size);
// Removes the path with its content.
void fuzz_remove(const char *path);
