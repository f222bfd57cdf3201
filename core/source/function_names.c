// Finds the user's function for a function in DWARF, even for a function that the compiler made.
#include "source/function_names.h"

#include <stdlib.h>
#include <string.h>

#include <dwarf.h>

#include "base/path.h"
#include "source/demangle.h"

enum { MAX_STEPS = 16 };

// Stores `text`, which may be NULL, until finish.
static const char *store(struct otter_function_names *names, char *text)
{
    if (!text || !OTTER_VECTOR_RESERVE(&names->texts)) {
        free(text);
        return "";
    }
    return names->texts.items[names->texts.n++] = text;
}

void otter_function_names_finish(struct otter_function_names *names)
{
    for (uint32_t i = 0; i < names->texts.n; i++) {
        free(names->texts.items[i]);
    }
    free(names->texts.items);
}

const char *otter_function_names_of_linker(struct otter_function_names *names, const char *linkage)
{
    return store(names, otter_demangle(linkage));
}

static struct otter_scope around(struct otter_scope scope)
{
    return (struct otter_scope){scope.unit, otter_scope_data(scope)->parent};
}

static bool is_function(struct otter_scope scope)
{
    Dwarf_Die die = otter_scope_data(scope)->die;
    return dwarf_tag(&die) == DW_TAG_subprogram;
}

// Returns the function that contains the scope's class, such as a lambda's, or no scope. Clang may
// put the class into a function without a name, which was inlined everywhere and is ignored here.
static struct otter_scope function_around_class(struct otter_scope scope)
{
    bool is_in_class = false;
    for (scope = around(scope); scope.index != OTTER_NO_SCOPE; scope = around(scope)) {
        if (is_function(scope)) {
            bool is_known = is_in_class && *otter_scope_data(scope)->name;
            return is_known ? scope : (struct otter_scope){NULL, OTTER_NO_SCOPE};
        }
        is_in_class = true;
    }
    return scope;
}

// Returns "ns::Solver::run", or "" for a member of a class without a name.
static const char *qualified_name(struct otter_function_names *names, struct otter_scope scope)
{
    const char *name = otter_scope_data(scope)->name;
    for (scope = around(scope); scope.index != OTTER_NO_SCOPE && !is_function(scope);
         scope = around(scope)) {
        Dwarf_Die die = otter_scope_data(scope)->die;
        const char *outer = otter_scope_data(scope)->name;
        if (*outer) {
            name = store(names, otter_path("%s::%s", outer, name));
        } else if (dwarf_tag(&die) != DW_TAG_namespace) {
            return "";
        }
    }
    return name;
}

// The function from whose body the compiler made an outlined function.
struct maker {
    struct otter_scope scope;
    const char *name;    // without namespaces and classes; "": unknown
    bool is_by_line;     // the last function that begins before the made one
    bool is_one_of_many; // the maker is an instance of a template
};

// GCC nests the outlined function in its maker. Clang gives the outlined function the maker's name,
// or only the maker's line.
static struct maker find_maker(struct otter_function_names *names, struct otter_scope scope)
{
    const struct otter_unit_scope *made = otter_scope_data(scope);
    struct maker maker = {.scope = around(scope), .name = ""};
    while (maker.scope.index != OTTER_NO_SCOPE && !is_function(maker.scope)) {
        maker.scope = around(maker.scope);
    }
    if (maker.scope.index != OTTER_NO_SCOPE) {
        return maker;
    }
    size_t length = strcspn(made->linkage, ".");
    if (length > 0) {
        maker.name = store(names, strndup(made->linkage, length));
        maker.scope.index = otter_unit_find_name(scope.unit, maker.name);
    } else if (made->line > 0) {
        maker.is_by_line = true;
        maker.scope.index = otter_unit_find_line(scope.unit, made->file, made->line);
        maker.is_one_of_many = maker.scope.index != OTTER_NO_SCOPE &&
                               !otter_unit_is_only_of_line(scope.unit, maker.scope.index);
    }
    return maker;
}

// Returns the line of a lambda whose operator() is `scope`. Returns 0 for other functions, and if
// the line is unknown. With GCC only the class of the lambda has a line.
static uint32_t line_of_lambda(struct otter_scope scope)
{
    int line = (int)otter_scope_data(scope)->line;
    struct otter_scope class = around(scope);
    const char *name = class.index != OTTER_NO_SCOPE ? otter_scope_data(class)->name : "";
    bool is_named = *name && *name != '<' && strncmp(name, "__lambda", strlen("__lambda")) != 0;
    bool is_call = strcmp(otter_scope_data(scope)->name, "operator()") == 0 && !is_named;
    if (is_call && line == 0 && class.index != OTTER_NO_SCOPE) {
        Dwarf_Die die = otter_scope_data(class)->die;
        line = dwarf_decl_line(&die, &line) == 0 ? line : 0;
    }
    return is_call && line > 0 ? (uint32_t)line : 0;
}

// Appends the line of the lambda to the name of the function that contains it.
static const char *name_lambda(struct otter_function_names *names, const char *name, uint32_t line)
{
    return line > 0 ? store(names, otter_path("%s::{lambda:%u}", name, line)) : name;
}

static const char *add_parameters(struct otter_function_names *names, const char *name,
                                  const char *linkage)
{
    enum { MAX_PARAMETERS = 250 }; // longer ones would leave no room for functions inlined there
    char *parameters = *name ? otter_demangle_parameters(linkage) : NULL;
    if (parameters && *parameters && strlen(parameters) <= MAX_PARAMETERS) {
        name = store(names, otter_path("%s%s", name, parameters));
    }
    free(parameters);
    return name;
}

static const char *name_of(struct otter_function_names *names, struct otter_scope scope,
                           bool is_code)
{
    bool is_one_of_many = false, has_lambdas = is_code;
    uint32_t lambda = 0; // line of the innermost one
    for (int i = 0; i < MAX_STEPS; i++) {
        if (otter_scope_data(scope)->is_outlined) {
            struct maker maker = find_maker(names, scope);
            is_one_of_many = is_one_of_many || maker.is_one_of_many;
            has_lambdas = has_lambdas && !maker.is_by_line; // a lambda may have ended before
            if (maker.scope.index == OTTER_NO_SCOPE) {
                return otter_function_names_of_linker(names, maker.name);
            }
            scope = maker.scope;
            continue;
        }
        const char *linkage = otter_scope_data(scope)->linkage;
        scope = otter_units_first_declaration(names->units, scope);
        uint32_t line = has_lambdas && lambda == 0 ? line_of_lambda(scope) : lambda;
        struct otter_scope outer = function_around_class(scope);
        if (outer.index != OTTER_NO_SCOPE) {
            lambda = line;
            scope = outer;
            continue;
        }
        const char *name = qualified_name(names, scope);
        // In clang's debug information the class of a lambda is outside of the function, but the
        // linkage name contains the function.
        if (!*name) {
            name = otter_function_names_of_linker(names, linkage);
            lambda = line;
        }
        if (is_one_of_many) {
            name = store(names, otter_demangle_cut_arguments(strdup(name)));
        } else if (is_code && lambda == 0 && otter_unit_is_overloaded(scope.unit, scope.index)) {
            name = add_parameters(names, name, linkage);
        }
        return name_lambda(names, name, lambda);
    }
    return "";
}

const char *otter_function_names_of(struct otter_function_names *names, struct otter_scope scope)
{
    return name_of(names, scope, false);
}

const char *otter_function_names_of_code(struct otter_function_names *names,
                                         struct otter_scope scope)
{
    return name_of(names, scope, true);
}
