// The callbacks that this connector registers.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <omp-tools.h>

struct callback {
    const char *name;         // name in the OpenMP specification, without its prefix
    ompt_callback_t function; // NULL: the connector does not register it
    ompt_callbacks_t id;
    bool is_substitute; // registered only if the runtime refuses the previous callback
};

const struct callback *callbacks_table(size_t *n);

// Sets whether `dependences` is registered. If not, the first task with dependences causes a
// warning.
void callbacks_set_dependences(bool are_recorded);
