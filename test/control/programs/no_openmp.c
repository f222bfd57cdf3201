/* Without OpenMP: the header compiles, also as C of 1989, and there is no tool. */
#include <stdio.h>

#include "otter/control.h"

int main(void)
{
    printf("%d %d %d %d %d %d %d %d\n", otter_start(), otter_pause(), otter_flush(),
           otter_phase_begin("a"), otter_phase_end(), otter_mark_moment("b"), otter_query(),
           otter_end());
    return 0;
}
