// mpi.h of the MPI for which the connector is built. Each symbol of the library is weak, so that
// the connector can be loaded into a process without MPI.
#pragma once

#include OTTER_MPI_HEADER // made by wrappers.py
