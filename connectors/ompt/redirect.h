// Makes calls of the runtime's entry points arrive at functions of the connector instead, whatever
// object of the process calls.
#pragma once

#include <stdbool.h>

// From now on calls of the runtime's function `name` arrive at `replacement`, also those of objects
// that are loaded later. `*original` is the runtime's function, for the replacement to call; it is
// set before the first call arrives. Runs after runtime_find(), once for each name. Returns false
// when the runtime has no such function in a table of symbols (where it is linked into the
// program), or the system refuses: some calls or all still reach the runtime then. Not redirected
// are calls by addresses that the program has looked up with dlsym() before.
bool redirect_function(const char *name, void *replacement, void **original);

// From now on the runtime's own calls of `name`, a function of another library, arrive at
// `replacement`, and so do those of the program where the runtime is linked into it.
bool redirect_calls_of_runtime(const char *name, void *replacement);

// Whether the runtime calls its function `name` by way of the loader, so that redirect_function()
// reaches these calls, too.
bool redirect_reaches_runtime(const char *name);
