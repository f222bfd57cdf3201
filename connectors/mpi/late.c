// Finds symbols of an MPI library that the program has loaded after this connector.
#include <dlfcn.h>
#include <stdlib.h>

#include "otter/record.h"
#include "weak.h"

// The library's names, newest first. RTLD_NOLOAD also finds a library that is private to a plugin.
static void *library(void)
{
    static const char *const names[] = {"libmpi.so.40", "libmpich.so.12", "libmpi.so.12"};
    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        void *handle = dlopen(names[i], RTLD_LAZY | RTLD_NOLOAD);
        if (handle) {
            return handle;
        }
    }
    return NULL;
}

__attribute__((cold, noinline)) void *late_find(const char *name)
{
    void *handle = library();
    void *symbol = handle ? dlsym(handle, name) : NULL;
    if (!symbol) {
        otter_warn("%s is used, but no MPI library of the process contains it", name);
        abort();
    }
    return symbol;
}
