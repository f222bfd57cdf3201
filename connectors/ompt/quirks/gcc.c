// Corrects code addresses that LLVM's runtime reports for GCC's code.
#include "gcc.h"

#include <stddef.h>
#include <string.h>

#include "importers.h"
#include "ompt/base/runtime.h"
#include "otter/control.h"

_Atomic bool gcc_has_tasks;

static int (*control_tool)(int command, int modifier, void *arg); // NULL: no regions of GCC's code

void gcc_begin(void)
{
    static const char *const tasks[] = {"GOMP_task", NULL};
    static const char *const regions[] = {"GOMP_parallel",
                                          "GOMP_parallel_loop_static",
                                          "GOMP_parallel_loop_dynamic",
                                          "GOMP_parallel_loop_nonmonotonic_dynamic",
                                          "GOMP_parallel_loop_guided",
                                          "GOMP_parallel_loop_nonmonotonic_guided",
                                          "GOMP_parallel_loop_runtime",
                                          "GOMP_parallel_loop_nonmonotonic_runtime",
                                          "GOMP_parallel_loop_maybe_nonmonotonic_runtime",
                                          "GOMP_parallel_sections",
                                          NULL};
    atomic_store(&gcc_has_tasks, imports_are_loaded(tasks));
    void *function = imports_are_loaded(regions) ? runtime_function("omp_control_tool") : NULL;
    memcpy(&control_tool, &function, sizeof(function));
}

// The runtime stores the address of each call from GCC's code until an event of this thread takes
// it. No event takes the address of the call that ends a region. This function therefore issues a
// command without effect, which takes that address: omp_control_tool reports it as the command's
// own. Quirk 'stale region'.
void gcc_forget_region(void)
{
    if (control_tool) {
        control_tool(OTTER_COMMAND_QUERY, 0, NULL);
    }
}
