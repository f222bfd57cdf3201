// Plays threads, parallel regions, implicit and explicit tasks.
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "play.h"

static void play_thread_begin(const struct line *line)
{
    ompt_callback_thread_begin_t callback = PLAY_CALLBACK(ompt_callback_thread_begin);
    struct mock_thread *thread = mock_thread_self();
    thread->data.value = 0;
    if (callback) {
        callback((ompt_thread_t)line_enum(line, 1, WORDS_THREAD),
                 line_has(line, "no_data") ? NULL : &thread->data);
    }
}

static void play_thread_end(const struct line *line)
{
    ompt_callback_thread_end_t callback = PLAY_CALLBACK(ompt_callback_thread_end);
    if (callback) {
        callback(line_has(line, "no_data") ? NULL : &mock_thread_self()->data);
    }
}

// ---- parallel regions

// Plays parallel_begin. The tool's data is on the stack until the region has begun, as in LLVM's
// runtime.
static void play_parallel_begin(const struct line *line)
{
    ompt_callback_parallel_begin_t callback = PLAY_CALLBACK(ompt_callback_parallel_begin);
    ompt_frame_t frame = {.exit_frame.value = 0};
    ompt_data_t temporary = {.value = 0}, *parallel = play_data(line, 1);
    if (callback) {
        callback(play_task_data(line, "by"), &frame, parallel ? &temporary : NULL,
                 (unsigned)line_number(line, "requested", 2),
                 (int)line_flags(line, "flags", WORDS_PARALLEL_FLAG,
                                 ompt_parallel_team | ompt_parallel_invoker_runtime),
                 play_code(line));
    }
    if (parallel) {
        *parallel = temporary;
    }
}

static void play_parallel_end(const struct line *line)
{
    ompt_callback_parallel_end_t callback = PLAY_CALLBACK(ompt_callback_parallel_end);
    if (callback) {
        callback(play_data(line, 1), play_task_data(line, "by"),
                 (int)line_flags(line, "flags", WORDS_PARALLEL_FLAG,
                                 ompt_parallel_team | ompt_parallel_invoker_runtime),
                 play_code(line));
    }
}

// A runtime may copy this data to a second variable, which must contain 0. LLVM's runtime aborts
// otherwise.
static void must_be_empty(const struct line *line, const ompt_data_t *data)
{
    if (data && data->value) {
        line_fail(line, "the tool keeps something in an implicit task or a taskwait");
    }
}

static void enter(const struct line *line, ompt_data_t *parallel, ompt_data_t *task)
{
    struct mock_thread *thread = mock_thread_self();
    if (thread->n_frames == MOCK_MAX_FRAMES) {
        line_fail(line, "more than %d tasks in each other", MOCK_MAX_FRAMES);
    }
    thread->frames[thread->n_frames++] =
        (struct mock_frame){.parallel = parallel, .implicit = task, .current = task};
    if (task) {
        task->value = 0;
    }
}

static void leave(void)
{
    struct mock_thread *thread = mock_thread_self();
    thread->n_frames -= thread->n_frames > 0;
}

// Plays implicit_task. At its end, a runtime passes no region.
static void play_implicit_task(const struct line *line)
{
    ompt_callback_implicit_task_t callback = PLAY_CALLBACK(ompt_callback_implicit_task);
    uint64_t endpoint = line_enum(line, 1, WORDS_ENDPOINT);
    ompt_data_t *task = play_data(line, 2);
    ompt_data_t *parallel = script_data(line->script, line_value(line, "in", "null"));
    if (endpoint == ompt_scope_begin) {
        enter(line, parallel, task);
    }
    if (callback) {
        callback((ompt_scope_endpoint_t)endpoint, parallel, task,
                 (unsigned)line_number(line, "size", 0), (unsigned)line_number(line, "index", 0),
                 (int)line_flags(line, "flags", WORDS_TASK_FLAG, ompt_task_implicit));
    }
    must_be_empty(line, task);
    if (endpoint == ompt_scope_end) {
        leave();
    }
}

