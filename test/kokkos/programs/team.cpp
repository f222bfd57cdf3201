// Team policies: nested ranges, single, barriers, scratch memory, reduction and scan.
#include <Kokkos_Core.hpp>

#include <cstdio>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Scratch =
    Kokkos::View<int *, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

constexpr int LEAGUE = 20, WIDTH = 50;

static void in_scratch(const Kokkos::View<int *> &sums)
{
    Policy policy(LEAGUE, 1);
    policy.set_scratch_size(0, Kokkos::PerTeam(Scratch::shmem_size(WIDTH)));
    Kokkos::parallel_for(
        "in scratch", policy, KOKKOS_LAMBDA(const Member &member) {
            Scratch scratch(member.team_scratch(0), WIDTH);
            Kokkos::parallel_for(Kokkos::TeamThreadRange(member, WIDTH),
                                 [&](int i) { scratch(i) = i; });
            member.team_barrier();
            int sum = 0;
            Kokkos::parallel_reduce(
                Kokkos::ThreadVectorRange(member, WIDTH), [&](int i, int &to) { to += scratch(i); },
                sum);
            Kokkos::single(Kokkos::PerTeam(member), [&]() { sums(member.league_rank()) = sum; });
        });
}

static void scan(const Kokkos::View<int **> &table, const Kokkos::View<int *> &sums)
{
    Kokkos::parallel_for(
        "scan of rows", Policy(LEAGUE, Kokkos::AUTO), KOKKOS_LAMBDA(const Member &member) {
            int i = member.league_rank();
            Kokkos::parallel_scan(Kokkos::TeamThreadRange(member, WIDTH),
                                  [&](int j, int &to, bool is_final) {
                                      to += table(i, j);
                                      if (is_final && j == WIDTH - 1) {
                                          sums(i) += to;
                                      }
                                  });
        });
}

int main(int argc, char **argv)
{
    Kokkos::ScopeGuard guard(argc, argv);
    Kokkos::View<int **> table("table", LEAGUE, WIDTH);
    Kokkos::View<int *> sums("sums", LEAGUE);
    long total = 0;
    Kokkos::parallel_for(
        "rows", Policy(LEAGUE, Kokkos::AUTO), KOKKOS_LAMBDA(const Member &member) {
            int i = member.league_rank();
            Kokkos::parallel_for(Kokkos::TeamThreadRange(member, WIDTH),
                                 [&](int j) { table(i, j) = i + j; });
        });
    Kokkos::parallel_reduce(
        "total", Policy(LEAGUE, Kokkos::AUTO),
        KOKKOS_LAMBDA(const Member &member, long &to) {
            int i = member.league_rank();
            long sum = 0;
            Kokkos::parallel_reduce(
                Kokkos::TeamThreadRange(member, WIDTH),
                [&](int j, long &row) { row += table(i, j); }, sum);
            Kokkos::single(Kokkos::PerTeam(member), [&]() { to += sum; });
        },
        total);
    in_scratch(sums);
    in_scratch(sums);
    scan(table, sums);
    Kokkos::fence();
    std::printf("%ld %d %d\n", total, sums(0), sums(LEAGUE - 1));
    return 0;
}
