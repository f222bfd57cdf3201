// An undeferred task after a taskloop, both with data of a class: each has its own source line.
#include <cstdio>
#include <string>

static void loop(int n)
{
    std::string text(30, 'q');
#pragma omp taskloop firstprivate(text) grainsize(2)
    for (int i = 0; i < n; i++) {
        text[0] = 'z';
    }
}

int main()
{
    std::string text(40, 'x');
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        loop(6);
#pragma omp task if (0) firstprivate(text)
        {
            text[0] = 'y';
            std::puts(text.c_str());
        }
    }
}
