// The functions of one compilation unit, read once, then found by address, name or line.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <elfutils/libdw.h>

#include "base/vector.h"
#include "source/unit/ranges.h"

// A namespace, class or function. The scopes are in the order of their DIEs' addresses in memory.
struct otter_unit_scope {
    Dwarf_Die die;
    const char *name;                // name in the source; "": none
    const char *linkage;             // linkage name of a function, otherwise `name`
    uint32_t parent;                 // index of the enclosing scope; OTTER_NO_SCOPE: the unit
    uint32_t line;                   // line of a function's declaration; 0: unknown
    uint32_t file;                   // file of a function's declaration, as a number in the unit
    bool is_outlined;                // the compiler made the function from an OpenMP construct
    bool is_compared, is_overloaded; // for otter_unit_is_overloaded
};

#define OTTER_NO_SCOPE UINT32_MAX

struct otter_unit_call {
    Dwarf_Addr return_address;
    Dwarf_Die callee;
};

struct otter_unit_name { // a function that is not outlined
    const char *name;
    uint32_t scope;
};

struct otter_unit_line { // a function's declaration
    uint32_t file, line;
    uint32_t scope;
};

struct otter_unit {
    Dwarf_Die lines; // the DIE that has the line table
    Dwarf_Die cu;    // the DIE with the functions; with -gsplit-dwarf it differs from `lines`
    bool is_read;
    const void *last_read; // address of the last DIE that was read
    struct {
        OTTER_VECTOR(struct otter_unit_scope);
    } scopes;
    struct otter_ranges codes; // the ranges of functions; their numbers are scopes
    struct {
        OTTER_VECTOR(struct otter_unit_call);
    } calls; // sorted by address
    struct {
        OTTER_VECTOR(struct otter_unit_name);
    } names; // sorted by name
    struct {
        OTTER_VECTOR(struct otter_unit_line);
        // the first is sorted by file and line, the second by line
    } lines_of_functions, lines_of_tasks;
};

// Reads the unit's functions at the first call. Damaged parts are left out, and so are parts for
// which memory has run out.
void otter_unit_read(struct otter_unit *unit);
void otter_unit_finish(struct otter_unit *unit);

// Return the index of the scope at `die`, or of the function with code at `address`, or
// OTTER_NO_SCOPE.
uint32_t otter_unit_scope_of(const struct otter_unit *unit, const Dwarf_Die *die);
uint32_t otter_unit_scope_at(const struct otter_unit *unit, Dwarf_Addr address);
const struct otter_range *otter_unit_code_at(const struct otter_unit *unit, Dwarf_Addr address);

// Returns the call that returns to `address`, or NULL. Compilers describe calls only in optimised
// code.
const struct otter_unit_call *otter_unit_call_before(const struct otter_unit *unit,
                                                     Dwarf_Addr address);

// Return the user's function with the name or linkage name `name`, or the last function that is
// declared at or before a line. OTTER_NO_SCOPE: none.
uint32_t otter_unit_find_name(const struct otter_unit *unit, const char *name);
uint32_t otter_unit_find_line(const struct otter_unit *unit, uint32_t file, uint32_t line);

// Returns the line of the next function that is declared after a line of the file, or UINT32_MAX.
uint32_t otter_unit_next_line(const struct otter_unit *unit, uint32_t file, uint32_t line);

// Returns whether the function is the only one declared on its line. Instances of a template share
// a line.
bool otter_unit_is_only_of_line(const struct otter_unit *unit, uint32_t scope);

// Returns whether the unit declares another function with the name of the function `scope`, which
// is its first declaration. Only full debug information has declarations that are not used.
bool otter_unit_is_overloaded(struct otter_unit *unit, uint32_t scope);

// Returns the path of the unit's file `number`, or "".
const char *otter_unit_file(struct otter_unit *unit, uint32_t number);

// Returns whether the body of a task is declared at this line. `file` is a path.
bool otter_unit_has_task(struct otter_unit *unit, const char *file, uint32_t line);

// Returns the linkage name of a function, otherwise its name in the source, otherwise "".
const char *otter_die_linkage_name(Dwarf_Die *die);
