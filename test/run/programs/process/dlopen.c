// A library that uses OpenMP is loaded, used, and closed again. The library is this file, built
// with -DLIBRARY.
//
// expect: forks == 2
// expect: tasks == 4
// expect: module('library.so')
#ifdef LIBRARY
#include <stdatomic.h>

int otter_test_region(void);

__attribute__((visibility("default"))) int otter_test_region(void)
{
    atomic_int sum = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 2; i++) {
#pragma omp task shared(sum)
        atomic_fetch_add(&sum, 1);
    }
    return sum;
}
#else
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 32);
    if (length < 0) {
        return 1;
    }
    strcpy(path + length, "-library.so");
    for (int i = 0; i < 2; i++) {
        void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (!library) {
            printf("cannot load: %s\n", dlerror());
            return 2;
        }
        int (*region)(void) = (int (*)(void))dlsym(library, "otter_test_region");
        if (!region || region() != 2) {
            return 3;
        }
        dlclose(library);
    }
    printf("regions 2\n");
    return 0;
}
#endif
