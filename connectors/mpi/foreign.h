// A process with the connector of another MPI.
#pragma once

#include <stdbool.h>

// *Returns* whether the MPI of the process has another binary interface than this connector. Then
// the program's later calls reach MPI directly, and a warning says so. *Thread*: the one that
// initialises MPI.
bool foreign_withdraw(void);
