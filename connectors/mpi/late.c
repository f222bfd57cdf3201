// Finds symbols of an MPI library that the program has loaded after this connector.
#include <dlfcn.h>
#include <stdlib.h>

#include "otter/record.h"
#include "weak.h"

// RTLD_NOLOAD also finds a library that is private to a plugin.
void *late_library(void)
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
    void *handle = late_library();
    void *symbol = handle ? dlsym(handle, name) : NULL;
    if (!symbol) {
        otter_warn("the program calls %s, but no MPI library in the process provides it", name);
        abort();
    }
    return symbol;
}
