// The generated wrappers, by the names of MPI's profiling functions.
#pragma once

#include <stdint.h>

struct wrapper {
    const char *profiling_name; // "PMPI_Send"; NULL ends the table
    uintptr_t address;
};

extern const struct wrapper wrapper_table[];
