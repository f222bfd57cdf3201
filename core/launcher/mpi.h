// The MPI library of the recorded program.
#pragma once

#include "launcher/program.h"

// Returns the path of the connector to preload, which the caller frees. It is for the MPI of
// `program`, otherwise of a program that its arguments name (mpirun ./app), otherwise of the
// launcher, since programs may load MPI later. NULL: there is no MPI, or a warning says why it is
// not recorded.
char *otter_mpi_connector(const struct otter_program *program, char *const *arguments);

// Returns whether `program` is a launcher of MPI, or a launcher has started this command.
bool otter_mpi_is_launched(const struct otter_program *program);
