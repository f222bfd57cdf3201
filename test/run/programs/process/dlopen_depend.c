// A library that is loaded after the runtime has started brings tasks with if(0) that depend by
// mutexinoutset. It is this file, built with -DLIBRARY.
//
// attempts: 3
// threads[libomp < 16]: none
// expect: tasks == 40
// expect: enters('taskwait depend') == 40
// expect: param('depend mutexinoutset') == 40
// expect: param('depend in') == 60
// expect: module('library.so')
#ifdef LIBRARY
__attribute__((visibility("default"))) int otter_test_region(void);

int otter_test_region(void)
{
    int x = 0, y = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 10; i++) {
#pragma omp task depend(mutexinoutset : x) shared(x)
        x++;
#pragma omp task if (0) depend(mutexinoutset : x) depend(in : y) shared(x)
        x++;
#pragma omp taskwait depend(in : x, y)
    }
    return x;
}
#else
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// Loads the library once with immediate and once with lazy binding.
int main(void)
{
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 32);
    if (length < 0) {
        return 1;
    }
    strcpy(path + length, "-library.so");
#pragma omp parallel
    {
    }
    const int ways[] = {RTLD_NOW | RTLD_LOCAL, RTLD_LAZY | RTLD_GLOBAL};
    for (int i = 0; i < 2; i++) {
        void *library = dlopen(path, ways[i]);
        if (!library) {
            printf("cannot load: %s\n", dlerror());
            return 2;
        }
        int (*region)(void) = (int (*)(void))dlsym(library, "otter_test_region");
        if (!region || region() != 20) {
            return 3;
        }
        dlclose(library);
    }
    printf("regions 2\n");
    return 0;
}
#endif
