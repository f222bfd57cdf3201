// Runtimes of the process that have no tools interface.
#pragma once

#include <stdbool.h>

// *Returns* whether the process runs GCC's OpenMP runtime and not LLVM's. *Thread*: any.
bool otter_untraced_openmp(void);
