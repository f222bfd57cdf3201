// Finds the code of a Kokkos kernel: the operator() of its functor.
#pragma once

#include <stdbool.h>

#include "source/unit/units.h"

// Returns whether `function`, a qualified name, belongs to Kokkos itself.
bool otter_is_of_kokkos(const char *function);

// Returns the operator() of the functor that `function`, an instance of a Kokkos template, runs.
// The policy's work tag selects among overloads. A definition in the unit is preferred to the
// declaration. Returns no scope if there is no functor.
struct otter_scope otter_functor_find(struct otter_units *units, struct otter_scope function);

// Like otter_functor_find, for a Kokkos template without debug information, whose symbol without
// parameters is `function`. Reads all units in search of the functor's class, and compares names
// literally.
struct otter_scope otter_functor_find_by_symbol(struct otter_units *units, const char *function);
