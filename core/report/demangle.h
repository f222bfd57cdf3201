// The names of C++ functions as people write them.
#pragma once

// "ns::run" of "_ZN2ns3runEi"; other names as they are. The caller frees it; NULL when memory is short.
char *otter_demangle(const char *name);
