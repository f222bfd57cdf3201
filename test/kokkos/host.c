// Loads a library and calls run_plugin in it: host LIBRARY [close | fork].
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 2;
    }
    const char *then = argc > 2 ? argv[2] : ""; // Kokkos removes its own arguments from `argv`
    void (*run)(int, char **) = (void (*)(int, char **))dlsym(library, "run_plugin");
    run(argc, argv);
    if (strcmp(then, "close") == 0) {
        dlclose(library);
    }
    if (strcmp(then, "fork") == 0) {
        fflush(stdout);
        pid_t child = fork(); // the child also runs exit handlers
        waitpid(child, NULL, 0);
    }
    return 0;
}
