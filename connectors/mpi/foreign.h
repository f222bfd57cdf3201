// A process whose connector was built for another MPI.
#pragma once

#include <stdbool.h>

// *Returns* whether the process's MPI has a different binary interface from this connector's. If
// so, the program's later calls reach MPI directly, and a warning says so. *Thread*: the one that
// initialises MPI.
bool foreign_withdraw(void);
