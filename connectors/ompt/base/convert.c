// Converts each OMPT enum in one switch. Quirk 'old headers'.
#include "convert.h"

static struct converted as(enum otter_construct construct, uint32_t detail)
{
    return (struct converted){construct, detail};
}

struct converted convert_work(ompt_work_t kind)
{
    switch (kind) {
    case ompt_work_loop: return as(OTTER_CONSTRUCT_LOOP, OTTER_LOOP_UNKNOWN);
    case ompt_work_loop_static: return as(OTTER_CONSTRUCT_LOOP, OTTER_LOOP_STATIC);
    case ompt_work_loop_dynamic: return as(OTTER_CONSTRUCT_LOOP, OTTER_LOOP_DYNAMIC);
    case ompt_work_loop_guided: return as(OTTER_CONSTRUCT_LOOP, OTTER_LOOP_GUIDED);
    case ompt_work_loop_other: return as(OTTER_CONSTRUCT_LOOP, OTTER_LOOP_OTHER);
    case ompt_work_sections: return as(OTTER_CONSTRUCT_SECTIONS, 0);
    case ompt_work_single_executor: return as(OTTER_CONSTRUCT_SINGLE, 0);
    case ompt_work_single_other: return as(OTTER_CONSTRUCT_SINGLE_OTHER, 0);
    case ompt_work_workshare: return as(OTTER_CONSTRUCT_WORKSHARE, 0);
    case ompt_work_distribute: return as(OTTER_CONSTRUCT_DISTRIBUTE, 0);
    case ompt_work_taskloop: return as(OTTER_CONSTRUCT_TASKLOOP, 0);
    case ompt_work_scope: return as(OTTER_CONSTRUCT_SCOPE, 0);
    }
    return as(OTTER_CONSTRUCT_WORK_UNKNOWN, (uint32_t)kind);
}

struct converted convert_sync_region(ompt_sync_region_t kind)
{
    switch ((unsigned)kind) { // numbers: some headers deprecate the names of the first two
    case 1: return as(OTTER_CONSTRUCT_BARRIER, 0);
    case 2: return as(OTTER_CONSTRUCT_BARRIER_IMPLICIT, 0);
    case ompt_sync_region_barrier_explicit: return as(OTTER_CONSTRUCT_BARRIER_EXPLICIT, 0);
    case ompt_sync_region_barrier_implementation:
        return as(OTTER_CONSTRUCT_BARRIER_IMPLEMENTATION, 0);
    case ompt_sync_region_taskwait: return as(OTTER_CONSTRUCT_TASKWAIT, 0);
    case ompt_sync_region_taskgroup: return as(OTTER_CONSTRUCT_TASKGROUP, 0);
    case ompt_sync_region_reduction: return as(OTTER_CONSTRUCT_REDUCTION, 0);
    case ompt_sync_region_barrier_implicit_workshare:
        return as(OTTER_CONSTRUCT_BARRIER_WORKSHARE, 0);
    case ompt_sync_region_barrier_implicit_parallel: return as(OTTER_CONSTRUCT_BARRIER_PARALLEL, 0);
    case ompt_sync_region_barrier_teams: return as(OTTER_CONSTRUCT_BARRIER_TEAMS, 0);
    default: return as(OTTER_CONSTRUCT_SYNC_UNKNOWN, (uint32_t)kind);
    }
}

struct converted convert_mutex(ompt_mutex_t kind)
{
    switch (kind) {
    case ompt_mutex_lock: return as(OTTER_CONSTRUCT_SET_LOCK, 0);
    case ompt_mutex_test_lock: return as(OTTER_CONSTRUCT_TEST_LOCK, 0);
    case ompt_mutex_nest_lock: return as(OTTER_CONSTRUCT_SET_NEST_LOCK, 0);
    case ompt_mutex_test_nest_lock: return as(OTTER_CONSTRUCT_TEST_NEST_LOCK, 0);
    case ompt_mutex_critical: return as(OTTER_CONSTRUCT_CRITICAL, 0);
    case ompt_mutex_atomic: return as(OTTER_CONSTRUCT_ATOMIC, 0);
    case ompt_mutex_ordered: return as(OTTER_CONSTRUCT_ORDERED, 0);
    }
    return as(OTTER_CONSTRUCT_MUTEX_UNKNOWN, (uint32_t)kind);
}

