// The offset of this process's clock from rank 0's clock.
#pragma once

#include <stdbool.h>

// The time, the offset to add to it for rank 0's clock, and the uncertainty of the offset; all in
// ticks.
struct offset {
    char text[96];
};

// With the setting mpi-offsets, measures the offset. Each process of MPI_COMM_WORLD must call this
// function, which communicates. *Returns* whether the offset was measured; rank 0 has none.
bool offset_measure(struct offset *offset);
