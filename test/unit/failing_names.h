// Renames allocation functions to the functions of failing.h. Include it first in a file whose
// memory may fail.
#pragma once

#define MEMORY_MAY_FAIL
#include "failing.h"
