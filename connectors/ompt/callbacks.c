// One short function for each OMPT event: it translates and forwards. Facts about LLVM's runtime that a line depends on stand
// beside it; they hold for versions 14 to 19.
#include "callbacks.h"

#include <stdatomic.h>

#include "control.h"
#include "convert.h"
#include "depend.h"
#include "device.h"
#include "otter/record.h"
#include "runtime.h"
#include "target.h"

// Implicit tasks keep the value 0 that the runtime gave them, and so do the pseudo tasks of `taskwait depend`: LLVM's runtime holds both
// in one place and aborts (KMP_ASSERT in kmp_taskdeps.cpp) when a tool has left anything there. The core needs neither: it knows each
// thread's stack of tasks.

static uint64_t value_of(const ompt_data_t *data)
{
    return data ? data->value : 0;
}

static otter_task *task_at(ompt_data_t *data)
{
    return data ? &data->value : NULL;
}

// A runtime that has no place for it gives none: what begins there is of no region, and of no task, later.
static void keep(ompt_data_t *data, uint64_t value)
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

// ---- places in the program

static _Atomic bool is_code_of_gcc;

void callbacks_set_code_of_gcc(bool is_of_gcc)
{
    atomic_store(&is_code_of_gcc, is_of_gcc);
}

// Of GCC's code LLVM's runtime tells now and then where the encountering task was created. The frame of the runtime's function that the
// program called says where it returns to, if it is right above ours.
static const void *place_in_frame(const ompt_frame_t *frame, const void *code)
{
    if (!atomic_load_explicit(&is_code_of_gcc, memory_order_relaxed)) {
        return code;
    }
    const uintptr_t near_frame = 4096, near_code = UINT64_C(1) << 28;
    const void *const *at = frame ? frame->enter_frame.ptr : NULL;
    if ((uintptr_t)at - (uintptr_t)__builtin_frame_address(0) >= near_frame) {
        return code;
    }
    const void *place = at[1];
    return (uintptr_t)place - (uintptr_t)code + near_code < 2 * near_code ? place : code;
}

// ---- parallel regions and implicit tasks

// The helper threads of `target nowait` form a region of their own, forked inside the runtime by an initial task that does nothing else.
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
    code = place_in_frame(frame, code);
    bool is_hidden = construct == OTTER_CONSTRUCT_PARALLEL && is_of_helpers(code);
    keep(parallel,
         is_hidden ? 0 : otter_parallel_begin(construct, requested, runtime_user_code(code)));
}

static void on_parallel_end(ompt_data_t *parallel, ompt_data_t *encountering_task, int flags,
                            const void *code)
{
    otter_parallel_end(value_of(parallel));
}

// The initial task of a thread has a region without a value; the initial tasks of a league's teams have the league's, but for
// a league of one team, which shows the region of before: the core knows what its thread has just forked.
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
    static atomic_flag was_told = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&was_told)) {
        otter_describe("DEPENDENCES", "left out");
        otter_warn(
            "depend clauses of this program are not recorded: LLVM's OpenMP runtime may corrupt its memory when a task with "
            "if(0) depends by mutexinoutset or inoutset; if this program has no such task, set OTTER_DEPENDENCES=on");
    }
}

__attribute__((noinline)) static void create_task(ompt_data_t *encountering_task, ompt_data_t *task,
                                                  int flags, int has_dependences, const void *code)
{
    const struct depend_call *call = has_dependences ? depend_call_current() : NULL;
    code = call ? depend_call_code(call, code) : code;
    if (has_dependences && !atomic_load_explicit(&dependences_are_recorded, memory_order_relaxed)) {
        depend_call_end(); // on_dependences() is not called
        warn_of_dependences();
    }
    if (flags &
        ompt_task_taskwait) { // `taskwait depend`, or what waits before an undeferred task with dependences
        otter_enter(OTTER_CONSTRUCT_TASKWAIT_DEPEND, 0, runtime_user_code(code));
        return;
    }
    if (!task) {
        otter_unbegun(); // nobody would know what begins and ends
        return;
    }
    task->value = otter_task_create(task_at(encountering_task), convert_task_flags(flags),
                                    runtime_user_code(code));
}

