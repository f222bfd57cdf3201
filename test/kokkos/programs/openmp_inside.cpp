// OpenMP inside Kokkos: parallel regions and tasks in kernels of one thread, tasks in kernels of
// many threads. Also kernels, regions and tasks on threads that neither runtime started.
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <thread>
#include <vector>

using Serial = Kokkos::RangePolicy<Kokkos::Serial>;

static long in_one_thread()
{
    long sum = 0, tasks = 0;
    Kokkos::parallel_reduce(
        "forks", Serial(0, 3),
        [](int, long &to) {
            long inside = 0;
#pragma omp parallel for num_threads(2) reduction(+ : inside)
            for (int i = 0; i < 100; i++) {
                inside += i;
            }
            to += inside;
        },
        sum);
    Kokkos::parallel_for("forks and makes tasks", Serial(0, 2), [&](int) {
#pragma omp parallel num_threads(2)
#pragma omp single
        for (int i = 0; i < 4; i++) {
#pragma omp task shared(tasks)
#pragma omp atomic
            tasks++;
        }
    });
    return sum + tasks;
}

static long in_many_threads()
{
    long sum = 0;
    Kokkos::parallel_reduce(
        "makes tasks", 8,
        KOKKOS_LAMBDA(int i, long &to) {
            long left = 0, right = 0;
#pragma omp task shared(left)
            left = i;
#pragma omp task shared(right)
            right = i * i;
#pragma omp taskwait
            to += left + right;
        },
        sum);
    return sum;
}

static void on_host_thread(long *result)
{
    Kokkos::Profiling::pushRegion("host thread");
#pragma omp parallel num_threads(2)
    {
        Kokkos::parallel_for("in a region of a host thread", Serial(0, 10), [=](int i) {
#pragma omp atomic
            *result += i;
        });
    }
    Kokkos::parallel_for("forks on a host thread", Serial(0, 1), [=](int) {
#pragma omp parallel num_threads(2)
#pragma omp atomic
        *result += 1;
    });
    Kokkos::Profiling::popRegion();
}

int main(int argc, char **argv)
{
    Kokkos::ScopeGuard guard(argc, argv);
    std::vector<std::thread> threads;
    std::vector<long> results(3);
    long one = in_one_thread(), many = in_many_threads();
    for (long &result : results) {
        threads.emplace_back(on_host_thread, &result);
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    std::printf("%ld %ld %ld %ld %ld\n", one, many, results[0], results[1], results[2]);
    return 0;
}
