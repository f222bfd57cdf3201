// Calls work() of each library named on the command line, and unloads them.
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int x = 0;
    void *libraries[8] = {0};
    for (int i = 1; i < argc; i++) {
        void *library = libraries[i % 8] = dlopen(argv[i], RTLD_NOW);
        int (*work)(int *) = library ? (int (*)(int *))dlsym(library, "work") : NULL;
        if (!work) {
            fprintf(stderr, "%s\n", dlerror());
            return 1;
        }
#pragma omp parallel num_threads(1) // HERE parallel main
        x += work(&x);
    }
    for (int i = 0; i < 8; i++) {
        if (libraries[i]) {
            dlclose(libraries[i]);
        }
    }
    printf("%d\n", x > 0);
    return 0;
}
