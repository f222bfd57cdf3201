// Tests names_show with names that compilers make, in a C++ program, where __cxa_demangle is
// available.
#include <cstdio>
#include <cstring>
#include <cxxabi.h>
#include <initializer_list>
#include <type_traits>
#include <typeinfo>

extern "C" {
const char *names_show(int construct, const char *raw, char *room, size_t size);
void names_set_version(unsigned long interface_version);
}

namespace a_rather_long_name_of_a_project
{
namespace kernels
{
template <class F> struct Wrapper {
    F f;
};
struct Particle {
    int x;
};
struct Functor {
};
// The name of the lambda's type contains a '>' that does not end a list.
template <class T>
const char *name_of_lambda(T t, typename std::enable_if<(sizeof(T) > 2)>::type * = nullptr)
{
    auto f = [=](int) { return t.x; };
    return typeid(Wrapper<decltype(f)>).name();
}
} // namespace kernels
} // namespace a_rather_long_name_of_a_project

// Uses the library that defines __cxa_demangle, as Kokkos programs do.
auto *volatile demangler = &abi::__cxa_demangle;

static int n_failed;

static void expect(const char *raw, const char *wanted)
{
    char room[4097];
    const char *shown = names_show(112, raw, room, sizeof room); // OTTER_CONSTRUCT_KOKKOS_FOR
    if (std::strcmp(shown, wanted) != 0) {
        std::printf("%s: expected %s, got %s\n", raw, wanted, shown);
        n_failed++;
    }
}

int main()
{
    using namespace a_rather_long_name_of_a_project::kernels;
    names_set_version(20210225);
    expect("7Functor", "Functor");
    expect("7Functor/4TagA", "Functor / TagA");
    expect("7Functor/2X1", "Functor / X1");
    expect("1F", "F");
    expect("3Foo", "Foo");
    expect("1FIdE", "F<double>");
    expect("N2ns1FE", "ns::F");
    expect("N1a1bE/1T", "a::b / T");
    for (const char *label : {"fill",
                              "i",
                              "2nd",
                              "8 threads",
                              "5stage",
                              "4step",
                              "N",
                              "Zeta",
                              "10iterations",
                              "",
                              "f",
                              "x",
                              "b",
                              "1D",
                              "3d stencil",
                              "3d",
                              "1st",
                              "Zoo",
                              "(lambda at app/main.cpp:4:64)",
                              "Kokkos::Impl::CombinedFunctorReducer<A, B>"}) {
        expect(label, label);
    }
    char room[4097];
    const char *shown =
        names_show(112, name_of_lambda(Particle{1}), room, sizeof room); // must return
    if (std::strlen(shown) > 200 || !std::strstr(shown, "Wrapper")) {
        std::printf("a long lambda: got %s\n", shown);
        n_failed++;
    }
    names_set_version(20240906);
    expect("7Functor", "7Functor");
    expect("(lambda at app/main.cpp:4:64)", "lambda main.cpp:4:64");
    expect("(lambda at app/main.cpp:4:90)", "lambda main.cpp:4:90");
    expect("(lambda at app/main.cpp:4:64)/ns::Tag", "lambda main.cpp:4:64 / ns::Tag");
    expect("(lambda at a dir/b (2).cpp:4:64)", "lambda b (2).cpp:4:64");
    for (const char *label : {"f", "N2ns1FE", "(lambda at home)", "(lambda at a.cpp:4)",
                              "(lambda at a.cpp:4:64", "(lambda at a.cpp:4:64) of mine",
                              "solve (lambda at a.cpp:4:64)", "my CombinedFunctorReducer<A, B>"}) {
        expect(label, label);
    }
    expect("CombinedFunctorReducer<ns::go()::<lambda(int, double&)>, X<int>, void>",
           "ns::go()::<lambda(int, double&)>");
    expect(
        "Kokkos::Impl::CombinedFunctorReducer<(lambda at a/b.cpp:11:42), Kokkos::Impl::X<int>::Reducer>",
        "lambda b.cpp:11:42");
    return n_failed > 0;
}
