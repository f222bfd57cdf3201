// The MPI library of the recorded program.
#pragma once

#include "launcher/program.h"

// Returns the path of the connector to preload, which the caller frees. It is the connector for the
// MPI of `program`, otherwise for the MPI of a program named by its arguments (mpirun ./app).
// Failing both, it is for the launcher's MPI, since programs may load MPI later. NULL: there is no
// MPI, or a warning says why it is not recorded.
char *otter_mpi_connector(const struct otter_program *program, char *const *arguments);

// Returns whether `program` is an MPI launcher, or an MPI launcher has started this command.
bool otter_mpi_is_launched(const struct otter_program *program);
