// The objects of the process that import functions of the runtime.
#pragma once

#include <stdbool.h>

// Returns whether an object other than the runtime imports one of the functions; NULL ends `names`.
bool imports_are_loaded(const char *const *names);
