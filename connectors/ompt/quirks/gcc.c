// Finds out whether GCC compiled tasks of the program.
#include "gcc.h"

#include <stddef.h>

#include "importers.h"

_Atomic bool gcc_has_tasks;

void gcc_find_tasks(void)
{
    static const char *const names[] = {"GOMP_task", NULL};
    atomic_store(&gcc_has_tasks, imports_are_loaded(names));
}
