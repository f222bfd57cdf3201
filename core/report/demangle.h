// The names of C++ functions as people write them.
#pragma once

// "ns::run" of "_ZN2ns3runEi"; other names as they are. The caller frees it; NULL when memory is short.
char *otter_demangle(const char *name);

// Takes the arguments of templates out of a name, in place: "ns::Solver::run" of "ns::Solver<int>::run". Accepts NULL. Returns `name`.
char *otter_demangle_cut_arguments(char *name);
