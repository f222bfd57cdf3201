// Large arrays: in memory up to a limit, and above it in files without a name.
//
// Each array has its own pages. Beyond the limit the largest arrays move to files, where the kernel
// can evict their pages; their addresses do not change. So an archive that is larger than memory
// needs more time, and space on a disk. The blocks of a file are reserved before its pages are
// used, so that a full disk causes an error, not a signal. *Thread*: any. An array belongs to the
// thread that created or last resized it: while that thread creates or resizes other arrays, no
// other thread may write to the array. A thread can give its arrays to an object; the arrays of an
// object do not move.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Sets the bytes of memory that the command may use. Without this call, the number is determined
// when large arrays reach 64 MiB. 3/4 of the bytes are for arrays, the rest for pages of files.
void otter_large_set_memory(uint64_t bytes);

// Returns the number of bytes that the command may use, as set above or as the system reports it.
uint64_t otter_large_memory(void);

// Returns the smallest size of an array for the functions below.
size_t otter_large_least(void);

// Returns an array of zeros. *Errors*: NULL and ENOMEM; if a disk is full, an error is printed
// once.
void *otter_large_create(size_t size);

// Returns whether otter_large_create made the array. Accepts any address.
bool otter_large_has(const void *items);

// The first function gives all arrays of this thread to an object, the second takes all arrays of
// an object. An object is any address in the heap, or NULL for arrays that all threads share.
void otter_large_give(const void *to);
void otter_large_take(const void *from);

// Changes the size of an array, whose address may change; new bytes are zeros.
// *Errors*: NULL and ENOMEM; the array is then unchanged.
void *otter_large_resize(void *items, size_t size);

// Frees the array. *Returns* false if otter_large_create did not make it. errno is preserved.
bool otter_large_destroy(void *items);
