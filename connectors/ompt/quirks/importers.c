// Finds objects that import functions of the runtime.
#include "importers.h"

#include <string.h>

#include "loader/imports.h"
#include "ompt/base/runtime.h"

static bool is_among(const char *name, const char *const *names)
{
    while (*names && strcmp(name, *names) != 0) {
        names++;
    }
    return *names != NULL;
}

static bool imports_any(const struct object *object, const char *const *names)
{
    struct import import;
    for (size_t i = 0; imports_next(object, &i, &import);) {
        if (is_among(import.name, names)) {
            return true;
        }
    }
    return false;
}

// libomptarget calls the affected entry points only on behalf of the program, so only the program's
// imports matter.
static bool is_part_of_runtime(const char *path)
{
    static const char name[] = "libomptarget.so";
    const char *slash = path ? strrchr(path, '/') : NULL;
    return path && strncmp(slash ? slash + 1 : path, name, sizeof(name) - 1) == 0;
}

static bool visit_imports(const struct object *object, void *user)
{
    bool is_runtime = object_contains(object, runtime_begin); // the runtime may call itself
    return !is_runtime && !is_part_of_runtime(object->info->dlpi_name) &&
           imports_any(object, *(const char *const **)user);
}

bool imports_are_loaded(const char *const *names)
{
    return objects_visit(visit_imports, &names);
}
