// The source line of an instruction.
#pragma once

#include "source/unit/unit.h"
#include "trace/schema.h"

struct otter_source_line {
    const char *file; // "" when unknown; valid as long as the unit
    uint32_t line;    // 0: unknown
    bool is_of_task;  // the body of a task or taskloop is declared at this line
    bool is_inlined;  // the line belongs to an inlined function
    // address of the row that covers the address; only set by otter_source_line_near
    Dwarf_Addr row;
    Dwarf_Die function; // the inlined function
};

// Returns the line of the instruction at `address`, which is in `unit`. Code inlined from Kokkos'
// headers has the line of the user's call.
struct otter_source_line otter_source_line_at(struct otter_unit *unit, Dwarf_Addr address);

// Returns a line near the call at `address`, for calls that have the line of an earlier statement.
// - `depth`: the inlining depth of the line's function; 0: the function that contains the code. If
//   the statement was inlined into this function, the line is that of its call.
struct otter_source_line otter_source_line_near(struct otter_unit *unit, Dwarf_Addr address,
                                                int depth);

// Returns the line of the first statement from `address` to `end`. `depth`: as above.
struct otter_source_line otter_source_line_from(struct otter_unit *unit, Dwarf_Addr address,
                                                Dwarf_Addr end, int depth);

// Returns the line of the directive from which the compiler made an outlined function, whose first
// instruction is at `entry`.
struct otter_source_line otter_source_line_of_entry(struct otter_unit *unit, Dwarf_Addr entry);

// Stores the functions inlined at `address`, the innermost first. Returns their number.
int otter_source_line_inlined(const struct otter_unit *unit, Dwarf_Addr address,
                              Dwarf_Die functions[static OTTER_MAX_INLINED]);

// Returns the last line of the code from `begin` to `end`, including functions inlined there.
uint32_t otter_source_line_last(struct otter_unit *unit, Dwarf_Addr begin, Dwarf_Addr end);

bool otter_is_file_of_kokkos(const char *file);
