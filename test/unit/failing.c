// Allocation functions that fail on request.
#include "failing.h"

#include <errno.h>
#include <stdbool.h>

static _Thread_local size_t n_so_far, failing;

void fail_allocation(size_t n)
{
    n_so_far = 0;
    failing = n;
}

size_t n_allocations(void)
{
    return n_so_far;
}

static bool is_refused(void)
{
    if (++n_so_far != failing) {
        return false;
    }
    errno = ENOMEM;
    return true;
}

void *failing_malloc(size_t size)
{
    return is_refused() ? NULL : malloc(size);
}

void *failing_calloc(size_t n, size_t size)
{
    return is_refused() ? NULL : calloc(n, size);
}

void *failing_realloc(void *memory, size_t size)
{
    return is_refused() ? NULL : realloc(memory, size);
}

char *failing_strdup(const char *text)
{
    return is_refused() ? NULL : strdup(text);
}

int failing_vasprintf(char **text, const char *format, va_list arguments)
{
    return is_refused() ? -1 : vasprintf(text, format, arguments);
}
