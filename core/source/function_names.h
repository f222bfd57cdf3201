// Names of the functions of one file of code as the user wrote them. A function that the compiler
// made from a task in fib has the name "fib".
#pragma once

#include "source/unit/units.h"

struct otter_function_names { // zero at first, except `units`
    struct otter_units *units;
    struct {
        OTTER_VECTOR(char *);
    } texts;
};

void otter_function_names_finish(struct otter_function_names *names);

// Returns the name of the user's function from which `scope`, a function, was made.
const char *otter_function_names_of(struct otter_function_names *names, struct otter_scope scope);
// Likewise, but a lambda has a name of its own, with the line where it begins: "fib::{lambda:12}".
// A C++ function has its parameters if the unit declares another function of its name.
const char *otter_function_names_of_code(struct otter_function_names *names,
                                         struct otter_scope scope);
// Returns the name of the function with the linkage name `linkage`.
//
// All return "" for a function without a name. The texts are valid as long as names and units are.
const char *otter_function_names_of_linker(struct otter_function_names *names, const char *linkage);
