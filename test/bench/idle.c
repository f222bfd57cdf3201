// A tool that registers no callback: it shows only the runtime's own cost of OMPT.
#include <omp-tools.h>

static int on_initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *tool)
{
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
