// The runtime's side of OMPT: it opens tools, implements entry points and stores callbacks.
#include "runtime.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_CALLBACKS = 64, MAX_LACKING = 8 };

static ompt_set_result_t granted[N_CALLBACKS] = {[0 ... N_CALLBACKS - 1] = ompt_set_always};
static _Atomic(ompt_callback_t) callbacks[N_CALLBACKS];
static const char *lacking[MAX_LACKING];
static size_t n_lacking;
static unsigned version = 201611;
static const char *description = "LLVM OMP version: 5.0.20140926";
static int initial_device = 1;

static void *library;
static ompt_start_tool_result_t *tool;
static int was_initialized;

static _Thread_local struct mock_thread *self;

void mock_thread_enter(struct mock_thread *thread)
{
    self = thread;
}

struct mock_thread *mock_thread_self(void)
{
    return self;
}

void mock_grant(ompt_callbacks_t callback, ompt_set_result_t result)
{
    granted[callback] = result;
}

void mock_lacks(const char *entry_point)
{
    if (n_lacking < MAX_LACKING) {
        lacking[n_lacking++] = entry_point;
    }
}

void mock_describe(unsigned omp_version, const char *runtime_version, int host)
{
    version = omp_version;
    description = runtime_version;
    initial_device = host;
}

static bool is_granted(unsigned callback)
{
    return callback < N_CALLBACKS && granted[callback] >= ompt_set_sometimes;
}

ompt_callback_t mock_callback(ompt_callbacks_t callback)
{
    return is_granted(callback) ? atomic_load_explicit(&callbacks[callback], memory_order_relaxed)
                                : NULL;
}

__attribute__((no_sanitize("undefined"))) size_t mock_length(const char *message)
{
    return strlen(message);
}

const void *mock_code(void)
{
    return (const char *)(void *)mock_code + 1;
}

// ---- entry points

static ompt_set_result_t set_callback(ompt_callbacks_t event, ompt_callback_t callback)
{
    if ((unsigned)event >= N_CALLBACKS) {
        return ompt_set_error;
    }
    if (is_granted(event)) {
        atomic_store_explicit(&callbacks[event], callback, memory_order_relaxed);
    }
    return granted[event];
}

static int get_callback(ompt_callbacks_t event, ompt_callback_t *callback)
{
    ompt_callback_t registered = (unsigned)event < N_CALLBACKS ? mock_callback(event) : NULL;
    if (registered) {
        *callback = registered;
    }
    return registered != NULL;
}

static ompt_data_t *get_thread_data(void)
{
    return self ? &self->data : NULL;
}

static const struct mock_frame *frame_at(int level)
{
    bool is_there = self && level >= 0 && (size_t)level < self->n_frames;
    return is_there ? &self->frames[self->n_frames - 1 - (size_t)level] : NULL;
}

static int get_parallel_info(int level, ompt_data_t **parallel, int *team_size)
{
    const struct mock_frame *frame = frame_at(level);
    if (frame) {
        *parallel = frame->parallel;
        *team_size = 1;
    }
    return frame ? 2 : 0;
}

static int get_task_info(int level, int *flags, ompt_data_t **task, ompt_frame_t **task_frame,
                         ompt_data_t **parallel, int *thread_num)
{
    const struct mock_frame *frame = frame_at(level);
    if (!frame) {
        return 0;
    }
    *flags = frame->current == frame->implicit ? ompt_task_implicit : ompt_task_explicit;
    *task = frame->current;
    *task_frame = NULL;
    *parallel = frame->parallel;
    *thread_num = 0;
    return 2;
}

static int enumerate_states(int current, int *next, const char **name)
{
    if (current != ompt_state_undefined) {
        return 0;
    }
    *next = ompt_state_work_serial;
    *name = "ompt_state_work_serial";
    return 1;
}

static int enumerate_mutexes(int current, int *next, const char **name)
{
    return 0;
}

static uint64_t get_unique_id(void)
{
    static _Atomic uint64_t last;
    return atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
}

static int get_state(ompt_wait_id_t *wait)
{
    return ompt_state_work_serial;
}

static int get_target_info(uint64_t *device, ompt_id_t *target, ompt_id_t *host_op)
{
    return 0;
}

