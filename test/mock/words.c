// The words for OMPT's enums, in tables.
#include "words.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <omp-tools.h>

struct word {
    const char *text;
    uint64_t number;
};

#define CALLBACK(event, type, id) {#event, id},
static const struct word callbacks[] = {FOREACH_OMPT_EVENT(CALLBACK){NULL, 0}};

static const struct word results[] = {
    {"error", ompt_set_error},
    {"never", ompt_set_never},
    {"impossible", ompt_set_impossible},
    {"sometimes", ompt_set_sometimes},
    {"sometimes_paired", ompt_set_sometimes_paired},
    {"always", ompt_set_always},
    {NULL, 0},
};

static const struct word endpoints[] = {
    {"begin", ompt_scope_begin},
    {"end", ompt_scope_end},
    {"beginend", ompt_scope_beginend},
    {NULL, 0},
};

static const struct word threads[] = {
    {"initial", ompt_thread_initial},
    {"worker", ompt_thread_worker},
    {"other", ompt_thread_other},
    {"unknown", ompt_thread_unknown},
    {NULL, 0},
};

static const struct word parallel_flags[] = {
    {"program", ompt_parallel_invoker_program},
    {"runtime", ompt_parallel_invoker_runtime},
    {"league", ompt_parallel_league},
    {"team", ompt_parallel_team},
    {NULL, 0},
};

static const struct word task_flags[] = {
    {"initial", ompt_task_initial},
    {"implicit", ompt_task_implicit},
    {"explicit", ompt_task_explicit},
    {"target", ompt_task_target},
    {"taskwait", ompt_task_taskwait},
    {"undeferred", ompt_task_undeferred},
    {"untied", ompt_task_untied},
    {"final", ompt_task_final},
    {"mergeable", ompt_task_mergeable},
    {"merged", 0x80000000},
    {NULL, 0},
};

static const struct word statuses[] = {
    {"complete", ompt_task_complete},
    {"yield", ompt_task_yield},
    {"cancel", ompt_task_cancel},
    {"detach", ompt_task_detach},
    {"early_fulfill", ompt_task_early_fulfill},
    {"late_fulfill", ompt_task_late_fulfill},
    {"switch", ompt_task_switch},
    {"taskwait_complete", ompt_taskwait_complete},
    {NULL, 0},
};

static const struct word syncs[] = {
    {"barrier", 1}, // this name and the next are deprecated
    {"barrier_implicit", 2},
    {"barrier_explicit", ompt_sync_region_barrier_explicit},
    {"barrier_implementation", ompt_sync_region_barrier_implementation},
    {"taskwait", ompt_sync_region_taskwait},
    {"taskgroup", ompt_sync_region_taskgroup},
    {"reduction", ompt_sync_region_reduction},
    {"barrier_implicit_workshare", ompt_sync_region_barrier_implicit_workshare},
    {"barrier_implicit_parallel", ompt_sync_region_barrier_implicit_parallel},
    {"barrier_teams", ompt_sync_region_barrier_teams},
    {NULL, 0},
};

static const struct word works[] = {
    {"loop", ompt_work_loop},
    {"sections", ompt_work_sections},
    {"single_executor", ompt_work_single_executor},
    {"single_other", ompt_work_single_other},
    {"workshare", ompt_work_workshare},
    {"distribute", ompt_work_distribute},
    {"taskloop", ompt_work_taskloop},
    {"scope", ompt_work_scope},
    {"loop_static", ompt_work_loop_static},
    {"loop_dynamic", ompt_work_loop_dynamic},
    {"loop_guided", ompt_work_loop_guided},
    {"loop_other", ompt_work_loop_other},
    {NULL, 0},
};

static const struct word dispatches[] = {
    {"iteration", ompt_dispatch_iteration},
    {"section", ompt_dispatch_section},
    {"ws_loop_chunk", ompt_dispatch_ws_loop_chunk},
    {"taskloop_chunk", ompt_dispatch_taskloop_chunk},
    {"distribute_chunk", ompt_dispatch_distribute_chunk},
    {NULL, 0},
};

static const struct word mutexes[] = {
    {"lock", ompt_mutex_lock},           {"test_lock", ompt_mutex_test_lock},
    {"nest_lock", ompt_mutex_nest_lock}, {"test_nest_lock", ompt_mutex_test_nest_lock},
    {"critical", ompt_mutex_critical},   {"atomic", ompt_mutex_atomic},
    {"ordered", ompt_mutex_ordered},     {NULL, 0},
};

static const struct word dependences[] = {
    {"in", ompt_dependence_type_in},
    {"out", ompt_dependence_type_out},
    {"inout", ompt_dependence_type_inout},
    {"mutexinoutset", ompt_dependence_type_mutexinoutset},
    {"source", ompt_dependence_type_source},
    {"sink", ompt_dependence_type_sink},
    {"inoutset", ompt_dependence_type_inoutset},
    {"out_all_memory", ompt_dependence_type_out_all_memory},
    {"inout_all_memory", ompt_dependence_type_inout_all_memory},
    {NULL, 0},
};

