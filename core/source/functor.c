// Finds the functor of a Kokkos kernel among the arguments of Kokkos' templates, which DWARF or a
// symbol's name contains.
#include "source/functor.h"

#include <string.h>

#include <dwarf.h>

enum { MAX_STEPS = 16, MAX_DEPTH = 5, TAGGED = 3 };

bool otter_is_of_kokkos(const char *function)
{
    return strncmp(function, "Kokkos::", strlen("Kokkos::")) == 0;
}

// ---- types

// Moves to the next sibling. A sibling at a lower address means damage, and might close a cycle.
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

// Returns whether `class` is an argument of the template `die`, or of an argument of that template.
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

// The choice of an operator() for a Kokkos template.
struct choice {
    const char *symbol; // name of the template's instance; NULL: `kernel` has the instance
    Dwarf_Die kernel;
    struct otter_scope best;
    int rank; // score of the best operator; 0: none; TAGGED or more: it has the policy's tag
};

// Stores the work tag of an operator. A tag is an empty class as the first parameter. Returns false
// if there is no tag.
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

static bool has_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at += length) {
        if (at > text && strchr("<:, ", at[-1]) && strchr(">, ", at[length])) {
            return true;
        }
    }
    return false;
}

static bool has_tag(struct choice *choice, const Dwarf_Die *tag)
{
    Dwarf_Die die = *tag;
    const char *name = dwarf_diename(&die);
    return choice->symbol ? name && *name && has_word(choice->symbol, name)
                          : is_argument(&choice->kernel, tag, MAX_DEPTH);
}

// Prefers an operator with the policy's tag to an operator without a tag, then a definition to a
// declaration. Ignores operators with another tag, which never run.
static void consider(struct choice *choice, struct otter_scope declared, struct otter_scope found)
{
    Dwarf_Die function = otter_scope_data(declared)->die, tag;
    bool is_tagged = find_tag(&function, &tag);
    if (is_tagged && !has_tag(choice, &tag)) {
        return;
    }
    int rank = 1 + (TAGGED - 1) * is_tagged + (found.index != declared.index);
    if (rank > choice->rank) {
        choice->rank = rank;
        choice->best = found;
    }
}

static void find_own_operator(struct otter_units *units, struct choice *choice, Dwarf_Die *class)
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

// The operators of a class hide the operators of its bases, unless only an operator of a base has
// the tag.
static void find_operator(struct otter_units *units, struct choice *choice, Dwarf_Die *class,
                          int depth)
{
    Dwarf_Die child, base;
    find_own_operator(units, choice, class);
    if (choice->rank >= TAGGED || depth == 0 || dwarf_child(class, &child) != 0) {
        return;
    }
    struct choice inherited = *choice;
    inherited.rank = 0;
    do {
        if (dwarf_tag(&child) == DW_TAG_inheritance && find_class(&child, &base)) {
            find_operator(units, &inherited, &base, depth - 1);
        }
    } while (next(&child));
    if (inherited.rank > 0 && (choice->rank == 0 || inherited.rank >= TAGGED)) {
        *choice = inherited;
    }
}

// ---- the functor in DWARF

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
        find_operator(units, &choice, &functor, MAX_DEPTH);
        is_found = find_functor(&functor, &functor);
    }
    return choice.best;
}

// ---- the functor in a symbol

// Returns whether the text is the qualified name of the scope.
static bool is_name_of(struct otter_scope scope, const char *text, size_t length)
{
    while (scope.index != OTTER_NO_SCOPE) {
        const struct otter_unit_scope *data = otter_scope_data(scope);
        size_t n = strlen(data->name);
        if (n == 0 || n > length || strncmp(text + length - n, data->name, n) != 0) {
            return false;
        }
        length -= n;
        scope.index = data->parent;
        if (length < 2 || text[length - 1] != ':' || text[length - 2] != ':') {
            return length == 0 && scope.index == OTTER_NO_SCOPE;
        }
        length -= 2;
    }
    return false;
}

static void find_class_called(struct otter_units *units, struct choice *choice, const char *text,
                              size_t length)
{
    for (uint32_t u = 0; u < units->n && choice->rank == 0; u++) {
        struct otter_scope scope = {&units->items[u], 0};
        otter_unit_read(scope.unit);
        for (; scope.index < scope.unit->scopes.n && choice->rank == 0; scope.index++) {
            Dwarf_Die die = otter_scope_data(scope)->die;
            if (is_name_of(scope, text, length) && is_class(&die)) {
                find_operator(units, choice, &die, MAX_DEPTH);
            }
        }
    }
}

// Searches the arguments of a template, which begin at `at`. Lambdas have no name in DWARF.
static void find_among_arguments(struct otter_units *units, struct choice *choice, const char *at)
{
    static const char kokkos[] = "Kokkos::", combined[] = "Kokkos::Impl::CombinedFunctorReducer<";
    const char *begin = at;
    int depth = 0;
    for (; *at && depth >= 0 && choice->rank == 0; at++) {
        depth += (*at == '<') - (*at == '>');
        if (depth > 0 || (depth == 0 && *at != ',')) {
            continue;
        }
        size_t length = (size_t)(at - begin);
        if (strncmp(begin, combined, sizeof combined - 1) == 0) {
            find_among_arguments(units, choice, begin + sizeof combined - 1);
        } else if (strncmp(begin, kokkos, sizeof kokkos - 1) != 0 &&
                   strcspn(begin, "{$'") >= length) {
            find_class_called(units, choice, begin, length);
        }
        begin = at + 1 + strspn(at + 1, " ");
    }
}

struct otter_scope otter_functor_find_by_symbol(struct otter_units *units, const char *function)
{
    struct choice choice = {.symbol = function, .best = {NULL, OTTER_NO_SCOPE}};
    const char *kernel = strstr(function, "Kokkos::Impl::Parallel");
    kernel = kernel ? kernel : strstr(function, "Kokkos::parallel_");
    const char *arguments = kernel ? strchr(kernel, '<') : NULL;
    if (arguments) {
        find_among_arguments(units, &choice, arguments + 1);
    }
    return choice.best;
}