static int get_one(void)
{
    return 1;
}

static int get_zero(void)
{
    return 0;
}

static int get_no_ids(int place, int size, int *ids)
{
    return 0;
}

static int get_no_places(int size, int *places)
{
    return 0;
}

static int get_task_memory(void **address, size_t *size, int block)
{
    return 0;
}

bool mock_is_lacking(const char *entry_point)
{
    for (size_t i = 0; i < n_lacking; i++) {
        if (strcmp(lacking[i], entry_point) == 0) {
            return true;
        }
    }
    return false;
}

static ompt_interface_fn_t lookup(const char *name)
{
    static const struct {
        const char *name;
        ompt_interface_fn_t function;
    } entry_points[] = {
        {"ompt_set_callback", (ompt_interface_fn_t)set_callback},
        {"ompt_get_callback", (ompt_interface_fn_t)get_callback},
        {"ompt_get_thread_data", (ompt_interface_fn_t)get_thread_data},
        {"ompt_get_parallel_info", (ompt_interface_fn_t)get_parallel_info},
        {"ompt_get_task_info", (ompt_interface_fn_t)get_task_info},
        {"ompt_get_task_memory", (ompt_interface_fn_t)get_task_memory},
        {"ompt_enumerate_states", (ompt_interface_fn_t)enumerate_states},
        {"ompt_enumerate_mutex_impls", (ompt_interface_fn_t)enumerate_mutexes},
        {"ompt_get_unique_id", (ompt_interface_fn_t)get_unique_id},
        {"ompt_get_state", (ompt_interface_fn_t)get_state},
        {"ompt_get_target_info", (ompt_interface_fn_t)get_target_info},
        {"ompt_get_num_procs", (ompt_interface_fn_t)get_one},
        {"ompt_get_num_places", (ompt_interface_fn_t)get_one},
        {"ompt_get_place_num", (ompt_interface_fn_t)get_zero},
        {"ompt_get_proc_id", (ompt_interface_fn_t)get_zero},
        {"ompt_get_place_proc_ids", (ompt_interface_fn_t)get_no_ids},
        {"ompt_get_partition_place_nums", (ompt_interface_fn_t)get_no_places},
        {"ompt_get_num_devices", (ompt_interface_fn_t)get_zero},
        {"ompt_finalize_tool", (ompt_interface_fn_t)mock_finalize},
    };
    for (size_t i = 0; i < sizeof(entry_points) / sizeof(entry_points[0]); i++) {
        if (strcmp(entry_points[i].name, name) == 0) {
            return mock_is_lacking(name) ? NULL : entry_points[i].function;
        }
    }
    return NULL;
}

// ---- start and end

static ompt_start_tool_result_t *start_one(const char *path)
{
    library = dlopen(path, RTLD_LAZY);
    if (!library) {
        fprintf(stderr, "player: %s\n", dlerror());
        return NULL;
    }
    ompt_start_tool_result_t *(*start)(unsigned, const char *) =
        (ompt_start_tool_result_t * (*)(unsigned, const char *)) dlsym(library, "ompt_start_tool");
    ompt_start_tool_result_t *result = start ? start(version, description) : NULL;
    if (!result) {
        dlclose(library);
        library = NULL;
    }
    return result;
}

int mock_start(const char *tools)
{
    char *list = strdup(tools), *rest = NULL;
    int n = 0;
    for (char *path = list ? strtok_r(list, ":", &rest) : NULL; path && !tool;
         path = strtok_r(NULL, ":", &rest)) {
        n++;
        tool = start_one(path);
    }
    free(list);
    if (!tool) {
        return 0;
    }
    was_initialized = tool->initialize(lookup, initial_device, &tool->tool_data);
    if (!was_initialized) {
        for (size_t i = 0; i < N_CALLBACKS; i++) {
            atomic_store(&callbacks[i], NULL);
        }
    }
    return n;
}

int mock_initialized(void)
{
    return was_initialized;
}

void mock_finalize(void)
{
    if (tool && was_initialized) {
        tool->finalize(&tool->tool_data);
    }
    tool = NULL;
    if (library) {
        dlclose(library);
    }
    library = NULL;
}
