// A child process continues to use Kokkos. None of this appears in the parent's archive.
#include <Kokkos_Core.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

int main(int argc, char **argv)
{
    Kokkos::ScopeGuard guard(argc, argv);
    using Serial = Kokkos::RangePolicy<Kokkos::Serial>;
    long sum = 0;
    Kokkos::parallel_reduce("before", Serial(0, 10), [](int i, long &to) { to += i; }, sum);
    std::fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        Kokkos::parallel_for("in the child", Serial(0, 10), [](int) {});
        std::_Exit(7);
    }
    int status = 0;
    waitpid(child, &status, 0);
    Kokkos::parallel_for("after", Serial(0, 10), [](int) {});
    std::printf("%ld %d\n", sum, WEXITSTATUS(status));
    return 0;
}
