// Reading and writing a piece of a file, through interruptions and what the system gives or takes in pieces.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Reads `size` bytes at `offset`, or as many as the file has: `*n_read`, also after a failure. Returns 0 or the value of errno.
int otter_file_read(int file, void *to, size_t size, uint64_t offset, size_t *n_read);

// Writes all of `data` at `offset`. Returns 0 or the value of errno; part of it may be there then.
int otter_file_write(int file, const void *data, size_t size, uint64_t offset);
