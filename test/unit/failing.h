// Memory that runs out when a test wants it: for our own code alone, which meson's `failing_lib` compiles with these names in
// place of the C library's. OTF2 does not survive a failing allocation everywhere.
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The `n`-th allocation (from 1) of this thread fails; 0: none does.
void fail_allocation(size_t n);

// Allocations since then, the failed one too.
size_t n_allocations(void);

void *failing_malloc(size_t size);
void *failing_calloc(size_t n, size_t size);
void *failing_realloc(void *memory, size_t size);
char *failing_strdup(const char *text);
int failing_vasprintf(char **text, const char *format, va_list arguments);

#ifdef MEMORY_MAY_FAIL
#define malloc failing_malloc
#define calloc failing_calloc
#define realloc failing_realloc
#define strdup failing_strdup
#define vasprintf failing_vasprintf
#endif
