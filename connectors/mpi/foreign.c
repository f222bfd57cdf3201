// Withdraws the wrappers from a process whose MPI has another binary interface.
//
// A program that loads MPI late may have a connector built for another MPI, whose wrappers would
// truncate communicator handles.
#include "foreign.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "loader/imports.h"
#include "otter/record.h"
#include "weak.h"
#include "wrapper_table.h"

#ifdef OPEN_MPI
static const bool is_for_open_mpi = true;
#else
static const bool is_for_open_mpi = false;
#endif

// A wrapper that is being withdrawn.
struct target {
    ElfW(Sym) * defined; // the connector's symbol, by which the loader finds the wrapper
    uintptr_t wrapper;
    uintptr_t function; // MPI's own; 0: this MPI does not have it
};

struct withdrawal {
    struct target *targets;
    size_t n;
};

static bool is_open_mpi(void *library)
{
    static const char only_there[] = "ompi_mpi_comm_world";
    return dlsym(RTLD_DEFAULT, only_there) || (library && dlsym(library, only_there));
}

static bool find_targets(struct withdrawal *withdrawal, void *library)
{
    size_t n = 0;
    while (wrapper_table[n].profiling_name) {
        n++;
    }
    *withdrawal = (struct withdrawal){calloc(n, sizeof *withdrawal->targets), n};
    for (size_t i = 0; withdrawal->targets && i < n; i++) {
        const struct wrapper *wrapper = &wrapper_table[i];
        struct target *target = &withdrawal->targets[i];
        Dl_info info;
        void *symbol = NULL;
        dladdr1((void *)wrapper->address, &info, &symbol, RTLD_DL_SYMENT);
        *target = (struct target){symbol, wrapper->address,
                                  (uintptr_t)dlsym(library, wrapper->profiling_name)};
    }
    return withdrawal->targets;
}

// The loader skips a symbol without a value, and finds the library's function instead.
static void hide(const struct object *connector, const struct withdrawal *withdrawal)
{
    for (size_t i = 0; i < withdrawal->n; i++) {
        ElfW(Sym) *defined = withdrawal->targets[i].defined;
        if (defined) {
            imports_write(connector, (uintptr_t *)&defined->st_value, 0);
        }
    }
}

static void redirect(const struct object *object, const struct import *import,
                     const struct withdrawal *withdrawal)
{
    for (size_t i = 0; i < withdrawal->n; i++) {
        const struct target *target = &withdrawal->targets[i];
        if (*import->slot == target->wrapper && target->function) {
            imports_write(object, import->slot, target->function);
            return;
        }
    }
}

static bool withdraw_from(const struct object *object, void *user)
{
    const struct withdrawal *withdrawal = user;
    struct import import;
    if (object_contains(object, wrapper_table[0].address)) {
        hide(object, withdrawal);
        return false;
    }
    for (size_t i = 0; imports_next(object, &i, &import);) {
        if (strstr(import.name, "MPI_")) { // a Fortran library has PMPI_, see fortran.c
            redirect(object, &import, withdrawal);
        }
    }
    return false;
}

bool foreign_withdraw(void)
{
    void *library = late_library();
    struct withdrawal withdrawal;
    if (is_open_mpi(library) == is_for_open_mpi) {
        return false;
    }
    otter_warn("MPI calls are not recorded: the process uses %s (LD_PRELOAD=%s otter record ...)",
               is_for_open_mpi ? "MPICH" : "Open MPI",
               is_for_open_mpi ? "libmpich.so.12" : "libmpi.so.40");
    if (library && find_targets(&withdrawal, library)) {
        objects_visit(withdraw_from, &withdrawal);
        free(withdrawal.targets);
    }
    return true;
}
