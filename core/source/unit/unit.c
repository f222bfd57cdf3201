// Reads the functions of one compilation unit and finds them by address, name or line.
#include "source/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#include <dwarf.h>

#include "base/order.h"

enum { MAX_DEPTH = 100, MAX_RANGES = 10000 };

// ---- attributes

static const char *string(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    const char *text = dwarf_formstring(dwarf_attr_integrate(die, name, &attribute));
    return text ? text : "";
}

static const char *die_name(Dwarf_Die *die)
{
    return string(die, DW_AT_name);
}

const char *otter_die_linkage_name(Dwarf_Die *die)
{
    const char *name = string(die, DW_AT_linkage_name);
    name = *name ? name : string(die, DW_AT_MIPS_linkage_name);
    return *name ? name : die_name(die);
}

static uint32_t number(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    Dwarf_Word value;
    return dwarf_formudata(dwarf_attr_integrate(die, name, &attribute), &value) == 0 &&
                   value < UINT32_MAX
               ? (uint32_t)value
               : 0;
}

// GCC: fib._omp_fn.0; clang: fib.omp_outlined, .omp_outlined._debug__, .omp_task_entry.; LLVM
// Fortran: fib..omp_par.
static bool is_outlined(const char *name)
{
    return strstr(name, "._omp_fn") || strstr(name, ".omp_") || strstr(name, "._omp_cpyfn");
}

// ---- reading

static void add_name(struct otter_unit *unit, const char *name, uint32_t scope)
{
    if (*name && OTTER_VECTOR_RESERVE(&unit->names)) {
        unit->names.items[unit->names.n++] = (struct otter_unit_name){name, scope};
    }
}

static void note_function(struct otter_unit *unit, uint32_t i)
{
    const struct otter_unit_scope *scope = &unit->scopes.items[i];
    struct otter_unit_line line = {scope->file, scope->line, i};
    if (scope->is_outlined) {
        if (strstr(scope->linkage, ".omp_task_entry.") &&
            OTTER_VECTOR_RESERVE(&unit->lines_of_tasks)) {
            line.file = 0; // lines_of_tasks is sorted only by line
            unit->lines_of_tasks.items[unit->lines_of_tasks.n++] = line;
        }
        return;
    }
    add_name(unit, scope->name, i);
    if (scope->linkage != scope->name) {
        add_name(unit, scope->linkage, i);
    }
    if (scope->line > 0 && OTTER_VECTOR_RESERVE(&unit->lines_of_functions)) {
        unit->lines_of_functions.items[unit->lines_of_functions.n++] = line;
    }
}

static uint32_t add_scope(struct otter_unit *unit, Dwarf_Die *die, uint32_t parent)
{
    if (!OTTER_VECTOR_RESERVE(&unit->scopes)) {
        return parent;
    }
    bool is_function = dwarf_tag(die) == DW_TAG_subprogram;
    struct otter_unit_scope scope = {.die = *die, .parent = parent, .name = die_name(die)};
    scope.linkage = scope.name;
    if (is_function) {
        scope.linkage = otter_die_linkage_name(die);
        scope.line = number(die, DW_AT_decl_line);
        scope.file = number(die, DW_AT_decl_file);
        scope.is_outlined = is_outlined(scope.linkage) || is_outlined(scope.name);
    }
    unit->scopes.items[unit->scopes.n] = scope;
    if (is_function && !dwarf_hasattr(die, DW_AT_declaration)) {
        note_function(unit, unit->scopes.n);
    }
    return unit->scopes.n++;
}

static void add_call(struct otter_unit *unit, Dwarf_Die *die)
{
    bool is_gnu = dwarf_tag(die) == DW_TAG_GNU_call_site;
    unsigned where = is_gnu ? DW_AT_low_pc : DW_AT_call_return_pc;
    unsigned whom = is_gnu ? DW_AT_abstract_origin : DW_AT_call_origin;
    struct otter_unit_call call;
    Dwarf_Attribute attribute;
    if (dwarf_formaddr(dwarf_attr(die, where, &attribute), &call.return_address) == 0 &&
        dwarf_formref_die(dwarf_attr(die, whom, &attribute), &call.callee) &&
        OTTER_VECTOR_RESERVE(&unit->calls)) {
        unit->calls.items[unit->calls.n++] = call;
    }
}

