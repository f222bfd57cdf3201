// The compilation units of one file of code, found by an address or by a DIE.
#pragma once

#include "source/unit/ranges.h"
#include "source/unit/unit.h"

struct otter_units {
    OTTER_VECTOR(struct otter_unit); // sorted by the addresses of their DIEs in memory
    struct otter_ranges ranges;
};

// Finds all units; `dwarf` may be NULL. The functions of a unit are read at its first use.
void otter_units_init(struct otter_units *units, Dwarf *dwarf);
void otter_units_finish(struct otter_units *units);

// Returns the unit with the code at `address`, or NULL.
struct otter_unit *otter_units_find(struct otter_units *units, Dwarf_Addr address);

// A scope and its unit.
struct otter_scope {
    struct otter_unit *unit;
    uint32_t index; // OTTER_NO_SCOPE: none
};

// Returns the scope at `die`, or no scope.
struct otter_scope otter_units_scope_of(struct otter_units *units, Dwarf_Die *die);

// Returns the first declaration of a function that was inlined or is defined outside its class,
// otherwise `scope`.
struct otter_scope otter_units_first_declaration(struct otter_units *units,
                                                 struct otter_scope scope);

static inline const struct otter_unit_scope *otter_scope_data(struct otter_scope scope)
{
    return &scope.unit->scopes.items[scope.index];
}