// ---- explicit tasks

static void play_task_create(const struct line *line)
{
    ompt_callback_task_create_t callback = PLAY_CALLBACK(ompt_callback_task_create);
    ompt_frame_t frame = {.exit_frame.value = 0};
    ompt_data_t *task = play_data(line, 1);
    uint64_t flags = line_flags(line, "flags", WORDS_TASK_FLAG, ompt_task_explicit);
    if (task && !line_has(line, "stale")) {
        task->value = 0;
    }
    if (callback) {
        callback(play_task_data(line, "by"), line_has(line, "no_frame") ? NULL : &frame, task,
                 (int)flags, line_has(line, "depends"), play_code(line));
    }
    if (flags & ompt_task_taskwait) {
        must_be_empty(line, task);
    }
}

static void play_task_schedule(const struct line *line)
{
    ompt_callback_task_schedule_t callback = PLAY_CALLBACK(ompt_callback_task_schedule);
    struct mock_thread *thread = mock_thread_self();
    ompt_data_t *prior = play_data(line, 1), *next = play_data(line, 3);
    if (callback) {
        callback(prior, (ompt_task_status_t)line_enum(line, 2, WORDS_STATUS), next);
    }
    if (next && thread->n_frames > 0) {
        thread->frames[thread->n_frames - 1].current = next;
    }
}

// Splits KIND:VARIABLE. *kind becomes a copy.
static ompt_dependence_t dependence(const struct line *line, const char *text)
{
    char kind[32];
    size_t length = strcspn(text, ":");
    uint64_t number;
    if (length >= sizeof(kind)) {
        line_fail(line, "no dependence: %s", text);
    }
    memcpy(kind, text, length);
    kind[length] = '\0';
    if (!words_find(WORDS_DEPENDENCE, kind, &number)) {
        line_fail(line, "no dependence: %s", text);
    }
    const char *variable = text[length] ? text + length + 1 : "null";
    return (ompt_dependence_t){
        .variable.value = script_address(line->script, variable),
        .dependence_type = (ompt_dependence_type_t)number,
    };
}

static void play_dependences(const struct line *line)
{
    ompt_callback_dependences_t callback = PLAY_CALLBACK(ompt_callback_dependences);
    ompt_dependence_t list[SCRIPT_MAX_WORDS];
    int n = 0;
    for (size_t i = 2; line_word(line, i); i++) {
        list[n++] = dependence(line, line_word(line, i));
    }
    if (callback) {
        callback(play_data(line, 1), n > 0 ? list : NULL, n);
    }
}

static void play_task_dependence(const struct line *line)
{
    ompt_callback_task_dependence_t callback = PLAY_CALLBACK(ompt_callback_task_dependence);
    if (callback) {
        callback(play_data(line, 1), play_data(line, 2));
    }
}

// Sets data to what an earlier task left there and the runtime has not cleared.
static void play_data_is(const struct line *line)
{
    ompt_data_t *data = play_data(line, 1);
    const char *from = line_value(line, "as", NULL);
    data->value = from ? script_data(line->script, from)->value : line_number(line, "value", 0);
}

static void play_finalize(const struct line *line)
{
    mock_finalize();
}

// Ends the process while constructs are open.
static void play_signal(const struct line *line)
{
    raise(SIGUSR1);
}

static void play_exit_process(const struct line *line)
{
    exit((int)line_number(line, "status", 0));
}

const struct play play_tasks[] = {
    {"thread_begin", play_thread_begin},
    {"thread_end", play_thread_end},
    {"parallel_begin", play_parallel_begin},
    {"parallel_end", play_parallel_end},
    {"implicit_task", play_implicit_task},
    {"task_create", play_task_create},
    {"task_schedule", play_task_schedule},
    {"dependences", play_dependences},
    {"task_dependence", play_task_dependence},
    {"data", play_data_is},
    {"finalize", play_finalize},
    {"exit_process", play_exit_process},
    {"signal", play_signal},
    {NULL, NULL},
};
