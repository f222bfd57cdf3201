// Memory that runs out on request, and other page sizes, only for Otter's code: failing.sh replaces
// the C library's names in the object files of Meson's `failing_lib`. OTF2 does not survive every
// failing allocation.
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

// The `n`-th allocation (from 1) of this thread fails; 0: all succeed.
void fail_allocation(size_t n);

// Returns the number of allocations since that call, including the failed one.
size_t n_allocations(void);

// Returns the most bytes in use after one of these allocations, more than before the first. Always
// 0 with sanitizers, which replace the C library's allocator, and before glibc 2.33.
size_t most_bytes(void);

// From now on the system has pages of `size` bytes, at least the real size; 0: real ones. It maps a
// file only from multiples of this size.
void use_pages(size_t size);

void *failing_malloc(size_t size);
void *failing_calloc(size_t n, size_t size);
void *failing_realloc(void *memory, size_t size);
char *failing_strdup(const char *text);
void *failing_mmap(void *address, size_t size, int protection, int flags, int file, off_t offset);
long failing_sysconf(int name);
int failing_vasprintf(char **text, const char *format, va_list arguments);
