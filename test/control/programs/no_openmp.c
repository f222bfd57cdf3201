// Without OpenMP: the header compiles, and there is no tool. Also compiled as C++.
#include <stdio.h>

#include "otter/control.h"

int main(void)
{
    printf("%d %d %d %d %d %d %d %d\n", otter_start(), otter_pause(), otter_flush(),
           otter_phase_begin("a"), otter_phase_end(), otter_mark_moment("b"), otter_query(),
           otter_end());
    return 0;
}
