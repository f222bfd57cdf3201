// Lets calls of MPI's Fortran libraries reach the wrappers.
//
// The Fortran entry points (mpi_send_, mpi_send_f08_, ...) convert their arguments and call C. Open
// MPI's call PMPI_Send, MPICH's call MPI_Send or PMPI_Send. A call of a PMPI_ function bypasses the
// wrappers. So wherever a Fortran library stores the address of such a function, the wrapper's
// address replaces it. The profiling functions themselves are unchanged, so other objects call them
// as before.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "loader/imports.h"
#include "wrapper_table.h"

static const char *file_name(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path ? path : "";
}

static bool is_fortran_library(const char *name)
{
    static const char *const names[] = {"libmpi_mpifh.", "libmpi_usempi", "libmpichfort.",
                                        "libmpifort.", "libmpichf90."};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strncmp(name, names[i], strlen(names[i])) == 0) {
            return true;
        }
    }
    return false;
}

static void redirect(const struct object *object, const struct import *import)
{
    for (const struct wrapper *wrapper = wrapper_table; wrapper->profiling_name; wrapper++) {
        if (strcmp(import->name, wrapper->profiling_name) == 0) {
            imports_write(object, import->slot, wrapper->address);
            return;
        }
    }
}

static bool redirect_object(const struct object *object, void *user)
{
    struct import import;
    if (!is_fortran_library(file_name(object->info->dlpi_name))) {
        return false;
    }
    for (size_t i = 0; imports_next(object, &i, &import);) {
        if (strncmp(import.name, "PMPI_", 5) == 0) {
            redirect(object, &import);
        }
    }
    return false;
}

// The loader has relocated all objects of the program before the first constructor runs.
__attribute__((constructor)) static void begin(void)
{
    objects_visit(redirect_object, NULL);
}
