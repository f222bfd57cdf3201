// The OMPT callbacks: each translates one event and forwards it to the core.
#include "callbacks.h"

#include <stdatomic.h>

#include "control.h"
#include "ompt/base/convert.h"
#include "ompt/base/runtime.h"
#include "ompt/device/device.h"
#include "ompt/device/target.h"
#include "ompt/quirks/depend.h"
#include "ompt/quirks/dispatch.h"
#include "ompt/quirks/gcc.h"
#include "otter/record.h"

// For implicit tasks and the pseudo tasks of `taskwait depend`, the connector leaves the value 0.
// The core does not need a value, since it has a stack of tasks for each thread. Quirk 'wait data'.

static uint64_t value_of(const ompt_data_t *data)
{
    return data ? data->value : 0;
}

static otter_task *task_at(ompt_data_t *data)
{
    return data ? &data->value : NULL;
}

// Without `data` the region stays unknown: its implicit tasks belong to no region.
static void set_value(ompt_data_t *data, uint64_t value)
{
    if (data) {
        data->value = value;
    }
}

// ---- threads

static void on_thread_begin(ompt_thread_t kind, ompt_data_t *thread)
{
    otter_thread_begin(convert_thread(kind));
}

static void on_thread_end(ompt_data_t *thread)
{
    otter_thread_end();
}

// ---- parallel regions and implicit tasks

// An initial task without any other event forks the region of the helper threads that execute
// `target nowait`. The runtime itself forks this region (quirk 'hidden helper').
static bool is_of_helpers(const void *code)
{
    return runtime_contains(code) && otter_thread_is_unused();
}

static void on_parallel_begin(ompt_data_t *encountering_task, const ompt_frame_t *frame,
                              ompt_data_t *parallel, unsigned requested, int flags,
                              const void *code)
{
    enum otter_construct construct =
        flags & ompt_parallel_league ? OTTER_CONSTRUCT_TEAMS : OTTER_CONSTRUCT_PARALLEL;
    code = gcc_place(frame, code);
    bool is_hidden = construct == OTTER_CONSTRUCT_PARALLEL && is_of_helpers(code);
    set_value(parallel,
              is_hidden ? 0 : otter_parallel_begin(construct, requested, runtime_user_code(code)));
}

static void on_parallel_end(ompt_data_t *parallel, ompt_data_t *encountering_task, int flags,
                            const void *code)
{
    otter_parallel_end(value_of(parallel));
}

// For a thread's initial task, the region's value is 0. The initial tasks of a league's teams get
// the value of the league, but a league of one team gets the value of an earlier region. The core
// knows what the thread has just forked (quirk 'old region').
static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                             ompt_data_t *task, unsigned size, unsigned index, int flags)
{
    bool is_initial = (flags & ompt_task_initial) && !value_of(parallel);
    if (endpoint == ompt_scope_begin) {
        if (is_initial) {
            otter_initial_task_begin();
        } else {
            otter_implicit_task_begin(value_of(parallel), size, index);
        }
    } else {
        otter_implicit_task_end();
    }
}

// ---- explicit tasks

static _Atomic bool dependences_are_recorded = true;

void callbacks_set_dependences(bool are_recorded)
{
    atomic_store(&dependences_are_recorded, are_recorded);
}

__attribute__((cold)) static void warn_of_dependences(void)
{
    static atomic_flag was_warned = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&was_warned)) {
        otter_describe("DEPENDENCES", "left out");
        otter_warn(
            "depend clauses of this program are not recorded: LLVM's OpenMP runtime may corrupt "
            "its memory at a task with if(0) and a mutexinoutset or inoutset dependence; if this "
            "program has no such task, set "
            "OTTER_DEPENDENCES=on");
    }
}

