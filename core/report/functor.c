// Finds the functor of a Kokkos kernel among the arguments of Kokkos' templates, by DWARF alone.
#include "report/functor.h"

#include <string.h>

#include <dwarf.h>

enum { MAX_STEPS = 16, MAX_DEPTH = 5 };

bool otter_is_of_kokkos(const char *function)
{
    return strncmp(function, "Kokkos::", strlen("Kokkos::")) == 0;
}

// ---- types

// Moves to the next sibling. A sibling at a lower address is damage and might make a circle.
static bool next(Dwarf_Die *die)
{
    Dwarf_Die last = *die;
    return dwarf_siblingof(&last, die) == 0 && (const char *)die->addr > (const char *)last.addr;
}

static bool is_class(Dwarf_Die *die)
{
    int tag = dwarf_tag(die);
    return tag == DW_TAG_class_type || tag == DW_TAG_structure_type;
}

// Stores the class that the type of `die` is or refers to, without const and typedefs.
static bool find_class(const Dwarf_Die *die, Dwarf_Die *class)
{
    *class = *die;
    for (int i = 0; i < MAX_STEPS; i++) {
        Dwarf_Attribute attribute;
        Dwarf_Die type;
        if (!dwarf_formref_die(dwarf_attr(class, DW_AT_type, &attribute), &type)) {
            return false;
        }
        *class = type;
        if (is_class(class)) {
            return true;
        }
    }
    return false;
}

// Is `class` an argument of the template `die`, or of an argument of that template?
static bool is_argument(Dwarf_Die *die, const Dwarf_Die *class, int depth)
{
    Dwarf_Die child, argument;
    if (depth == 0 || dwarf_child(die, &child) != 0) {
        return false;
    }
    do {
        int tag = dwarf_tag(&child);
        if (tag == DW_TAG_GNU_template_parameter_pack && is_argument(&child, class, depth - 1)) {
            return true;
        }
        if (tag == DW_TAG_template_type_parameter && find_class(&child, &argument) &&
            (argument.addr == class->addr || is_argument(&argument, class, depth - 1))) {
            return true;
        }
    } while (next(&child));
    return false;
}

// ---- the operator

// The choice of an operator() for a template of Kokkos.
struct choice {
    Dwarf_Die kernel; // the instance of the template
    struct otter_scope best;
    int rank; // of the best; 0: none
};

// Stores the work tag of an operator. A tag is an empty class as the first parameter. False: no
// tag.
static bool find_tag(Dwarf_Die *function, Dwarf_Die *tag)
{
    Dwarf_Die child;
    if (dwarf_child(function, &child) != 0) {
        return false;
    }
    do {
        if (dwarf_tag(&child) == DW_TAG_formal_parameter &&
            !dwarf_hasattr(&child, DW_AT_artificial)) {
            return find_class(&child, tag) && dwarf_bytesize(tag) <= 1;
        }
    } while (next(&child));
    return false;
}

// Prefers an operator with the policy's tag to an operator without a tag, then a definition to a
// declaration. Ignores operators with another tag, which never run.
static void consider(struct choice *choice, struct otter_scope declared, struct otter_scope found)
{
    Dwarf_Die function = otter_scope_data(declared)->die, tag;
    bool is_tagged = find_tag(&function, &tag);
    if (is_tagged && !is_argument(&choice->kernel, &tag, MAX_DEPTH)) {
        return;
    }
    int rank = 1 + 2 * is_tagged + (found.index != declared.index);
    if (rank > choice->rank) {
        choice->rank = rank;
        choice->best = found;
    }
}

static void find_operator(struct otter_units *units, struct choice *choice, Dwarf_Die *class)
{
    struct otter_scope scope = otter_units_scope_of(units, class);
    for (uint32_t i = 0; scope.unit && i < scope.unit->scopes.n; i++) {
        struct otter_scope found = {scope.unit, i};
        if (strncmp(otter_scope_data(found)->name, "operator()", strlen("operator()")) == 0) {
            struct otter_scope declared = otter_units_first_declaration(units, found);
            if (declared.unit == scope.unit && otter_scope_data(declared)->parent == scope.index) {
                consider(choice, declared, found);
            }
        }
    }
}

// ---- the functor

// Kokkos names the parameter FunctorType or CombinedFunctorReducerType. The latter has the functor
// as its argument.
static bool find_functor(Dwarf_Die *template, Dwarf_Die *functor)
{
    Dwarf_Die child;
    if (dwarf_child(template, &child) != 0) {
        return false;
    }
    do {
        const char *name = dwarf_diename(&child);
        if (dwarf_tag(&child) == DW_TAG_template_type_parameter && name &&
            strstr(name, "Functor") && find_class(&child, functor)) {
            return true;
        }
    } while (next(&child));
    return false;
}

// The template is the function itself or the class that the function is a member of.
static bool find_kernel(struct otter_units *units, struct otter_scope function, Dwarf_Die *kernel,
                        Dwarf_Die *functor)
{
    struct otter_scope scope = otter_units_first_declaration(units, function);
    *kernel = otter_scope_data(function)->die;
    if (find_functor(kernel, functor)) {
        return true;
    }
    *kernel = otter_scope_data(scope)->die;
    if (find_functor(kernel, functor)) {
        return true;
    }
    scope.index = otter_scope_data(scope)->parent;
    if (scope.index == OTTER_NO_SCOPE) {
        return false;
    }
    *kernel = otter_scope_data(scope)->die;
    return find_functor(kernel, functor);
}

struct otter_scope otter_functor_find(struct otter_units *units, struct otter_scope function)
{
    struct choice choice = {.best = {NULL, OTTER_NO_SCOPE}};
    Dwarf_Die functor;
    bool is_found = find_kernel(units, function, &choice.kernel, &functor);
    for (int i = 0; is_found && i < MAX_DEPTH && choice.rank == 0; i++) {
        find_operator(units, &choice, &functor);
        is_found = find_functor(&functor, &functor);
    }
    return choice.best;
}
