#include "failing.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *memory, size_t size);
int __real_vasprintf(char **text, const char *format, va_list arguments);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *memory, size_t size);
char *__wrap_strdup(const char *text);
int __wrap_vasprintf(char **text, const char *format, va_list arguments);

static _Thread_local size_t n_so_far, first_failing, last_failing;

void fail_allocations_from(size_t n)
{
    n_so_far = 0;
    first_failing = n;
    last_failing = n ? SIZE_MAX : 0;
}

void fail_allocation(size_t n)
{
    n_so_far = 0;
    first_failing = last_failing = n;
}

size_t n_allocations(void)
{
    return n_so_far;
}

static bool is_refused(void)
{
    n_so_far++;
    if (first_failing == 0 || n_so_far < first_failing || n_so_far > last_failing) {
        return false;
    }
    errno = ENOMEM;
    return true;
}

void *__wrap_malloc(size_t size)
{
    return is_refused() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
    return is_refused() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    return is_refused() ? NULL : __real_realloc(memory, size);
}

char *__wrap_strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = is_refused() ? NULL : __real_malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

// vasprintf() allocates inside the C library, where no call can be led elsewhere.
int __wrap_vasprintf(char **text, const char *format, va_list arguments)
{
    return is_refused() ? -1 : __real_vasprintf(text, format, arguments);
}
