// An OpenMP tool that replaces Otter's and does nothing.
#include <stddef.h>

__attribute__((visibility("default"))) void *ompt_start_tool(unsigned version, const char *runtime);

static int initialize(void *lookup, int device, void *data)
{
    return 1;
}

static void finalize(void *data)
{
}

static struct {
    int (*initialize)(void *, int, void *);
    void (*finalize)(void *);
    unsigned long long data;
} result = {initialize, finalize, 0};

void *ompt_start_tool(unsigned version, const char *runtime)
{
    return &result;
}
