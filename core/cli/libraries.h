// Where Otter's own libraries are: beside this command in the build tree, or in the library folder of its prefix.
#pragma once

// The path of "ompt" -> libotter-ompt.so or "kokkos" -> libotter-kokkos.so, or NULL when there is none. For free().
char *otter_library_find(const char *connector);
