// Exceptions thrown and caught within tasks and regions; firstprivate objects with destructors.
//
// args: 6
// expect: tasks == 2 * out('rounds')
// expect: completed == tasks
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

static std::atomic<int> alive{0};

struct counted {
    std::vector<int> data{1, 2, 3};
    counted() { alive++; }
    counted(const counted &other) : data(other.data) { alive++; }
    ~counted() { alive--; }
};

int main(int argc, char **argv)
{
    int n = argc > 1 ? std::atoi(argv[1]) : 6;
    std::atomic<int> caught{0};
    {
        counted object;
#pragma omp parallel
#pragma omp single
        for (int i = 0; i < n; i++) {
#pragma omp task firstprivate(object, i) shared(caught)
            try {
                if (object.data.at(i) != i + 1) {
                    std::abort();
                }
            } catch (const std::out_of_range &) {
                caught++;
            }
#pragma omp task firstprivate(i) shared(caught)
            try {
                throw std::runtime_error(std::to_string(i));
            } catch (const std::exception &) {
                caught++;
            }
        }
    }
    if (caught != n + (n - 3) || alive != 0) {
        return 1;
    }
    std::printf("caught %d\nrounds %d\n", caught.load(), n);
    return 0;
}
