// The header that all programs of this folder include first, precompiled for them.
#include <Kokkos_Core.hpp>