__attribute__((noinline)) static void create_rarely(ompt_data_t *encountering_task,
                                                    const ompt_frame_t *frame, ompt_data_t *task,
                                                    int flags, int has_dependences,
                                                    const void *code)
{
    if (!(flags & ompt_task_taskwait)) {
        code = gcc_place(frame, code);
    }
    const struct depend_call *call = has_dependences ? depend_call_current() : NULL;
    code = call ? depend_call_code(call, code) : code;
    if (has_dependences && !atomic_load_explicit(&dependences_are_recorded, memory_order_relaxed)) {
        depend_call_end(); // on_dependences() is not called
        warn_of_dependences();
    }
    // `taskwait depend`, or the wait before an undeferred task with dependences
    if (flags & ompt_task_taskwait) {
        otter_enter(OTTER_CONSTRUCT_TASKWAIT_DEPEND, 0, runtime_user_code(code));
        return;
    }
    if (!task) {
        otter_unbegun(); // the runtime provides no word for the task's number
        return;
    }
    task->value = otter_task_create(task_at(encountering_task), convert_task_flags(flags),
                                    runtime_user_code(code));
}

static void on_task_create(ompt_data_t *encountering_task, const ompt_frame_t *frame,
                           ompt_data_t *task, int flags, int has_dependences, const void *code)
{
    const int plain = (int)ompt_task_explicit | (int)ompt_task_undeferred; // most tasks
    if (has_dependences || flags & ~plain || !task || gcc_may_have_tasks()) {
        create_rarely(encountering_task, frame, task, flags, has_dependences, code);
        return;
    }
    task->value = otter_task_create(task_at(encountering_task),
                                    flags & ompt_task_undeferred ? OTTER_TASK_UNDEFERRED : 0U,
                                    runtime_user_code(code));
}

__attribute__((noinline)) static void schedule_rarely(ompt_data_t *prior, ompt_task_status_t status,
                                                      ompt_data_t *next)
{
    switch (status) {
    case ompt_task_cancel:
        otter_task_end(task_at(prior), OTTER_TASK_END_CANCELLED, task_at(next));
        return;
    case ompt_task_detach:
        otter_task_end(task_at(prior), OTTER_TASK_END_DETACHED, task_at(next));
        return;
    case ompt_task_early_fulfill: otter_task_fulfil(task_at(prior), false); return;
    case ompt_task_late_fulfill: otter_task_fulfil(task_at(prior), true); return;
    case ompt_taskwait_complete: otter_leave(OTTER_CONSTRUCT_TASKWAIT_DEPEND); return;
    case ompt_task_complete:
    case ompt_task_yield:
    case ompt_task_switch: break;
    }
    if (next) {
        otter_task_switch(task_at(prior), task_at(next));
    }
}

static void on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
    if (status == ompt_task_complete) {
        otter_task_end(task_at(prior), OTTER_TASK_END_COMPLETE, task_at(next));
    } else if (status == ompt_task_switch && next) {
        otter_task_switch(task_at(prior), task_at(next));
    } else {
        schedule_rarely(prior, status, next);
    }
}

// Returns the kind of an entry that the runtime reports without a kind. Only omp_all_memory has no
// address. Needed if depend_redirect() has failed (quirk 'depend kinds').
__attribute__((cold)) static enum otter_parameter without_kind(uint64_t address)
{
    static atomic_flag was_described = ATOMIC_FLAG_INIT;
    if (address == 0) {
        return OTTER_PARAMETER_DEPEND_OUT_ALL_MEMORY;
    }
    if (!atomic_flag_test_and_set(&was_described)) {
        otter_describe("DEPENDENCES", "some of unknown kind");
    }
    return OTTER_PARAMETER_DEPEND_UNKNOWN;
}

