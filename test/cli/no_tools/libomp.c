// Stands for an OpenMP runtime that was built without a tools interface, for programs that are
// linked to it but never call it.
#include <stdlib.h>

#define STUB(name)                                                                                 \
    __attribute__((visibility("default"))) void name(void);                                        \
    void name(void)                                                                                \
    {                                                                                              \
        abort();                                                                                   \
    }

STUB(__kmpc_barrier)
STUB(__kmpc_end_single)
STUB(__kmpc_fork_call)
STUB(__kmpc_omp_task)
STUB(__kmpc_omp_task_alloc)
STUB(__kmpc_single)
