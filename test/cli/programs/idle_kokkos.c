// Initialises and finalises Kokkos without a kernel, and loads a tool as Kokkos does. If an
// argument names a program, executes it at the end.
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void begin_function(int sequence, uint64_t version, uint32_t n_devices, void *devices);
typedef void end_function(void);

int main(int argc, char **argv)
{
    const char *path = getenv("KOKKOS_TOOLS_LIBS");
    void *tool = path ? dlopen(path, RTLD_NOW | RTLD_GLOBAL) : NULL;
    void *begin = tool ? dlsym(tool, "kokkosp_init_library") : NULL;
    void *end = tool ? dlsym(tool, "kokkosp_finalize_library") : NULL;
    if (!begin || !end) {
        fprintf(stderr, "no tool: %s\n", path ? dlerror() : "the variable is not set");
        return EXIT_FAILURE;
    }
    begin_function *begin_library;
    end_function *end_library;
    memcpy(&begin_library, &begin, sizeof begin_library);
    memcpy(&end_library, &end, sizeof end_library);
    begin_library(0, 20211015, 0, NULL);
    if (argc > 1) {
        execv(argv[1], argv + 1);
        return EXIT_FAILURE;
    }
    end_library();
    return EXIT_SUCCESS;
}
