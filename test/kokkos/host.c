// Loads a library and calls run_plugin in it: host LIBRARY [close].
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 2;
    }
    void (*run)(int, char **) = (void (*)(int, char **))dlsym(library, "run_plugin");
    run(argc, argv);
    if (argc > 2) {
        dlclose(library);
    }
    return 0;
}
