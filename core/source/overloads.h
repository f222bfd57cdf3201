// Tells the overloads of a C++ function apart in the names of code.
#pragma once

#include "base/status.h"
#include "graph/label.h"

// Separates the name of a function from its parameters: "ns::run\v(int)".
#define OTTER_PARAMETERS "\v"

// Removes the parameters in the names of all labels; where the labels contain functions of one name
// that have different parameters, removes only the separator: "ns::run(int)". Returns
// OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_overloads_tell_apart(struct otter_labels *labels);
