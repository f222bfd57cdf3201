// Deferred and undeferred tasks with data that must be copied; prints what they have computed and
// whether each copy was destroyed.
#include <cstdint>
#include <cstdio>
#include <string>

static long n_alive;

struct counted {
    double values[4];
    counted() : values{1, 2, 3, 4} { change(1); }
    counted(const counted &other)
    {
        for (int i = 0; i < 4; i++) {
            values[i] = other.values[i];
        }
        change(1);
    }
    ~counted() { change(-1); }
    static void change(long by)
    {
#pragma omp atomic
        n_alive += by;
    }
};

struct alignas(128) wide {
    long values[16];
    wide() { values[5] = 6; }
    wide(const wide &other) { values[5] = other.values[5]; }
    bool is_misaligned() const { return reinterpret_cast<std::uintptr_t>(this) % 128 != 0; }
};

static long fibonacci(int n, const std::string &path, int depth)
{
    if (n < 2) {
        return n;
    }
    long a, b;
    std::string deeper = path + "x";
#pragma omp task shared(a) firstprivate(deeper) if (depth < 3)
    a = fibonacci(n - 1, deeper, depth + 1);
#pragma omp task shared(b) firstprivate(deeper) final(depth > 3)
    b = fibonacci(n - 2, deeper, depth + 1);
#pragma omp taskwait
    return a + b + static_cast<long>(deeper.size() & 1);
}

// `n` hides from the compiler that no task is deferred.
static void copy(int n, double &sum, int &n_misaligned)
{
    counted one;
    wide two;
    std::string text(100, 'y');
    int many[n + 5];
    for (int i = 0; i < n + 5; i++) {
        many[i] = i;
    }
    for (int k = 0; k < 2; k++) {
#pragma omp task firstprivate(one, two, text, many) shared(sum, n_misaligned) if (k == 1)
        {
            double found = one.values[2] + two.values[5] + text.size() + many[n + 4];
#pragma omp atomic
            sum += found;
#pragma omp atomic
            n_misaligned += two.is_misaligned();
#pragma omp task firstprivate(one, text) shared(sum) if (k > 1)
#pragma omp atomic
            sum += one.values[1] + text.size();
        }
    }
}

// An undeferred task waits before it copies.
static void copy_after_wait(int n)
{
    std::string text = "before";
#pragma omp task depend(out : text) shared(text)
    text = "a text that is longer than before";
#pragma omp task depend(in : text) firstprivate(text) if (n > 100)
    std::printf("%s\n", text.c_str());
#pragma omp task depend(mutexinoutset : text) firstprivate(text) if (n > 100)
    std::printf("%s\n", text.c_str());
#pragma omp taskwait
}

int main()
{
    for (int n = 1; n <= 4; n++) {
        long number = 0;
        double sum = 0;
        int n_misaligned = 0;
#pragma omp parallel num_threads(n)
#pragma omp single
        {
            number = fibonacci(12, "", 0);
            copy(n, sum, n_misaligned);
#pragma omp taskwait
            copy_after_wait(n);
        }
        number += fibonacci(8, "", 0);
        std::printf("%ld %g, %d misaligned, %ld left\n", number, sum, n_misaligned, n_alive);
    }
    return 0;
}
