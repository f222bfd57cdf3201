// Checks that a preloaded OpenMP runtime has all symbols that a program needs from GCC's runtime.
//
// The dynamic loader resolves each symbol to the first library that has it in the needed version. A
// symbol that the preloaded runtime lacks is resolved to libgomp, which then runs next to the other
// runtime with its own state.
#pragma once

#include "launcher/program.h"

// Returns the first symbol, as `name@version`, that the program or its libraries need from
// `libgomp` and that `runtime` lacks. The caller frees it. NULL: nothing is missing. `shim` (NULL:
// none) provides a symbol if the runtime has, in any version, the C function that the shim calls
// for it.
char *otter_coverage_gap(const struct otter_program *program, const char *libgomp,
                         const char *runtime, const char *shim);
