// What the fuzz targets share. Each target is one file: bytes from libFuzzer, made into what a part of Otter reads.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The target: whatever the bytes are, it returns 0, and the sanitizers have nothing to say.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Ends the process with `rule`, which was broken, unless `holds`: libFuzzer keeps the input.
void fuzz_expect(bool holds, const char *rule);

// Bytes that are used up from their begin; zeros follow their end.
struct fuzz_bytes {
    const uint8_t *at;
    size_t n;
};

uint8_t fuzz_byte(struct fuzz_bytes *bytes);
uint64_t fuzz_number(struct fuzz_bytes *bytes, unsigned n_bytes);
// The next `n` of them, or what there is; the rest begins behind.
struct fuzz_bytes fuzz_take(struct fuzz_bytes *bytes, size_t n);

// A folder of this process, below $TMPDIR or in memory. Removed when the process ends in good order.
const char *fuzz_folder(void);
// A path in it, made of a format; in a room of its own until the call after the next three.
const char *fuzz_path(const char *format, ...) __attribute__((format(printf, 1, 2)));
void fuzz_write(const char *path, const void *data, size_t size);
// With all that is in it.
void fuzz_remove(const char *path);
