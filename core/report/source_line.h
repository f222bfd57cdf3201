// The line of the source that code was made of.
#pragma once

#include "report/unit.h"

struct otter_source_line {
    const char *file;   // "" when unknown; lives as long as the unit
    uint32_t line;      // 0: unknown
    bool is_of_task;    // the body of a task or taskloop is declared there
    bool is_inlined;    // the line is of a function that was inlined where the code is
    Dwarf_Die function; // that function, then
};

// That of the instruction at `address`, which is in `unit`. What was inlined from Kokkos' headers stands where the person called it.
struct otter_source_line otter_source_line_at(struct otter_unit *unit, Dwarf_Addr address);

bool otter_is_file_of_kokkos(const char *file);
