// The names of the functions of one file of code as the person wrote them: "fib", also of what the compiler made of the body of a task.
#pragma once

#include "report/units.h"

struct otter_function_names { // begins as zero, but for `units`
    struct otter_units *units;
    struct {
        OTTER_VECTOR(char *);
    } texts;
};

void otter_function_names_finish(struct otter_function_names *names);

// Of the person's function that `scope`, a function, is or comes from; of what the linker calls `linkage`. "" when it has none. The
// texts live until finish, or as long as the units.
const char *otter_function_names_of(struct otter_function_names *names, struct otter_scope scope);
const char *otter_function_names_of_linker(struct otter_function_names *names, const char *linkage);
