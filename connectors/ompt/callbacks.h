// The callbacks that this connector registers.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <omp-tools.h>

struct callback {
    const char *name;         // as in the OpenMP specification, without its prefix
    ompt_callback_t function; // NULL: known, and not registered
    ompt_callbacks_t id;
    bool is_substitute; // registered only when the runtime refuses the one before
};

const struct callback *callbacks_table(size_t *n);

// Tells the callbacks whether `dependences` is registered: if not, they say so when a program has any.
void callbacks_set_dependences(bool are_recorded);

// Tells them whether there are tasks that GCC compiled.
void callbacks_set_code_of_gcc(bool is_of_gcc);
