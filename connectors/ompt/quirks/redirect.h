// Redirects calls of the runtime's entry points to functions of the connector, for all objects of
// the process.
#pragma once

#include <stdbool.h>

// Redirects calls of the runtime's function `name` to `replacement`, including those from objects
// loaded later. Runs after runtime_find(), once for each name. Calls through an address that the
// program has already looked up with dlsym() are not redirected.
// Stores the runtime's function in `*original` before the first redirected call.
// *Returns* false if the runtime has no such function in a symbol table (since it is linked into
// the program), or if the system refuses. Some calls may then still go to the runtime.
bool redirect_function(const char *name, void *replacement, void **original);

// Redirects the runtime's own calls of `name`, a function of another library, to `replacement`. A
// runtime that is linked into the program shares these calls with the program.
// *Returns* false if the runtime does not import `name`, or if the system refuses.
bool redirect_calls_of_runtime(const char *name, void *replacement);

// Returns whether the runtime imports its own function `name`, so that redirect_function() also
// redirects the runtime's calls of it.
bool redirect_reaches_runtime(const char *name);
