// Files without a name that contain large arrays.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Sets the folder of the archive, used if no other folder is suitable, and an estimate of all bytes
// that the command needs; 0: not known. `folder` must stay valid.
void otter_large_file_expect(const char *folder, uint64_t bytes);

// Returns the folder of the files: the first of $TMPDIR, /var/tmp and the archive's folder that is
// on a disk and writable; NULL: there is none. Sets *free to its free bytes.
const char *otter_large_file_folder(uint64_t *free);

// Prints once that arrays are in files, and why. `memory`: the bytes that are available.
void otter_large_file_announce(uint64_t memory);

// If a limit of the system refused `size` bytes, prints once which limit. *Returns* whether a limit
// refused them.
bool otter_large_file_explain(size_t size);

// Returns a new file, or -1 after an error was printed.
int otter_large_file_open(uint64_t memory);

// Reserves `size` bytes of the file from `offset` on. *Returns* false after an error was printed.
bool otter_large_file_reserve(int file, uint64_t offset, uint64_t size);