static void on_task_create(ompt_data_t *encountering_task, const ompt_frame_t *frame,
                           ompt_data_t *task, int flags, int has_dependences, const void *code)
{
    const int plain = (int)ompt_task_explicit | (int)ompt_task_undeferred; // as most are
    if (!(flags & ompt_task_taskwait)) {
        code = place_in_frame(frame, code);
    }
    if (has_dependences || flags & ~plain || !task) {
        create_task(encountering_task, task, flags, has_dependences, code);
        return;
    }
    task->value = otter_task_create(task_at(encountering_task),
                                    flags & ompt_task_undeferred ? OTTER_TASK_UNDEFERRED : 0U,
                                    runtime_user_code(code));
}

static void on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
    switch (status) {
    case ompt_task_complete:
        otter_task_end(task_at(prior), OTTER_TASK_END_COMPLETE, task_at(next));
        return;
    case ompt_task_cancel:
        otter_task_end(task_at(prior), OTTER_TASK_END_CANCELLED, task_at(next));
        return;
    case ompt_task_detach:
        otter_task_end(task_at(prior), OTTER_TASK_END_DETACHED, task_at(next));
        return;
    case ompt_task_early_fulfill: otter_task_fulfil(task_at(prior), false); return;
    case ompt_task_late_fulfill: otter_task_fulfil(task_at(prior), true); return;
    case ompt_taskwait_complete: otter_leave(OTTER_CONSTRUCT_TASKWAIT_DEPEND); return;
    case ompt_task_yield:
    case ompt_task_switch: break;
    }
    if (next) {
        otter_task_switch(task_at(prior), task_at(next));
    }
}

// LLVM's runtime, where depend_redirect() has failed, writes no kind for omp_all_memory, which has
// no address.
__attribute__((cold)) static enum otter_parameter without_kind(uint64_t address)
{
    static atomic_flag was_told = ATOMIC_FLAG_INIT;
    if (address == 0) {
        return OTTER_PARAMETER_DEPEND_OUT_ALL_MEMORY;
    }
    if (!atomic_flag_test_and_set(&was_told)) {
        otter_describe("DEPENDENCES", "some of unknown kind");
    }
    return OTTER_PARAMETER_DEPEND_UNKNOWN;
}

// Called on the creating thread right after the creation; for source and sink of a doacross loop on the thread that posts or waits, which
// is an event of its own.
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
            otter_unbegun(); // of a task that was never created
        } else {
            otter_parameter(kind, dependences[i].variable.value);
        }
    }
}

// ---- work

// An endpoint may be both: ompt_scope_beginend.
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
    if (begins(endpoint)) {
        begin_work(work, count, code);
    }
    if (ends(endpoint)) {
        otter_leave(work.construct);
    }
}

static void dispatch_chunk(enum otter_parameter parameter, const ompt_dispatch_chunk_t *chunk)
{
    if (chunk) {
        otter_remark(parameter, chunk->start);
        otter_parameter(OTTER_PARAMETER_ITERATIONS, chunk->iterations);
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

static void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                           ompt_data_t *parallel, ompt_data_t *task, const void *code)
{
    struct converted sync = kind == ompt_sync_region_taskwait // the most frequent
                                ? (struct converted){OTTER_CONSTRUCT_TASKWAIT, 0}
                                : convert_sync_region(kind);
    if (begins(endpoint)) {
        otter_enter(sync.construct, sync.detail, runtime_user_code(code));
    }
    if (ends(endpoint)) {
        otter_leave(sync.construct);
    }
}

// Only a taskgroup does something between its beginning and its wait; all others begin both at once.
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

// The kind is always `reduction` here; beginnings come in the midst of barriers.
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

// A nested lock taken again was announced by mutex_acquire; only its release by omp_unset_nest_lock is new.
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
    CALLBACK(task_dependence,
             NULL), // told only while the predecessor is alive; dependences are complete without
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