// The runtime calls this on the creating thread, right after the task's creation. For source and
// sink of a doacross loop, it calls this on the thread that posts or waits, as a separate event.
static void on_dependences(ompt_data_t *task, const ompt_dependence_t *dependences, int n)
{
    const struct depend_call *call = depend_call_current();
    depend_call_end();
    for (int i = 0; i < n; i++) {
        enum otter_parameter kind =
            call ? depend_call_kind(call, i) : convert_dependence(dependences[i].dependence_type);
        if (kind == OTTER_PARAMETER_DEPEND_UNKNOWN) {
            kind = without_kind(dependences[i].variable.value);
        }
        bool is_doacross =
            kind == OTTER_PARAMETER_DEPEND_SOURCE || kind == OTTER_PARAMETER_DEPEND_SINK;
        if (is_doacross && i == 0) {
            otter_remark(kind, dependences[i].variable.value);
        } else if (!is_doacross && !value_of(task) &&
                   !otter_is_innermost(OTTER_CONSTRUCT_TASKWAIT_DEPEND)) {
            otter_unbegun(); // the task was never created
        } else {
            otter_parameter(kind, dependences[i].variable.value);
        }
    }
}

// ---- work

// Returns whether something begins at this endpoint; at ompt_scope_beginend, it also ends there.
static bool begins(ompt_scope_endpoint_t endpoint)
{
    return endpoint & ompt_scope_begin;
}

static bool ends(ompt_scope_endpoint_t endpoint)
{
    return endpoint & ompt_scope_end;
}

static void begin_work(struct converted work, uint64_t count, const void *code)
{
    otter_enter(work.construct, work.detail, runtime_user_code(code));
    if (work.construct != OTTER_CONSTRUCT_SINGLE &&
        work.construct != OTTER_CONSTRUCT_SINGLE_OTHER) {
        otter_parameter(OTTER_PARAMETER_ITERATIONS, count);
    }
}

static void on_work(ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                    ompt_data_t *task, uint64_t count, const void *code)
{
    struct converted work = convert_work(kind);
    const void *sections = runtime_sections();
    if (sections) {
        work = (struct converted){OTTER_CONSTRUCT_SECTIONS, 0};
        code = sections;
    }
    if (begins(endpoint)) {
        begin_work(work, count, code);
    }
    if (ends(endpoint)) {
        otter_leave(work.construct);
    }
}

static void dispatch_chunk(enum otter_parameter parameter, const ompt_dispatch_chunk_t *chunk)
{
    uint64_t ticks = dispatch_ticks();
    if (chunk) {
        otter_remark(parameter, chunk->start);
        otter_parameter(OTTER_PARAMETER_ITERATIONS, chunk->iterations);
    }
    if (chunk && ticks) {
        otter_parameter(OTTER_PARAMETER_CHUNK_TICKS, ticks);
    }
}

static void on_dispatch(ompt_data_t *parallel, ompt_data_t *task, ompt_dispatch_t kind,
                        ompt_data_t instance)
{
    switch (kind) {
    case ompt_dispatch_iteration: otter_remark(OTTER_PARAMETER_ITERATION, instance.value); return;
    case ompt_dispatch_section: otter_remark(OTTER_PARAMETER_SECTION, instance.value); return;
    case ompt_dispatch_ws_loop_chunk:
        dispatch_chunk(OTTER_PARAMETER_CHUNK_LOOP, instance.ptr);
        return;
    case ompt_dispatch_taskloop_chunk:
        dispatch_chunk(OTTER_PARAMETER_CHUNK_TASKLOOP, instance.ptr);
        return;
    case ompt_dispatch_distribute_chunk:
        dispatch_chunk(OTTER_PARAMETER_CHUNK_DISTRIBUTE, instance.ptr);
        return;
    }
    otter_remark(OTTER_PARAMETER_DISPATCH_UNKNOWN, (uint64_t)kind);
}

static void on_masked(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
                      const void *code)
{
    if (begins(endpoint)) {
        otter_enter(OTTER_CONSTRUCT_MASKED, 0, runtime_user_code(code));
    }
    if (ends(endpoint)) {
        otter_leave(OTTER_CONSTRUCT_MASKED);
    }
}

