// A tool that writes the runtime's device events into the file OTTER_TEST_LOG, one per line:
//
//     <thread> target begin|end <kind> <device> <module>+<offset>
//     <thread> data begin|end <optype> <bytes> <source device> <destination device> <has source>
//                             <has destination> <module>+<offset>
//     <thread> submit begin|end <teams>
//     <thread> device initialize|load|finalize <device>
//
// It shares no code with Otter. The archive of another run must contain the same events.
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <omp-tools.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *file;

static const char *place(const void *code, char *text, size_t size)
{
    Dl_info info;
    if (!code || !dladdr(code, &info)) {
        snprintf(text, size, "-");
        return text;
    }
    const char *slash = strrchr(info.dli_fname, '/');
    snprintf(text, size, "%s+0x%zx", slash ? slash + 1 : info.dli_fname,
             (size_t)((const char *)code - (const char *)info.dli_fbase));
    return text;
}

static const char *word(ompt_scope_endpoint_t endpoint)
{
    return endpoint == ompt_scope_begin ? "begin" : endpoint == ompt_scope_end ? "end" : "both";
}

static void on_target(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device,
                      ompt_data_t *task, ompt_data_t *target_task, ompt_data_t *target,
                      const void *code)
{
    char text[256];
    pthread_mutex_lock(&lock);
    fprintf(file, "%d target %s %d %d %s\n", (int)gettid(), word(endpoint), (int)kind, device,
            place(code, text, sizeof(text)));
    pthread_mutex_unlock(&lock);
}

static void on_data_op(ompt_scope_endpoint_t endpoint, ompt_data_t *target_task,
                       ompt_data_t *target, ompt_id_t *operation, ompt_target_data_op_t kind,
                       void *source, int source_device, void *destination, int destination_device,
                       size_t bytes, const void *code)
{
    char text[256];
    pthread_mutex_lock(&lock);
    fprintf(file, "%d data %s %d %zu %d %d %d %d %s\n", (int)gettid(), word(endpoint), (int)kind,
            bytes, source_device, destination_device, source != NULL, destination != NULL,
            place(code, text, sizeof(text)));
    pthread_mutex_unlock(&lock);
}

static void on_submit(ompt_scope_endpoint_t endpoint, ompt_data_t *target, ompt_id_t *operation,
                      unsigned teams)
{
    pthread_mutex_lock(&lock);
    fprintf(file, "%d submit %s %u\n", (int)gettid(), word(endpoint), teams);
    pthread_mutex_unlock(&lock);
}

static void log_device(const char *what, int device)
{
    pthread_mutex_lock(&lock);
    fprintf(file, "%d device %s %d\n", (int)gettid(), what, device);
    pthread_mutex_unlock(&lock);
}

static void on_device_initialize(int device, const char *type, ompt_device_t *handle,
                                 ompt_function_lookup_t lookup, const char *documentation)
{
    log_device("initialize", device);
}

static void on_device_load(int device, const char *name, int64_t offset, void *address,
                           size_t bytes, void *host_address, void *device_address, uint64_t module)
{
    log_device("load", device);
}

static void on_device_finalize(int device)
{
    log_device("finalize", device);
}

static int on_initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *tool)
{
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    set(ompt_callback_target_emi, (ompt_callback_t)on_target);
    set(ompt_callback_target_data_op_emi, (ompt_callback_t)on_data_op);
    set(ompt_callback_target_submit_emi, (ompt_callback_t)on_submit);
    set(ompt_callback_device_initialize, (ompt_callback_t)on_device_initialize);
    set(ompt_callback_device_load, (ompt_callback_t)on_device_load);
    set(ompt_callback_device_finalize, (ompt_callback_t)on_device_finalize);
    return 1;
}

static void on_finalize(ompt_data_t *tool)
{
    fflush(file);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime);

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_start_tool_result_t result = {.initialize = on_initialize, .finalize = on_finalize};
    const char *path = getenv("OTTER_TEST_LOG");
    file = path ? fopen(path, "w") : NULL;
    return file ? &result : NULL;
}
