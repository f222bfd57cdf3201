// Names of C++ functions in the notation of the source.
#pragma once

// Returns "ns::run" for "_ZN2ns3runEi", and a copy of any other name. The text has no result type
// and no parameters; a lambda gets the name of the function around it. The caller frees the text.
// NULL: out of memory.
char *otter_demangle(const char *name);

// Returns "(int)" for "_ZN2ns3runEi"; "" or NULL for a name without parameters. The caller frees
// the text.
char *otter_demangle_parameters(const char *name);

// Removes the arguments of templates from a name, in place: "ns::Solver<int>::run" becomes
// "ns::Solver::run". Accepts NULL. Returns `name`.
char *otter_demangle_cut_arguments(char *name);
