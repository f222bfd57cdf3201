// Converts the OMPT enums to the enums of otter/event.h. A value newer than this build becomes
// the UNKNOWN of its group, with the number as detail.
#pragma once

#include <omp-tools.h>

#include "otter/event.h"

struct converted {
    enum otter_construct construct;
    uint32_t detail;
};

struct converted convert_work(ompt_work_t kind);
struct converted convert_sync_region(ompt_sync_region_t kind);
struct converted convert_mutex(ompt_mutex_t kind);
struct converted convert_target(ompt_target_t kind);
struct converted convert_data_op(ompt_target_data_op_t kind);
unsigned convert_task_flags(int flags);
enum otter_parameter convert_dependence(ompt_dependence_type_t kind);
enum otter_thread_kind convert_thread(ompt_thread_t kind);
const char *convert_set_result(ompt_set_result_t result);
