// Files without a name that contain large arrays.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Sets the folder of the archive, which is used if no other folder is suitable. Sets the bytes that
// the command needs in all, by an estimate; 0: not known. `folder` stays valid.
void otter_large_file_expect(const char *folder, uint64_t bytes);

// Returns the folder of the files: $TMPDIR, /var/tmp or the folder of the archive, the first that
// is on a disk and can be written. NULL: there is none. Sets *free to its free bytes.
const char *otter_large_file_folder(uint64_t *free);

// Prints once that arrays are in files, and why. `memory`: the bytes that are available.
void otter_large_file_announce(uint64_t memory);

// Prints once which limit of the system refused `size` bytes, if one did. *Returns* whether it did.
bool otter_large_file_explain(size_t size);

// Returns a new file, or -1 after an error was printed.
int otter_large_file_open(uint64_t memory);

// Reserves `size` bytes of the file from `offset` on. *Returns* false after an error was printed.
bool otter_large_file_reserve(int file, uint64_t offset, uint64_t size);