// ---- synchronisation

static const void *sync_place(enum otter_construct construct, const void *code)
{
    bool is_barrier =
        construct >= OTTER_CONSTRUCT_BARRIER && construct <= OTTER_CONSTRUCT_BARRIER_IMPLEMENTATION;
    const void *place = is_barrier ? runtime_take_barrier() : NULL;
    return runtime_user_code(place ? place : code);
}

// Before LLVM 19, all implicit barriers have the kind OTTER_CONSTRUCT_BARRIER_IMPLICIT.
static bool ends_region(enum otter_construct barrier)
{
    return barrier == OTTER_CONSTRUCT_BARRIER_PARALLEL ||
           barrier == OTTER_CONSTRUCT_BARRIER_IMPLICIT;
}

__attribute__((noinline)) static void sync_rarely(ompt_sync_region_t kind,
                                                  ompt_scope_endpoint_t endpoint, const void *code)
{
    struct converted sync = convert_sync_region(kind);
    if (begins(endpoint)) {
        otter_enter(sync.construct, sync.detail, sync_place(sync.construct, code));
        if (code && ends_region(sync.construct)) {
            gcc_forget_region();
        }
    }
    if (ends(endpoint)) {
        otter_leave(sync.construct);
    }
}

static void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                           ompt_data_t *parallel, ompt_data_t *task, const void *code)
{
    if (kind == ompt_sync_region_taskwait && endpoint == ompt_scope_begin) {
        otter_enter(OTTER_CONSTRUCT_TASKWAIT, 0, runtime_user_code(code));
    } else if (kind == ompt_sync_region_taskwait && endpoint == ompt_scope_end) {
        otter_leave(OTTER_CONSTRUCT_TASKWAIT);
    } else {
        sync_rarely(kind, endpoint, code);
    }
}

// A taskgroup executes code between its start and its wait. All other kinds start both at the same
// time.
static void on_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                                ompt_data_t *parallel, ompt_data_t *task, const void *code)
{
    if (kind != ompt_sync_region_taskgroup) {
        return;
    }
    if (begins(endpoint)) {
        otter_enter(OTTER_CONSTRUCT_TASKGROUP_WAIT, 0, runtime_user_code(code));
    }
    if (ends(endpoint)) {
        otter_leave(OTTER_CONSTRUCT_TASKGROUP_WAIT);
    }
}

// `kind` is always ompt_sync_region_reduction. Reductions begin inside barriers.
static void on_reduction(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                         ompt_data_t *parallel, ompt_data_t *task, const void *code)
{
    on_sync_region(ompt_sync_region_reduction, endpoint, parallel, task, code);
}

// ---- mutual exclusion

static void on_mutex_acquire(ompt_mutex_t kind, unsigned hint, unsigned implementation,
                             ompt_wait_id_t mutex, const void *code)
{
    struct converted converted = convert_mutex(kind);
    otter_mutex_acquire(converted.construct, converted.detail, mutex, runtime_user_code(code));
}

static void on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t mutex, const void *code)
{
    struct converted converted = convert_mutex(kind);
    otter_mutex_acquired(converted.construct, converted.detail, mutex, runtime_user_code(code));
}

static void on_mutex_released(ompt_mutex_t kind, ompt_wait_id_t mutex, const void *code)
{
    struct converted converted = convert_mutex(kind);
    otter_mutex_released(converted.construct, converted.detail, mutex, runtime_user_code(code));
}

// The runtime also reports each repeated acquisition of a nested lock by mutex_acquire. Only the
// release by omp_unset_nest_lock has no other event.
static void on_nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t mutex, const void *code)
{
    if (ends(endpoint)) {
        otter_mark(OTTER_CONSTRUCT_UNSET_NEST_LOCK, 0, runtime_user_code(code));
    }
}

