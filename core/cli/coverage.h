// Whether a preloaded OpenMP runtime has all that a program wants of GCC's.
//
// The dynamic loader takes each symbol from the first library that has it in the wanted version. A
// symbol that the preloaded runtime lacks comes from libgomp, which then works on its own,
// uninitialised state beside the other runtime.
#pragma once

#include "cli/program.h"

// The first symbol, as `name@version`, that the program or one of its libraries wants of `libgomp`
// and that `runtime` does not have in that version; for free(). NULL when there is none. What
// `shim` has (NULL: no shim) counts where the runtime has, in any version, the function that the
// shim calls: the same of C.
char *otter_coverage_gap(const struct otter_program *program, const char *libgomp,
                         const char *runtime, const char *shim);
