// MPI_Pcontrol. Its optional arguments cannot be passed on, but MPI libraries ignore them.

#include "call.h"

static void control(int level)
{
    switch (level) {
    case 0: otter_control_pause(); break;
    case 1: otter_control_start(); break;
    default: otter_control_flush(); break;
    }
}

__attribute__((visibility("default"))) int MPI_Pcontrol(const int level, ...)
{
    if (!call_is_off()) {
        control(level);
    }
    return PMPI_Pcontrol(level);
}
