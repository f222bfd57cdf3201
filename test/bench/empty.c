// A tool with empty callbacks: it shows the runtime's cost of reporting tasks and waits. A paused
// tool cannot be cheaper, because LLVM's runtime calls all registered callbacks. A callback removed
// while threads run may be called as NULL.
//
// With READS_CLOCK, the tool *clock*: each callback for which Otter writes a record reads the time
// stamp counter and stores nothing. No tool that knows when events happen can be cheaper.
#include <omp-tools.h>

static inline void note(void)
{
#ifdef READS_CLOCK
    __builtin_ia32_rdtsc();
#endif
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                             ompt_data_t *task, unsigned size, unsigned index, int flags)
{
    note();
}

static void on_task_create(ompt_data_t *encountering_task, const ompt_frame_t *frame,
                           ompt_data_t *task, int flags, int has_dependences, const void *code)
{
    note();
}

static void on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
    note();
}

static void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                           ompt_data_t *parallel, ompt_data_t *task, const void *code)
{
    note();
}

// Otter writes no record for these waits, except those of taskgroups.
static void on_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                                ompt_data_t *parallel, ompt_data_t *task, const void *code)
{
}

static int on_initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *tool)
{
    ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    set_callback(ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task);
    set_callback(ompt_callback_task_create, (ompt_callback_t)on_task_create);
    set_callback(ompt_callback_task_schedule, (ompt_callback_t)on_task_schedule);
    set_callback(ompt_callback_sync_region, (ompt_callback_t)on_sync_region);
    set_callback(ompt_callback_sync_region_wait, (ompt_callback_t)on_sync_region_wait);
    return 1;
}

static void on_finalize(ompt_data_t *tool)
{
}

__attribute__((visibility("default"))) ompt_start_tool_result_t *
ompt_start_tool(unsigned omp_version, const char *runtime_version)
{
    static ompt_start_tool_result_t result = {on_initialize, on_finalize, {0}};
    return &result;
}
