// A task with a detach clause, which does not work if GCC's code runs on LLVM's runtime.
#include <omp.h>
#include <stdio.h>

int main(void)
{
#pragma omp parallel
#pragma omp single
    {
        omp_event_handle_t event;
#pragma omp task detach(event)
        omp_fulfill_event(event);
    }
    puts("fulfilled");
    return 0;
}
