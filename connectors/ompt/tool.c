// Starts and ends the connector: ompt_start_tool, and the registration of the callbacks.
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <omp-tools.h>

#include "callbacks.h"
#include "kokkos.h"
#include "ompt/base/convert.h"
#include "ompt/base/runtime.h"
#include "ompt/device/device.h"
#include "ompt/quirks/depend.h"
#include "ompt/quirks/dispatch.h"
#include "ompt/quirks/doacross.h"
#include "ompt/quirks/error.h"
#include "ompt/quirks/gcc.h"
#include "otter/record.h"

static const char connector[] = "ompt";

static atomic_flag is_over = ATOMIC_FLAG_INIT;

// Returns whether to register the callback `dependences`. With `auto` it is left out if it could
// crash a correct program because calls cannot be redirected (quirk 'depend heap').
static bool wants_dependences(void)
{
    const char *setting = otter_setting("dependences");
    if (strcmp(setting, "off") == 0) {
        return false;
    }
    return depend_redirect() || strcmp(setting, "on") == 0 || !depend_may_corrupt();
}

static const char *register_callback(ompt_set_callback_t set_callback,
                                     const struct callback *callback, bool was_refused)
{
    if (!callback->function || (callback->is_substitute && !was_refused)) {
        return "off";
    }
    if (callback->id == ompt_callback_error && !error_redirect()) {
        return "off";
    }
    if (callback->id == ompt_callback_dependences && !wants_dependences()) {
        callbacks_set_dependences(false);
        return "off";
    }
    return convert_set_result(set_callback(callback->id, callback->function));
}

static bool is_refusal(const char *granted)
{
    return strcmp(granted, "error") == 0 || strcmp(granted, "never") == 0 ||
           strcmp(granted, "impossible") == 0;
}

static bool is_grant(const char *granted)
{
    return !is_refusal(granted) && strcmp(granted, "off") != 0;
}

// Registers all callbacks. *Returns* whether the runtime reports operations on data, in the newer
// form or the older one.
static bool register_callbacks(ompt_set_callback_t set_callback)
{
    size_t n;
    const struct callback *callbacks = callbacks_table(&n);
    bool is_report_wanted = strcmp(otter_setting("report-callbacks"), "off") != 0;
    const char *granted = "";
    bool reports_operations = false;
    for (size_t i = 0; i < n; i++) {
        granted = register_callback(set_callback, &callbacks[i], is_refusal(granted));
        otter_describe_callback(callbacks[i].name, granted);
        if (is_report_wanted) {
            otter_warn("callback %s: %s", callbacks[i].name, granted);
        }
        bool is_operation = callbacks[i].id == ompt_callback_target_data_op_emi ||
                            callbacks[i].id == ompt_callback_target_data_op;
        reports_operations = reports_operations || (is_operation && is_grant(granted));
    }
    return reports_operations;
}

// Runs before the core's handler, so that devices flush their records while the archive is still
// open (quirk 'exit beside').
static void at_exit(void)
{
    if (otter_thread_others_run()) {
        device_traces_stop();
    }
}

static int on_initialize(ompt_function_lookup_t lookup, int initial_device, ompt_data_t *tool)
{
    ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    if (!set_callback) {
        otter_warn("the OpenMP runtime has no ompt_set_callback; nothing is recorded");
        return 0;
    }
    runtime_find((const void *)set_callback);
    gcc_begin();
    dispatch_redirect();
    doacross_redirect();
    atexit(at_exit);
    otter_devices_begin(initial_device, register_callbacks(set_callback));
    return 1;
}

static void on_finalize(ompt_data_t *tool)
{
    if (!atomic_flag_test_and_set(&is_over)) {
        device_traces_stop();
        kokkos_warn_of_absence();
        otter_detach(connector);
    }
}

// NULL declines: the runtime then tries the next tool of OMP_TOOL_LIBRARIES.
__attribute__((visibility("default"))) ompt_start_tool_result_t *
ompt_start_tool(unsigned omp_version, const char *runtime_version)
{
    static ompt_start_tool_result_t result = {.initialize = on_initialize, .finalize = on_finalize};
    if (!otter_attach(connector)) {
        return NULL;
    }
    kokkos_note_start();
    char version[32];
    snprintf(version, sizeof(version), "%u", omp_version);
    otter_describe("OMP_VERSION", version);
    otter_describe("RUNTIME", runtime_version ? runtime_version : "unknown");
    return &result;
}
