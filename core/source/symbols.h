// The functions of a file's symbol table, for code without debug information.
#pragma once

#include <elfutils/libdwfl.h>

#include "source/unit/ranges.h"

struct otter_symbols { // zero at first, except `module`
    Dwfl_Module *module;
    struct otter_ranges functions; // the index of a range is the symbol's number
    bool is_read;
};

void otter_symbols_finish(struct otter_symbols *symbols);

// Returns the name of the function at `address`, and stores where the function begins. NULL: none.
// The table is read at the first call.
const char *otter_symbols_find(struct otter_symbols *symbols, uint64_t address, uint64_t *begin);