static bool is_nested(ompt_mutex_t kind)
{
    return kind == ompt_mutex_nest_lock || kind == ompt_mutex_test_nest_lock;
}

static void on_lock_init(ompt_mutex_t kind, unsigned hint, unsigned implementation,
                         ompt_wait_id_t mutex, const void *code)
{
    otter_mark(is_nested(kind) ? OTTER_CONSTRUCT_INIT_NEST_LOCK : OTTER_CONSTRUCT_INIT_LOCK, 0,
               runtime_user_code(code));
}

static void on_lock_destroy(ompt_mutex_t kind, ompt_wait_id_t mutex, const void *code)
{
    otter_mark(is_nested(kind) ? OTTER_CONSTRUCT_DESTROY_NEST_LOCK : OTTER_CONSTRUCT_DESTROY_LOCK,
               0, runtime_user_code(code));
}

// ---- points in time

static void on_flush(ompt_data_t *thread, const void *code)
{
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, runtime_user_code(code));
}

static void on_cancel(ompt_data_t *task, int flags, const void *code)
{
    otter_mark(OTTER_CONSTRUCT_CANCEL, (uint32_t)flags, runtime_user_code(code));
}

static void on_error(ompt_severity_t severity, const char *message, size_t length, const void *code)
{
    otter_mark(OTTER_CONSTRUCT_ERROR, (uint32_t)severity, runtime_user_code(code));
}

// ---- the table

#define CALLBACK(event, handler) {#event, (ompt_callback_t)(handler), ompt_callback_##event, false}
#define OTHERWISE(event, handler) {#event, (ompt_callback_t)(handler), ompt_callback_##event, true}

static const struct callback table[] = {
    CALLBACK(thread_begin, on_thread_begin),
    CALLBACK(thread_end, on_thread_end),
    CALLBACK(parallel_begin, on_parallel_begin),
    CALLBACK(parallel_end, on_parallel_end),
    CALLBACK(implicit_task, on_implicit_task),
    CALLBACK(task_create, on_task_create),
    CALLBACK(task_schedule, on_task_schedule),
    CALLBACK(dependences, on_dependences),
    // Runtimes report a task dependence only while the predecessor is alive. The callback
    // `dependences` reports all of them.
    CALLBACK(task_dependence, NULL),
    CALLBACK(work, on_work),
    CALLBACK(dispatch, on_dispatch),
    CALLBACK(masked, on_masked),
    CALLBACK(sync_region, on_sync_region),
    CALLBACK(sync_region_wait, on_sync_region_wait),
    CALLBACK(reduction, on_reduction),
    CALLBACK(mutex_acquire, on_mutex_acquire),
    CALLBACK(mutex_acquired, on_mutex_acquired),
    CALLBACK(mutex_released, on_mutex_released),
    CALLBACK(nest_lock, on_nest_lock),
    CALLBACK(lock_init, on_lock_init),
    CALLBACK(lock_destroy, on_lock_destroy),
    CALLBACK(flush, on_flush),
    CALLBACK(cancel, on_cancel),
    CALLBACK(error, on_error),
    CALLBACK(control_tool, control_on_control_tool),
    CALLBACK(device_initialize, device_on_initialize),
    CALLBACK(device_finalize, device_on_finalize),
    CALLBACK(device_load, device_on_load),
    CALLBACK(device_unload, device_on_unload),
    CALLBACK(target_emi, target_on_target_emi),
    OTHERWISE(target, target_on_target),
    CALLBACK(target_data_op_emi, target_on_data_op_emi),
    OTHERWISE(target_data_op, target_on_data_op),
    CALLBACK(target_submit_emi, target_on_submit_emi),
    OTHERWISE(target_submit, target_on_submit),
    CALLBACK(target_map_emi, target_on_map_emi),
    OTHERWISE(target_map, target_on_map),
};

const struct callback *callbacks_table(size_t *n)
{
    *n = sizeof(table) / sizeof(table[0]);
    return table;
}