// Adds one DIE. Stores the scope of its children. Returns whether to read the children.
static bool add_die(struct otter_unit *unit, Dwarf_Die *die, uint32_t parent, uint32_t *scope)
{
    *scope = parent;
    switch (dwarf_tag(die)) {
    case DW_TAG_namespace:
    case DW_TAG_module:
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type: *scope = add_scope(unit, die, parent); return true;
    case DW_TAG_subprogram:
        *scope = add_scope(unit, die, parent);
        otter_ranges_add_die(&unit->codes, die, MAX_RANGES, *scope);
        return true;
    case DW_TAG_lexical_block:
    case DW_TAG_inlined_subroutine: return true;
    case DW_TAG_call_site:
    case DW_TAG_GNU_call_site: add_call(unit, die); return false;
    default: return false;
    }
}

// The addresses of DIEs ascend. A DIE at a lower address means damage, and might close a cycle.
static void read_children(struct otter_unit *unit, Dwarf_Die *parent, uint32_t scope, int depth)
{
    Dwarf_Die die;
    if (depth == MAX_DEPTH || dwarf_child(parent, &die) != 0) {
        return;
    }
    for (;;) {
        uint32_t inner;
        if ((const char *)die.addr <= (const char *)unit->last_read) {
            return;
        }
        unit->last_read = die.addr;
        if (add_die(unit, &die, scope, &inner)) {
            read_children(unit, &die, inner, depth + 1);
        }
        if (dwarf_siblingof(&die, &die) != 0) {
            return;
        }
    }
}

static int compare_scopes(const void *a, const void *b)
{
    const struct otter_unit_scope *x = a, *y = b;
    const char *left = x->die.addr, *right = y->die.addr;
    return (left > right) - (left < right);
}

static int compare_calls(const void *a, const void *b)
{
    const struct otter_unit_call *x = a, *y = b;
    return OTTER_BY_1(x, y, return_address);
}

static int compare_names(const void *a, const void *b)
{
    const struct otter_unit_name *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->scope > y->scope) - (x->scope < y->scope);
}

static int compare_lines(const void *a, const void *b)
{
    const struct otter_unit_line *x = a, *y = b;
    return OTTER_BY_3(x, y, file, line, scope);
}

void otter_unit_read(struct otter_unit *unit)
{
    if (unit->is_read) {
        return;
    }
    unit->is_read = true;
    read_children(unit, &unit->cu, OTTER_NO_SCOPE, 0);
    otter_ranges_sort(&unit->codes);
    OTTER_SORT(&unit->calls, compare_calls);
    OTTER_SORT(&unit->names, compare_names);
    OTTER_SORT(&unit->lines_of_functions, compare_lines);
    OTTER_SORT(&unit->lines_of_tasks, compare_lines);
}

void otter_unit_finish(struct otter_unit *unit)
{
    free(unit->scopes.items);
    otter_ranges_finish(&unit->codes);
    free(unit->calls.items);
    free(unit->names.items);
    free(unit->lines_of_functions.items);
    free(unit->lines_of_tasks.items);
}

// ---- looking up

uint32_t otter_unit_scope_of(const struct otter_unit *unit, const Dwarf_Die *die)
{
    struct otter_unit_scope key = {.die = *die};
    uint32_t i = OTTER_SORTED_BEFORE(&unit->scopes, &key, compare_scopes);
    bool is_found = i < unit->scopes.n && unit->scopes.items[i].die.addr == die->addr;
    return is_found ? i : OTTER_NO_SCOPE;
}

const struct otter_range *otter_unit_code_at(const struct otter_unit *unit, Dwarf_Addr address)
{
    return otter_ranges_find(&unit->codes, address);
}

uint32_t otter_unit_scope_at(const struct otter_unit *unit, Dwarf_Addr address)
{
    const struct otter_range *code = otter_unit_code_at(unit, address);
    return code ? code->index : OTTER_NO_SCOPE;
}

const struct otter_unit_call *otter_unit_call_before(const struct otter_unit *unit,
                                                     Dwarf_Addr address)
{
    struct otter_unit_call key = {.return_address = address};
    uint32_t i = OTTER_SORTED_BEFORE(&unit->calls, &key, compare_calls);
    bool is_found = i < unit->calls.n && unit->calls.items[i].return_address == address;
    return is_found ? &unit->calls.items[i] : NULL;
}

