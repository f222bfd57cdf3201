// mpi.h of the MPI for which the connector is built. Each symbol of the library is weak, so that
// the connector can be loaded into a process without MPI, or before the program loads its MPI. The
// functions PMPI_X and the predefined objects are macros, which find a symbol that was loaded late.
#pragma once

#include <stdatomic.h>
#include <stddef.h>

#include OTTER_MPI_HEADER // made by wrappers.py

// *Returns* the symbol of an MPI library that was loaded after this connector. Ends the program if
// the symbol is missing: without Otter, the program would have failed to load. *Thread*: any.
void *late_find(const char *name);

// *Returns* a handle of the MPI library of the process, or NULL if none has been loaded yet.
void *late_library(void);

// *Returns* `early`, the symbol's address when this connector was loaded, unless that is NULL. In
// that case, looks the symbol up once and stores it in `late`.
static inline void *late_or(void *early, _Atomic(void *) *late, const char *name)
{
    if (__builtin_expect(early != NULL, 1)) {
        return early;
    }
    void *found = atomic_load_explicit(late, memory_order_acquire);
    if (!found) {
        found = late_find(name);
        atomic_store_explicit(late, found, memory_order_release);
    }
    return found;
}

#define LATE_ADDRESS(symbol)                                                                       \
    ({                                                                                             \
        static _Atomic(void *) late_;                                                              \
        late_or((void *)&symbol, &late_, #symbol);                                                 \
    })

#define LATE_FUNCTION(symbol) ((__typeof__(&symbol))LATE_ADDRESS(symbol))

// Open MPI's predefined objects, such as MPI_COMM_WORLD, are variables of its library.
#ifdef OMPI_PREDEFINED_GLOBAL
#undef OMPI_PREDEFINED_GLOBAL
#define OMPI_PREDEFINED_GLOBAL(type, global) ((type)LATE_ADDRESS(global))
#endif
