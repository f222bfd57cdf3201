// Finds the compilation unit of an address or of a DIE in one file of code.
#include "source/unit/units.h"

#include <stdlib.h>

#include <dwarf.h>

#include "base/order.h"

enum { MAX_RANGES = 100000, MAX_STEPS = 16 };

static int compare(const void *a, const void *b)
{
    const struct otter_unit *x = a, *y = b;
    return ((const char *)x->cu.addr > (const char *)y->cu.addr) -
           ((const char *)x->cu.addr < (const char *)y->cu.addr);
}

// clang writes no .debug_aranges, so the ranges are read from each unit.
void otter_units_init(struct otter_units *units, Dwarf *dwarf)
{
    Dwarf_CU *cu = NULL;
    Dwarf_Die die, part;
    uint8_t type;
    *units = (struct otter_units){.n = 0};
    while (dwarf && dwarf_get_units(dwarf, cu, &cu, NULL, &type, &die, &part) == 0) {
        bool is_split = type == DW_UT_skeleton && dwarf_tag(&part) == DW_TAG_compile_unit;
        if (die.addr && OTTER_VECTOR_RESERVE(units)) {
            units->items[units->n++] =
                (struct otter_unit){.lines = die, .cu = is_split ? part : die};
        }
    }
    OTTER_SORT(units, compare);
    for (uint32_t i = 0; i < units->n; i++) {
        otter_ranges_add_die(&units->ranges, &units->items[i].lines, MAX_RANGES, i);
    }
    otter_ranges_sort(&units->ranges);
}

void otter_units_finish(struct otter_units *units)
{
    for (uint32_t i = 0; i < units->n; i++) {
        otter_unit_finish(&units->items[i]);
    }
    otter_ranges_finish(&units->ranges);
    free(units->items);
}

struct otter_unit *otter_units_find(struct otter_units *units, Dwarf_Addr address)
{
    const struct otter_range *range = otter_ranges_find(&units->ranges, address);
    if (!range) {
        return NULL;
    }
    otter_unit_read(&units->items[range->index]);
    return &units->items[range->index];
}

struct otter_scope otter_units_scope_of(struct otter_units *units, Dwarf_Die *die)
{
    struct otter_unit key = {.is_read = false};
    struct otter_unit *unit = NULL;
    if (dwarf_diecu(die, &key.cu, NULL, NULL) && units->n > 0) {
        unit = bsearch(&key, units->items, units->n, sizeof key, compare);
    }
    if (!unit) {
        return (struct otter_scope){NULL, OTTER_NO_SCOPE};
    }
    otter_unit_read(unit);
    return (struct otter_scope){unit, otter_unit_scope_of(unit, die)};
}

struct otter_scope otter_units_first_declaration(struct otter_units *units,
                                                 struct otter_scope scope)
{
    for (int i = 0; i < MAX_STEPS; i++) {
        Dwarf_Die die = otter_scope_data(scope)->die, origin;
        Dwarf_Attribute attribute;
        if (!dwarf_formref_die(dwarf_attr(&die, DW_AT_specification, &attribute), &origin) &&
            !dwarf_formref_die(dwarf_attr(&die, DW_AT_abstract_origin, &attribute), &origin)) {
            break;
        }
        struct otter_scope found = otter_units_scope_of(units, &origin);
        if (found.index == OTTER_NO_SCOPE) {
            break;
        }
        scope = found;
    }
    return scope;
}