uint32_t otter_unit_find_name(const struct otter_unit *unit, const char *name)
{
    struct otter_unit_name key = {.name = name};
    uint32_t i = OTTER_SORTED_BEFORE(&unit->names, &key, compare_names);
    bool is_found = i < unit->names.n && strcmp(unit->names.items[i].name, name) == 0;
    return is_found ? unit->names.items[i].scope : OTTER_NO_SCOPE;
}

uint32_t otter_unit_find_line(const struct otter_unit *unit, uint32_t file, uint32_t line)
{
    struct otter_unit_line after = {file, line, UINT32_MAX};
    const struct otter_unit_line *lines = unit->lines_of_functions.items;
    uint32_t n = OTTER_SORTED_BEFORE(&unit->lines_of_functions, &after, compare_lines);
    return n > 0 && lines[n - 1].file == file ? lines[n - 1].scope : OTTER_NO_SCOPE;
}

uint32_t otter_unit_next_line(const struct otter_unit *unit, uint32_t file, uint32_t line)
{
    struct otter_unit_line after = {file, line, UINT32_MAX};
    const struct otter_unit_line *lines = unit->lines_of_functions.items;
    uint32_t i = OTTER_SORTED_BEFORE(&unit->lines_of_functions, &after, compare_lines);
    return i < unit->lines_of_functions.n && lines[i].file == file ? lines[i].line : UINT32_MAX;
}

bool otter_unit_is_only_of_line(const struct otter_unit *unit, uint32_t scope)
{
    const struct otter_unit_scope *wanted = &unit->scopes.items[scope];
    struct otter_unit_line key = {wanted->file, wanted->line, scope};
    uint32_t n = OTTER_SORTED_BEFORE(&unit->lines_of_functions, &key, compare_lines);
    if (n == 0) {
        return true;
    }
    const struct otter_unit_line *before = &unit->lines_of_functions.items[n - 1];
    return before->file != key.file || before->line != key.line ||
           strcmp(unit->scopes.items[before->scope].linkage, wanted->linkage) == 0;
}

// Constructors may have no linkage names. A class contains only declarations.
static bool is_overload(const struct otter_unit *unit, const struct otter_unit_scope *a,
                        const struct otter_unit_scope *b)
{
    if (a->parent != b->parent || strcmp(a->name, b->name) != 0) {
        return false;
    }
    Dwarf_Die die = a->parent == OTTER_NO_SCOPE ? unit->cu : unit->scopes.items[a->parent].die;
    int tag = dwarf_tag(&die);
    return tag == DW_TAG_class_type || tag == DW_TAG_structure_type || tag == DW_TAG_union_type ||
           strcmp(a->linkage, b->linkage) != 0;
}

bool otter_unit_is_overloaded(struct otter_unit *unit, uint32_t scope)
{
    struct otter_unit_scope *function = &unit->scopes.items[scope];
    for (uint32_t i = 0; i < unit->scopes.n && !function->is_compared; i++) {
        const struct otter_unit_scope *other = &unit->scopes.items[i];
        function->is_overloaded = other != function && is_overload(unit, function, other);
        function->is_compared = function->is_overloaded;
    }
    function->is_compared = true;
    return function->is_overloaded;
}

// elfutils' dwarf_decl_file rejects file 0, which DWARF 5 has.
const char *otter_unit_file(struct otter_unit *unit, uint32_t number)
{
    Dwarf_Files *files;
    size_t n;
    const char *name = dwarf_getsrcfiles(&unit->cu, &files, &n) == 0 && number < n
                           ? dwarf_filesrc(files, number, NULL, NULL)
                           : NULL;
    return name ? name : "";
}

bool otter_unit_has_task(struct otter_unit *unit, const char *file, uint32_t line)
{
    struct otter_unit_line key = {.line = line};
    uint32_t i = OTTER_SORTED_BEFORE(&unit->lines_of_tasks, &key, compare_lines);
    for (; i < unit->lines_of_tasks.n && unit->lines_of_tasks.items[i].line == line; i++) {
        uint32_t number = unit->scopes.items[unit->lines_of_tasks.items[i].scope].file;
        if (strcmp(otter_unit_file(unit, number), file) == 0) {
            return true;
        }
    }
    return false;
}
