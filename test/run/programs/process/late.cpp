// Regions in the destructor of a static object, in an atexit handler and in an ELF destructor, all
// of which run before the runtime ends.
//
// expect: forks == 4
// expect: tasks == 4 * T
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <omp.h>

static void region(const char *where)
{
    std::atomic<int> sum{0};
    int expected = 0;
#pragma omp parallel
    {
#pragma omp single
        expected = omp_get_num_threads();
#pragma omp task shared(sum)
        sum++;
    }
    std::printf("%s %s\n", where, sum == expected ? "ok" : "wrong");
    std::fflush(stdout);
}

struct late {
    ~late() { region("static destructor"); }
};

static late object;

static void at_exit() { region("atexit handler"); }

__attribute__((destructor)) static void elf_destructor() { region("ELF destructor"); }

int main()
{
    std::atexit(at_exit);
    region("main");
    return 9 - 9;
}
