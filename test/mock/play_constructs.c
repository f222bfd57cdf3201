// Plays worksharing, synchronisation, mutual exclusion and events of one instant.
#include <string.h>

#include "play.h"

static ompt_scope_endpoint_t endpoint(const struct line *line)
{
    return (ompt_scope_endpoint_t)line_enum(line, 1, WORDS_ENDPOINT);
}

// ---- work

static void play_work(const struct line *line)
{
    ompt_callback_work_t callback = PLAY_CALLBACK(ompt_callback_work);
    if (callback) {
        callback((ompt_work_t)line_enum(line, 2, WORDS_WORK), endpoint(line),
                 play_parallel_data(line, "in"), play_task_data(line, "by"),
                 line_number(line, "count", 0), play_code(line));
    }
}

// Plays a dispatch. A chunk is passed by pointer, everything else by number.
static void play_dispatch(const struct line *line)
{
    ompt_callback_dispatch_t callback = PLAY_CALLBACK(ompt_callback_dispatch);
    uint64_t kind = line_enum(line, 1, WORDS_DISPATCH);
    ompt_dispatch_chunk_t chunk = {.start = line_number(line, "start", 0),
                                   .iterations = line_number(line, "iterations", 0)};
    ompt_data_t instance = {.value = line_number(line, "instance", 0)};
    if (kind >= ompt_dispatch_ws_loop_chunk && !line_has(line, "no_chunk")) {
        instance.ptr = &chunk;
    }
    if (callback) {
        callback(play_parallel_data(line, "in"), play_task_data(line, "by"), (ompt_dispatch_t)kind,
                 instance);
    }
}

static void play_masked(const struct line *line)
{
    ompt_callback_masked_t callback = PLAY_CALLBACK(ompt_callback_masked);
    if (callback) {
        callback(endpoint(line), play_parallel_data(line, "in"), play_task_data(line, "by"),
                 play_code(line));
    }
}

// ---- synchronisation

static void call_sync(const struct line *line, ompt_callbacks_t event)
{
    ompt_callback_sync_region_t callback = (ompt_callback_sync_region_t)mock_callback(event);
    if (callback) {
        callback((ompt_sync_region_t)line_enum(line, 2, WORDS_SYNC), endpoint(line),
                 play_parallel_data(line, "in"), play_task_data(line, "by"), play_code(line));
    }
}

static void play_sync_region(const struct line *line)
{
    call_sync(line, ompt_callback_sync_region);
}

static void play_sync_region_wait(const struct line *line)
{
    call_sync(line, ompt_callback_sync_region_wait);
}

static void play_reduction(const struct line *line)
{
    call_sync(line, ompt_callback_reduction);
}

// Plays sync_region and sync_region_wait together, in the order of runtimes. Taskgroups call them
// separately.
static void play_sync(const struct line *line)
{
    bool is_begin = endpoint(line) == ompt_scope_begin;
    call_sync(line, is_begin ? ompt_callback_sync_region : ompt_callback_sync_region_wait);
    call_sync(line, is_begin ? ompt_callback_sync_region_wait : ompt_callback_sync_region);
}

// ---- mutual exclusion

static ompt_wait_id_t mutex(const struct line *line)
{
    const char *name = line_word(line, 2);
    return script_address(line->script, name ? name : "null");
}

static void call_acquire(const struct line *line, ompt_callbacks_t event)
{
    ompt_callback_mutex_acquire_t callback = (ompt_callback_mutex_acquire_t)mock_callback(event);
    if (callback) {
        callback((ompt_mutex_t)line_enum(line, 1, WORDS_MUTEX), 0, 2, mutex(line), play_code(line));
    }
}

static void call_mutex(const struct line *line, ompt_callbacks_t event)
{
    ompt_callback_mutex_t callback = (ompt_callback_mutex_t)mock_callback(event);
    if (callback) {
        callback((ompt_mutex_t)line_enum(line, 1, WORDS_MUTEX), mutex(line), play_code(line));
    }
}

static void play_mutex_acquire(const struct line *line)
{
    call_acquire(line, ompt_callback_mutex_acquire);
}

static void play_mutex_acquired(const struct line *line)
{
    call_mutex(line, ompt_callback_mutex_acquired);
}

static void play_mutex_released(const struct line *line)
{
    call_mutex(line, ompt_callback_mutex_released);
}

static void play_lock_init(const struct line *line)
{
    call_acquire(line, ompt_callback_lock_init);
}

static void play_lock_destroy(const struct line *line)
{
    call_mutex(line, ompt_callback_lock_destroy);
}

static void play_nest_lock(const struct line *line)
{
    ompt_callback_nest_lock_t callback = PLAY_CALLBACK(ompt_callback_nest_lock);
    if (callback) {
        callback(endpoint(line), mutex(line), play_code(line));
    }
}

// ---- events of one instant

static void play_flush(const struct line *line)
{
    ompt_callback_flush_t callback = PLAY_CALLBACK(ompt_callback_flush);
    if (callback) {
        callback(&mock_thread_self()->data, play_code(line));
    }
}

static void play_cancel(const struct line *line)
{
    ompt_callback_cancel_t callback = PLAY_CALLBACK(ompt_callback_cancel);
    if (callback) {
        callback(play_data(line, 1), (int)line_enum(line, 2, WORDS_CANCEL), play_code(line));
    }
}

static void play_error(const struct line *line)
{
    ompt_callback_error_t callback = PLAY_CALLBACK(ompt_callback_error);
    const char *message = line_value(line, "message", NULL);
    if (callback) {
        callback((ompt_severity_t)line_enum(line, 1, WORDS_SEVERITY), message, mock_length(message),
                 play_code(line));
    }
}

const struct play play_constructs[] = {
    {"work", play_work},
    {"dispatch", play_dispatch},
    {"masked", play_masked},
    {"sync", play_sync},
    {"sync_region", play_sync_region},
    {"sync_region_wait", play_sync_region_wait},
    {"reduction", play_reduction},
    {"mutex_acquire", play_mutex_acquire},
    {"mutex_acquired", play_mutex_acquired},
    {"mutex_released", play_mutex_released},
    {"lock_init", play_lock_init},
    {"lock_destroy", play_lock_destroy},
    {"nest_lock", play_nest_lock},
    {"flush", play_flush},
    {"cancel", play_cancel},
    {"error", play_error},
    {NULL, NULL},
};