static const struct word cancels[] = {
    {"parallel", ompt_cancel_parallel},
    {"sections", ompt_cancel_sections},
    {"loop", ompt_cancel_loop},
    {"taskgroup", ompt_cancel_taskgroup},
    {"activated", ompt_cancel_activated},
    {"detected", ompt_cancel_detected},
    {"discarded_task", ompt_cancel_discarded_task},
    {NULL, 0},
};

static const struct word severities[] = {
    {"warning", ompt_warning},
    {"fatal", ompt_fatal},
    {NULL, 0},
};

static const struct word targets[] = {
    {"target", ompt_target},
    {"enter_data", ompt_target_enter_data},
    {"exit_data", ompt_target_exit_data},
    {"update", ompt_target_update},
    {"target_nowait", ompt_target_nowait},
    {"enter_data_nowait", ompt_target_enter_data_nowait},
    {"exit_data_nowait", ompt_target_exit_data_nowait},
    {"update_nowait", ompt_target_update_nowait},
    {NULL, 0},
};

static const struct word data_ops[] = {
    {"alloc", ompt_target_data_alloc},
    {"to_device", ompt_target_data_transfer_to_device},
    {"from_device", ompt_target_data_transfer_from_device},
    {"delete", ompt_target_data_delete},
    {"associate", ompt_target_data_associate},
    {"disassociate", ompt_target_data_disassociate},
    {"alloc_async", ompt_target_data_alloc_async},
    {"to_device_async", ompt_target_data_transfer_to_device_async},
    {"from_device_async", ompt_target_data_transfer_from_device_async},
    {"delete_async", ompt_target_data_delete_async},
    {NULL, 0},
};

static const struct word map_flags[] = {
    {"to", ompt_target_map_flag_to},
    {"from", ompt_target_map_flag_from},
    {"alloc", ompt_target_map_flag_alloc},
    {"release", ompt_target_map_flag_release},
    {"delete", ompt_target_map_flag_delete},
    {"implicit", ompt_target_map_flag_implicit},
    {NULL, 0},
};

static const struct word records[] = {
    {"ompt", ompt_record_ompt},
    {"native", ompt_record_native},
    {"invalid", ompt_record_invalid},
    {NULL, 0},
};

static const struct word commands[] = {
    {"start", 1}, // omp_control_tool_t of omp.h, and Otter's own commands
    {"pause", 2},      {"flush", 3}, {"end", 4},    {"phase_begin", 64},
    {"phase_end", 65}, {"mark", 66}, {"query", 67}, {NULL, 0},
};

static const struct {
    const char *name;
    const struct word *words;
} groups[WORDS_N_GROUPS] = {
    [WORDS_CALLBACK] = {"callback", callbacks},
    [WORDS_RESULT] = {"result", results},
    [WORDS_ENDPOINT] = {"endpoint", endpoints},
    [WORDS_THREAD] = {"thread", threads},
    [WORDS_PARALLEL_FLAG] = {"parallel_flag", parallel_flags},
    [WORDS_TASK_FLAG] = {"task_flag", task_flags},
    [WORDS_STATUS] = {"status", statuses},
    [WORDS_SYNC] = {"sync", syncs},
    [WORDS_WORK] = {"work", works},
    [WORDS_DISPATCH] = {"dispatch", dispatches},
    [WORDS_MUTEX] = {"mutex", mutexes},
    [WORDS_DEPENDENCE] = {"dependence", dependences},
    [WORDS_CANCEL] = {"cancel", cancels},
    [WORDS_SEVERITY] = {"severity", severities},
    [WORDS_TARGET] = {"target", targets},
    [WORDS_DATA_OP] = {"data_op", data_ops},
    [WORDS_MAP_FLAG] = {"map_flag", map_flags},
    [WORDS_RECORD] = {"record", records},
    [WORDS_COMMAND] = {"command", commands},
};

// Returns a word without the prefix that its group has in omp-tools.h.
static const char *text_of(enum words group, const struct word *word)
{
    return group == WORDS_CALLBACK ? word->text + strlen("ompt_callback_") : word->text;
}

static bool find_one(enum words group, const char *text, size_t length, uint64_t *number)
{
    char *end;
    *number = strtoull(text, &end, 0);
    if (end == text + length) {
        return true;
    }
    for (const struct word *word = groups[group].words; word->text; word++) {
        const char *known = text_of(group, word);
        if (strlen(known) == length && memcmp(known, text, length) == 0) {
            *number = word->number;
            return true;
        }
    }
    return false;
}

bool words_find(enum words group, const char *text, uint64_t *number)
{
    *number = 0;
    for (;;) {
        size_t length = strcspn(text, "|");
        uint64_t one;
        if (length == 0 || !find_one(group, text, length, &one)) {
            return false;
        }
        *number |= one;
        if (!text[length]) {
            return true;
        }
        text += length + 1;
    }
}

const char *words_at(enum words group, size_t index)
{
    const struct word *word = &groups[group].words[index];
    return word->text ? text_of(group, word) : NULL;
}

const char *words_group(enum words group)
{
    return groups[group].name;
}
