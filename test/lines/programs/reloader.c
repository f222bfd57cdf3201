// Calls work() of each library on the command line twice, one library after the other. Each is
// unloaded before the next is loaded, so all have the same address.
#define _GNU_SOURCE // dladdr
#include <dlfcn.h>
#include <stdio.h>

static int call(const char *name, int *x, void **place)
{
    void *library = dlopen(name, RTLD_NOW);
    int (*work)(int *) = library ? (int (*)(int *))dlsym(library, "work") : NULL;
    Dl_info about;
    if (!work || !dladdr(dlsym(library, "work"), &about) || (*place && *place != about.dli_fbase)) {
        fprintf(stderr, "%s: %s\n", name, work ? "lies elsewhere" : dlerror());
        return 1;
    }
    *place = about.dli_fbase;
#pragma omp parallel num_threads(1) // HERE parallel main
    *x += work(x);
    return dlclose(library);
}

int main(int argc, char **argv)
{
    int x = 0, error = 0;
    void *place = NULL;
    for (int i = 0; i < 2 * (argc - 1); i++) {
        error = error || call(argv[1 + i % (argc - 1)], &x, &place);
    }
    printf("%d\n", x > 0);
    return error;
}
