// Finds GCC's OpenMP runtime among the objects of the process.
#include "record/process/untraced.h"

#include <link.h>
#include <stddef.h>
#include <string.h>

struct runtimes {
    bool has_gnu, has_llvm;
};

static int visit(struct dl_phdr_info *object, size_t size, void *user)
{
    struct runtimes *runtimes = user;
    const char *slash = strrchr(object->dlpi_name, '/');
    const char *name = slash ? slash + 1 : object->dlpi_name;
    (void)size;
    runtimes->has_gnu |= strncmp(name, "libgomp.so", strlen("libgomp.so")) == 0;
    runtimes->has_llvm |= strncmp(name, "libomp", strlen("libomp")) == 0 ||
                          strncmp(name, "libiomp", strlen("libiomp")) == 0;
    return 0;
}

bool otter_untraced_openmp(void)
{
    struct runtimes runtimes = {.has_gnu = false};
    dl_iterate_phdr(visit, &runtimes);
    return runtimes.has_gnu && !runtimes.has_llvm;
}
