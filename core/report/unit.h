// What one compilation unit says about its functions: read once, then looked up by address, name or line.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <elfutils/libdw.h>

#include "base/vector.h"
#include "report/ranges.h"

// A namespace, class or function. In the order of the DIEs, which is also that of their addresses in memory.
struct otter_unit_scope {
    Dwarf_Die die;
    const char *name;    // as the person knows it; "" when it has none
    const char *linkage; // of a function: as the linker knows it, else `name`
    uint32_t parent;     // index of the scope around it, OTTER_NO_SCOPE for the unit
    uint32_t line;       // of a function's declaration; 0: unknown
    uint32_t file;       // likewise: the unit's number of the file
    bool is_outlined;    // a function that the compiler made of a construct of OpenMP
};

#define OTTER_NO_SCOPE UINT32_MAX

struct otter_unit_call {
    Dwarf_Addr return_address;
    Dwarf_Die callee;
};

struct otter_unit_name { // of a function that is no outlined one
    const char *name;
    uint32_t scope;
};

struct otter_unit_line { // on which a function is declared
    uint32_t file, line;
    uint32_t scope;
};

struct otter_unit {
    Dwarf_Die lines; // the DIE that has the line table
    Dwarf_Die cu;    // the DIE that has the functions; another one with -gsplit-dwarf
    bool is_read;
    const void *last_read; // address of the DIE
    struct {
        OTTER_VECTOR(struct otter_unit_scope);
    } scopes;
    struct otter_ranges codes; // of functions: their scopes
    struct {
        OTTER_VECTOR(struct otter_unit_call);
    } calls; // by address
    struct {
        OTTER_VECTOR(struct otter_unit_name);
    } names; // by name
    struct {
        OTTER_VECTOR(struct otter_unit_line);
    } lines_of_functions, lines_of_tasks; // by file and line; by line
};

// Reads the unit's functions, if that is not done yet. What is damaged or needs more memory than there is is left out.
void otter_unit_read(struct otter_unit *unit);
void otter_unit_finish(struct otter_unit *unit);

// The index of the scope at `die`, of the function with code at `address`, or OTTER_NO_SCOPE.
uint32_t otter_unit_scope_of(const struct otter_unit *unit, const Dwarf_Die *die);
uint32_t otter_unit_scope_at(const struct otter_unit *unit, Dwarf_Addr address);
const struct otter_range *otter_unit_code_at(const struct otter_unit *unit, Dwarf_Addr address);

// The call that returns to `address`, or NULL: compilers tell of them in optimised code.
const struct otter_unit_call *otter_unit_call_before(const struct otter_unit *unit,
                                                     Dwarf_Addr address);

// The person's function that is called `name`, by DWARF or by the linker; or that was begun last before a line. OTTER_NO_SCOPE: none.
uint32_t otter_unit_find_name(const struct otter_unit *unit, const char *name);
uint32_t otter_unit_find_line(const struct otter_unit *unit, uint32_t file, uint32_t line);

// Is the function the only one that is declared on its line? The instances of a template are not.
bool otter_unit_is_only_of_line(const struct otter_unit *unit, uint32_t scope);

// The path of the unit's file `number`; "" when unknown.
const char *otter_unit_file(struct otter_unit *unit, uint32_t number);

// Is a function for the body of a task declared there? `file` is the path.
bool otter_unit_has_task(struct otter_unit *unit, const char *file, uint32_t line);

// The name of a function as the linker knows it, else as the person does; "" when it has none.
const char *otter_die_linkage_name(Dwarf_Die *die);
