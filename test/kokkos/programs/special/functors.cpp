// Kernels with functors of many kinds. CODE marks the line of a kernel, LAUNCH the line of its
// launch.
#include <Kokkos_Core.hpp>

#include <cstdio>

using Values = Kokkos::View<long *>;
template <class Tag> using Range = Kokkos::RangePolicy<Kokkos::DefaultExecutionSpace, Tag>;
using Teams = Kokkos::TeamPolicy<Kokkos::DefaultExecutionSpace>;

struct Fill {
    Values x;
    KOKKOS_FUNCTION void operator()(long i) const // CODE class
    {
        x(i) = i;
    }
};

struct Outer {
    struct Nested {
        Values x;
        KOKKOS_FUNCTION void operator()(long i) const // CODE nested
        {
            x(i) += 1;
        }
    };
};

struct Tagged {
    struct Up {
    };
    struct Down {
    };
    template <bool IS_FAST> struct Aside {
    };
    Values x;
    KOKKOS_FUNCTION void operator()(Up, long i) const // CODE up
    {
        x(i) += 1;
    }
    void operator()(const Down &, long i) const;
    template <bool IS_FAST>
    KOKKOS_FUNCTION void operator()(Aside<IS_FAST>, long i) const // CODE aside
    {
        x(i) += IS_FAST;
    }
    KOKKOS_FUNCTION void operator()(long i) const // CODE untagged
    {
        x(i) *= 2;
    }
    void run() const
    {
        long n = static_cast<long>(x.extent(0));
        Kokkos::parallel_for("untagged", n, *this);                     // LAUNCH untagged
        Kokkos::parallel_for("up", Range<Up>(0, n), *this);             // LAUNCH up
        Kokkos::parallel_for("down", Range<Down>(0, n), *this);         // LAUNCH down
        Kokkos::parallel_for("aside", Range<Aside<true>>(0, n), *this); // LAUNCH aside
    }
};

void Tagged::operator()(const Down &, long i) const // CODE down
{
    x(i) -= 1;
}

template <class T> struct Sum {
    struct Plain {
    };
    struct Squares {
    };
    Values x;
    KOKKOS_FUNCTION void operator()(Plain, long i, T &to) const // CODE sum
    {
        to += x(i);
    }
    KOKKOS_FUNCTION void operator()(Squares, long i, T &to) const // CODE squares
    {
        to += x(i) * x(i);
    }
};

struct Team {
    Values x;
    KOKKOS_FUNCTION void operator()(const Teams::member_type &team) const // CODE team
    {
        x(team.league_rank()) += 1;
    }
};

struct Running {
    Values x;
    KOKKOS_FUNCTION void operator()(long i, long &to, bool) const // CODE scan
    {
        to += x(i);
    }
};

struct Base {
    struct Left {
    };
    Values x;
    KOKKOS_FUNCTION void operator()(long i) const // CODE inherited
    {
        x(i) += 2;
    }
    KOKKOS_FUNCTION void operator()(Left, long i) const // CODE left
    {
        x(i) += 3;
    }
};

struct Middle : Base {
};

struct Derived : Middle {
    struct Right {
    };
    using Base::operator();
    KOKKOS_FUNCTION void operator()(Right, long i) const // CODE right
    {
        x(i) += 4;
    }
};

int main(int argc, char **argv)
{
    Kokkos::ScopeGuard guard(argc, argv);
    const int n = 100;
    long sum = 0, squares = 0;
    Values x("x", n);
    Sum<long> of{x};
    Range<Sum<long>::Plain> plain(0, n);
    Range<Sum<long>::Squares> square(0, n);
    Kokkos::parallel_for("class", n, Fill{x});                               // LAUNCH class
    Kokkos::parallel_for("nested", n, Outer::Nested{x});                     // LAUNCH nested
    Kokkos::parallel_for("lambda", n, KOKKOS_LAMBDA(long i) { x(i) += 1; }); // CODE lambda
    Tagged{x}.run();
    Kokkos::parallel_reduce("sum", plain, of, sum);          // LAUNCH sum
    Kokkos::parallel_reduce("squares", square, of, squares); // LAUNCH squares
    Kokkos::parallel_for("team", Teams(n, 1), Team{x});      // LAUNCH team
    Kokkos::parallel_scan("scan", n, Running{x});            // LAUNCH scan
    Derived derived{{{x}}};
    Kokkos::parallel_for("inherited", n, Middle{{x}});                       // LAUNCH inherited
    Kokkos::parallel_for("left", Range<Base::Left>(0, n), derived);          // LAUNCH left
    Kokkos::parallel_for("right", Range<Derived::Right>(0, n), derived);     // LAUNCH right
    Kokkos::fence();
    std::printf("%ld %ld\n", sum, squares);
    return 0;
}
