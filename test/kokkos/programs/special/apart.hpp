// Functors that programs/special/apart.cpp defines and programs/apart_launch.cpp launches.
#pragma once

#include <Kokkos_Core.hpp>

using Values = Kokkos::View<long *>;

struct Fill {
    Values x;
    void operator()(long i) const;
};

namespace inner {
struct Tagged {
    struct Up {
    };
    struct Down {
    };
    Values x;
    void operator()(Up, long i) const;
    void operator()(Down, long i) const;
    KOKKOS_FUNCTION void operator()(long i, long &to) const // CODE sum
    {
        to += x(i);
    }
};
} // namespace inner

struct Base {
    Values x;
    void operator()(long i) const;
};

struct Derived : Base {
};

// Makes the compiler describe Derived in programs/special/apart.cpp.
Derived make(const Values &x);
void launch(int n);
