// Functions of the C library that fail, or describe another system, on request.
#include "failing.h"

#include <errno.h>
#include <malloc.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

static _Thread_local size_t n_so_far, failing, n_before, n_most;

// *Returns* 0 where the C library does not count the bytes.
static size_t bytes_in_use(void)
{
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#else
    return 0;
#endif
}

// Returns its argument.
static void *counted(void *memory)
{
    size_t n = bytes_in_use();
    n_most = n > n_most ? n : n_most;
    return memory;
}

void fail_allocation(size_t n)
{
    n_so_far = 0;
    failing = n;
    n_before = n_most = bytes_in_use();
}

size_t most_bytes(void)
{
    return n_most - n_before;
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
    return is_refused() ? NULL : counted(malloc(size));
}

void *failing_calloc(size_t n, size_t size)
{
    return is_refused() ? NULL : counted(calloc(n, size));
}

void *failing_realloc(void *memory, size_t size)
{
    return is_refused() ? NULL : counted(realloc(memory, size));
}

char *failing_strdup(const char *text)
{
    return is_refused() ? NULL : strdup(text);
}

int failing_vasprintf(char **text, const char *format, va_list arguments)
{
    return is_refused() ? -1 : vasprintf(text, format, arguments);
}

static size_t page_size;

void use_pages(size_t size)
{
    page_size = size;
}

void *failing_mmap(void *address, size_t size, int protection, int flags, int file, off_t offset)
{
    if (page_size > 0 && (size_t)offset % page_size != 0) {
        errno = EINVAL;
        return MAP_FAILED;
    }
    return mmap(address, size, protection, flags, file, offset);
}

long failing_sysconf(int name)
{
    return page_size > 0 && name == _SC_PAGESIZE ? (long)page_size : sysconf(name);
}