struct converted convert_target(ompt_target_t kind)
{
    switch (kind) {
    case ompt_target: return as(OTTER_CONSTRUCT_TARGET, 0);
    case ompt_target_enter_data: return as(OTTER_CONSTRUCT_TARGET_ENTER_DATA, 0);
    case ompt_target_exit_data: return as(OTTER_CONSTRUCT_TARGET_EXIT_DATA, 0);
    case ompt_target_update: return as(OTTER_CONSTRUCT_TARGET_UPDATE, 0);
    case ompt_target_nowait: return as(OTTER_CONSTRUCT_TARGET, OTTER_TARGET_NOWAIT);
    case ompt_target_enter_data_nowait:
        return as(OTTER_CONSTRUCT_TARGET_ENTER_DATA, OTTER_TARGET_NOWAIT);
    case ompt_target_exit_data_nowait:
        return as(OTTER_CONSTRUCT_TARGET_EXIT_DATA, OTTER_TARGET_NOWAIT);
    case ompt_target_update_nowait: return as(OTTER_CONSTRUCT_TARGET_UPDATE, OTTER_TARGET_NOWAIT);
    }
    return as(OTTER_CONSTRUCT_TARGET_UNKNOWN, (uint32_t)kind);
}

struct converted convert_data_op(ompt_target_data_op_t kind)
{
    switch ((unsigned)kind) { // numbers: the headers of LLVM 14 lack the asynchronous ones
    case 1: return as(OTTER_CONSTRUCT_DEVICE_ALLOCATE, 0);
    case 2: return as(OTTER_CONSTRUCT_TRANSFER_TO_DEVICE, 0);
    case 3: return as(OTTER_CONSTRUCT_TRANSFER_FROM_DEVICE, 0);
    case 4: return as(OTTER_CONSTRUCT_DEVICE_DELETE, 0);
    case 5: return as(OTTER_CONSTRUCT_DEVICE_ASSOCIATE, 0);
    case 6: return as(OTTER_CONSTRUCT_DEVICE_DISASSOCIATE, 0);
    case 17: return as(OTTER_CONSTRUCT_DEVICE_ALLOCATE, OTTER_TARGET_NOWAIT);
    case 18: return as(OTTER_CONSTRUCT_TRANSFER_TO_DEVICE, OTTER_TARGET_NOWAIT);
    case 19: return as(OTTER_CONSTRUCT_TRANSFER_FROM_DEVICE, OTTER_TARGET_NOWAIT);
    case 20: return as(OTTER_CONSTRUCT_DEVICE_DELETE, OTTER_TARGET_NOWAIT);
    default: return as(OTTER_CONSTRUCT_DATA_OP_UNKNOWN, (uint32_t)kind);
    }
}

unsigned convert_task_flags(int flags)
{
    unsigned bits = (unsigned)flags;
    return (bits & ompt_task_undeferred ? OTTER_TASK_UNDEFERRED : 0U) |
           (bits & ompt_task_untied ? OTTER_TASK_UNTIED : 0U) |
           (bits & ompt_task_final ? OTTER_TASK_FINAL : 0U) |
           (bits & ompt_task_mergeable ? OTTER_TASK_MERGEABLE : 0U) |
           (bits & (unsigned)ompt_task_merged ? OTTER_TASK_MERGED : 0U) |
           (bits & ompt_task_target ? OTTER_TASK_TARGET : 0U);
}

enum otter_parameter convert_dependence(ompt_dependence_type_t kind)
{
    switch ((unsigned)kind) {
    case ompt_dependence_type_in: return OTTER_PARAMETER_DEPEND_IN;
    case ompt_dependence_type_out: return OTTER_PARAMETER_DEPEND_OUT;
    case ompt_dependence_type_inout: return OTTER_PARAMETER_DEPEND_INOUT;
    case ompt_dependence_type_mutexinoutset: return OTTER_PARAMETER_DEPEND_MUTEXINOUTSET;
    case ompt_dependence_type_source: return OTTER_PARAMETER_DEPEND_SOURCE;
    case ompt_dependence_type_sink: return OTTER_PARAMETER_DEPEND_SINK;
    case ompt_dependence_type_inoutset: return OTTER_PARAMETER_DEPEND_INOUTSET;
    case 34: return OTTER_PARAMETER_DEPEND_OUT_ALL_MEMORY; // not in the headers of LLVM 14
    case 35: return OTTER_PARAMETER_DEPEND_INOUT_ALL_MEMORY;
    default: return OTTER_PARAMETER_DEPEND_UNKNOWN;
    }
}

enum otter_thread_kind convert_thread(ompt_thread_t kind)
{
    switch (kind) {
    case ompt_thread_initial: return OTTER_THREAD_INITIAL;
    case ompt_thread_worker: return OTTER_THREAD_WORKER;
    case ompt_thread_other: return OTTER_THREAD_OTHER;
    case ompt_thread_unknown: return OTTER_THREAD_UNKNOWN;
    }
    return OTTER_THREAD_UNKNOWN;
}

const char *convert_set_result(ompt_set_result_t result)
{
    switch (result) {
    case ompt_set_error: return "error";
    case ompt_set_never: return "never";
    case ompt_set_impossible: return "impossible";
    case ompt_set_sometimes: return "sometimes";
    case ompt_set_sometimes_paired: return "sometimes paired";
    case ompt_set_always: return "always";
    }
    return "unknown";
}
