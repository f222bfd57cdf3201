// Functions of classes and templates, lambdas, and namespaces.
#include <cstdio>

#define APART __attribute__((noinline))

namespace ns {
template <class T> struct Solver {
    APART int run(T *x);
    struct Inner {
        APART static int go(int *x)
        {
#pragma omp task // HERE task ns::Solver<int>::Inner::go
            x[1]++;
#pragma omp taskwait // HERE taskwait ns::Solver<int>::Inner::go
            return x[1];
        }
    };
};
template <class T> int Solver<T>::run(T *x)
{
#pragma omp task // HERE task ns::Solver<int>::run
    x[0]++;
#pragma omp taskwait // HERE taskwait ns::Solver<int>::run
    return (int)x[0];
}
} // namespace ns

// clang gives only the line of a nested task, which both instances share.
template <class T> APART int nested(T *x)
{
#pragma omp task // HERE task:clang nested<int>,nested<float>
    {
        x[6]++;
#pragma omp task // HERE task:clang nested
        x[7]++;
        x[6]++;
    }
#pragma omp taskwait // HERE taskwait:clang nested<int>,nested<float>
    return (int)x[6];
}

template <class T> struct Box {
    T value;
};

template <class T> APART bool operator<(const Box<T> &box, int *x)
{
#pragma omp task // HERE task:clang operator<<int>,operator<<float>
    {
        x[6] += (int)box.value;
#pragma omp task // HERE task:clang operator<
        x[7]++;
        x[6]++;
    }
#pragma omp taskwait // HERE taskwait:clang operator<<int>,operator<<float>
    return x[6] > 0;
}

namespace {
APART int hidden(int *x)
{
#pragma omp task // HERE task hidden
    {
        x[2]++;
#pragma omp task // HERE task hidden
        x[3]++;
        x[4]++;
    }
#pragma omp taskwait // HERE taskwait hidden
    return x[2];
}
} // namespace

template <class F> APART int call(F f)
{
    return f(5) + 1;
}

APART int with_lambda(int *x)
{
    auto lambda = [=](int i) APART {
#pragma omp task // HERE task with_lambda
        x[i]++;
#pragma omp taskwait // HERE taskwait with_lambda
        return x[i];
    };
    return call(lambda) + 1;
}

int main()
{
    int x[8] = {0}, sum = 0;
    float y[8] = {0};
#pragma omp parallel num_threads(2) // HERE parallel main
    {
#pragma omp single // HERE single:clang main
        {
            ns::Solver<int> solver;
            sum = solver.run(x) + ns::Solver<int>::Inner::go(x) + hidden(x) + with_lambda(x) + nested(x) + nested(y);
            Box<int> first = {1};
            Box<float> second = {2};
            sum += (first < x) + (second < x);
        }
    }
    std::printf("%d\n", sum > 0);
    return 0;
}
