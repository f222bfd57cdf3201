// The MPI library of the recorded program.
#pragma once

#include "launcher/program.h"

// Returns the path of the connector to preload for the MPI of `program`, else of a program that its
// arguments name (mpirun ./app), else of the launcher. Then programs may load MPI later. NULL: no
// MPI exists, or a warning says why it is not recorded. The caller frees the path.
char *otter_mpi_connector(const struct otter_program *program, char *const *arguments);
