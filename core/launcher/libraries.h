// Finds Otter's own libraries: in the build tree of this command, or in the library folder of its
// prefix.
#pragma once

// Returns the path of libotter-<connector>.so (`ompt`, `kokkos`, `gomp`, `mpi-openmpi`, ...), or
// NULL. The caller frees it.
char *otter_library_find(const char *connector);
