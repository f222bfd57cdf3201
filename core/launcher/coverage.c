// Compares the symbols that a program needs from GCC's OpenMP runtime with the symbols of other
// runtimes.
#include "launcher/coverage.h"

#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "launcher/elf_file.h"

struct comparison {
    struct otter_elf *libgomp, *runtime, *shim;
    char *gap;
};

static bool is_libgomp(const char *library)
{
    return strncmp(library, "libgomp.so", strlen("libgomp.so")) == 0;
}

// A reference without a version names no library; it is attributed to libgomp if libgomp defines
// the symbol.
static bool is_wanted_of_libgomp(const struct comparison *comparison,
                                 const struct otter_elf_symbol *symbol)
{
    return symbol->library
               ? is_libgomp(symbol->library)
               : !symbol->version && otter_elf_satisfies(comparison->libgomp, symbol->name, NULL);
}

// Returns whether the runtime has the function that libotter-gomp.so calls: for Fortran's omp_x_
// and omp_x_8_, this is C's omp_x.
static bool has_function_of_c(const struct otter_elf *runtime, const char *name)
{
    size_t length = strlen(name);
    if (length > 3 && strcmp(name + length - 3, "_8_") == 0) {
        length -= 3;
    } else if (length > 1 && name[length - 1] == '_') {
        length--;
    }
    char of_c[128];
    int written = snprintf(of_c, sizeof of_c, "%.*s", (int)length, name);
    return written < (int)sizeof of_c && otter_elf_satisfies(runtime, of_c, NULL);
}

static bool is_covered(const struct comparison *comparison, const struct otter_elf_symbol *symbol)
{
    if (otter_elf_satisfies(comparison->runtime, symbol->name, symbol->version)) {
        return true;
    }
    return comparison->shim &&
           otter_elf_satisfies(comparison->shim, symbol->name, symbol->version) &&
           (strcmp(symbol->name, "GOMP_scope_start") == 0 || // this function calls GOMP_loop_start
            has_function_of_c(comparison->runtime, symbol->name));
}

static bool visit_import(const struct otter_elf_symbol *symbol, void *user)
{
    struct comparison *comparison = user;
    if (!is_wanted_of_libgomp(comparison, symbol) || is_covered(comparison, symbol)) {
        return false;
    }
    bool has_version = symbol->version != NULL;
    if (asprintf(&comparison->gap, "%s%s%s", symbol->name, has_version ? "@" : "",
                 has_version ? symbol->version : "") < 0) {
        comparison->gap = NULL;
    }
    return true;
}

static bool compare(struct comparison *comparison, const char *path)
{
    struct otter_elf *elf = path ? otter_elf_open(path) : NULL;
    bool has_gap = elf && otter_elf_find_import(elf, visit_import, comparison);
    otter_elf_close(elf);
    return has_gap;
}

// The runtime may lack functions of libgomp, or have them in another version (quirk 'gcc symbols').
char *otter_coverage_gap(const struct otter_program *program, const char *libgomp,
                         const char *runtime, const char *shim)
{
    struct comparison comparison = {.libgomp = otter_elf_open(libgomp),
                                    .runtime = otter_elf_open(runtime),
                                    .shim = shim ? otter_elf_open(shim) : NULL};
    bool has_gap =
        !comparison.libgomp || !comparison.runtime || compare(&comparison, program->path);
    for (size_t i = 0; i < program->n_libraries && !has_gap; i++) {
        has_gap = !is_libgomp(otter_path_file(program->libraries[i])) &&
                  compare(&comparison, program->libraries[i]);
    }
    otter_elf_close(comparison.shim);
    otter_elf_close(comparison.runtime);
    otter_elf_close(comparison.libgomp);
    return has_gap && !comparison.gap ? strdup("symbols that cannot be read") : comparison.gap;
}
