// Files inside the traced program. Interrupted and partial reads and writes are continued.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Like open() with O_CLOEXEC; a new file gets mode 0666 & ~umask. Returns a descriptor of 3 or
// more, or -1 and errno. Descriptors 0 to 2 belong to the program even after it has closed them:
// its reads and writes there must fail.
int otter_file_open(const char *path, int flags);

// Occupies each closed descriptor among 0 to 2 until otter_file_release_standard, so that open() in
// other libraries returns 3 or more. Thread: any; calls nest.
void otter_file_occupy_standard(void);
void otter_file_release_standard(void);

// Closes the occupied descriptors. Thread: only in a forked child, which has one thread.
void otter_file_forget(void);

// Reads `size` bytes at `offset`, or fewer at the end of the file. Sets `*n_read` to the number of
// bytes read, even after a failure. Returns 0 or errno.
int otter_file_read(int file, void *to, size_t size, uint64_t offset, size_t *n_read);

// Reads the first `size` - 1 bytes of a file, which may be in /proc, and appends a zero byte.
// Returns the number of bytes read; 0 if the file is empty or cannot be read.
size_t otter_file_read_text(const char *path, char *text, size_t size);

// Writes `data` at `offset`. Returns 0 or errno; after an error, part of it may have been written.
int otter_file_write(int file, const void *data, size_t size, uint64_t offset);

// Copies the first `size` bytes of `from` to the new file `to`. Returns 0 or errno; after an error,
// part of `to` may exist.
int otter_file_copy(const char *from, const char *to, uint64_t size);
