// Opening files in somebody's program, and reading and writing pieces of them, through interruptions and what the system gives or takes in pieces.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Opens as open() does, with O_CLOEXEC, and in a new file for all that umask allows; -1 and errno: it failed. Descriptors 0 to 2 are the
// program's, also when it has closed them: what it reads or writes there shall fail, as it does without us. One that it closes
// while this opens may be ours for a moment.
int otter_file_open(const char *path, int flags);

// The same for what others open: from here to `leave` those of 0 to 2 that are free are taken, by what can neither be read nor written. Any
// thread, also nested.
void otter_file_take_standard(void);
void otter_file_leave_standard(void);

// In a forked child, where no other thread is: what threads of its parent had taken is free again.
void otter_file_forget(void);

// Reads `size` bytes at `offset`, or as many as the file has: `*n_read`, also after a failure. Returns 0 or the value of errno.
int otter_file_read(int file, void *to, size_t size, uint64_t offset, size_t *n_read);

// The first `size` - 1 bytes of a file whose size is not told before, as in /proc, and a zero. Returns how many there were; 0: none, or
// it cannot be read.
size_t otter_file_read_text(const char *path, char *text, size_t size);

// Writes all of `data` at `offset`. Returns 0 or the value of errno; part of it may be there then.
int otter_file_write(int file, const void *data, size_t size, uint64_t offset);

// Makes the file `to`, which must not exist, of the first `size` bytes of `from`. Returns 0 or the
// value of errno; part of it may be there then.
int otter_file_copy(const char *from, const char *to, uint64_t size);
