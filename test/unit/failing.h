// Memory that runs out on request, only for Otter's code: failing.sh replaces the C library's names
// in the object files of Meson's `failing_lib`. OTF2 does not survive every failing allocation.
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The `n`-th allocation (from 1) of this thread fails; 0: all succeed.
void fail_allocation(size_t n);

// Returns the number of allocations since that call, including the failed one.
size_t n_allocations(void);

// Returns the most bytes in use after one of these allocations, more than before the first. Always
// 0 with sanitizers, which replace the C library's allocator, and before glibc 2.33.
size_t most_bytes(void);

void *failing_malloc(size_t size);
void *failing_calloc(size_t n, size_t size);
void *failing_realloc(void *memory, size_t size);
char *failing_strdup(const char *text);
int failing_vasprintf(char **text, const char *format, va_list arguments);
