// Functors with debug information. CODE marks the line of a kernel.
#include "apart.hpp"

void Fill::operator()(long i) const // CODE class
{
    x(i) = i;
}

void inner::Tagged::operator()(Up, long i) const // CODE up
{
    x(i) += 1;
}

void inner::Tagged::operator()(Down, long i) const // CODE down
{
    x(i) -= 1;
}

void Base::operator()(long i) const // CODE inherited
{
    x(i) += 2;
}

Derived make(const Values &x)
{
    return Derived{{x}};
}

int main(int argc, char **argv)
{
    Kokkos::ScopeGuard guard(argc, argv);
    launch(100);
    return 0;
}
