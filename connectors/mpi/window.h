// The communicators of windows, whose members synchronise in MPI_Win_fence and MPI_Win_free.
//
// *Thread*: any.
#pragma once

#include "communicator.h"

void window_add(MPI_Win window, MPI_Comm comm);
// *Returns* the communicator from which the window was made; id 0: unknown.
struct communicator window_communicator(MPI_Win window);
void window_remove(MPI_Win window);
