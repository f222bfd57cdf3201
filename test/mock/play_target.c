// Plays target constructs and omp_control_tool. A registered newer callback (EMI) replaces the
// older callback, as in runtimes.
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "play.h"

static ompt_scope_endpoint_t endpoint(const struct line *line)
{
    return (ompt_scope_endpoint_t)line_enum(line, 1, WORDS_ENDPOINT);
}

// Returns the runtime's own number of a construct, for the older callbacks.
static ompt_id_t make_id(const struct line *line, const char *name)
{
    return script_address(line->script, name);
}

static int device(const struct line *line, const char *key, const char *otherwise)
{
    return atoi(line_value(line, key, otherwise));
}

static void *address(const struct line *line, const char *key)
{
    return (void *)(uintptr_t)line_number(line, key, 0);
}

// ---- constructs: target ENDPOINT KIND NAME

static void play_target(const struct line *line)
{
    ompt_callback_target_emi_t emi = PLAY_CALLBACK(ompt_callback_target_emi);
    ompt_callback_target_t older = PLAY_CALLBACK(ompt_callback_target);
    ompt_target_t kind = (ompt_target_t)line_enum(line, 2, WORDS_TARGET);
    ompt_data_t *target = play_data(line, 3);
    int number = device(line, "device", "0");
    if (emi) {
        ompt_data_t *task = script_data(line->script, line_value(line, "task", "null"));
        emi(kind, endpoint(line), number, play_task_data(line, "by"), task, target,
            play_code(line));
    } else if (older) {
        older(kind, endpoint(line), number, play_task_data(line, "by"),
              make_id(line, line_word(line, 3)), play_code(line));
    }
}

// ---- operations on data: target_data_op ENDPOINT KIND NAME

static void play_data_op(const struct line *line)
{
    ompt_callback_target_data_op_emi_t emi = PLAY_CALLBACK(ompt_callback_target_data_op_emi);
    ompt_callback_target_data_op_t older = PLAY_CALLBACK(ompt_callback_target_data_op);
    ompt_target_data_op_t kind = (ompt_target_data_op_t)line_enum(line, 2, WORDS_DATA_OP);
    const char *target = line_value(line, "target", "null");
    ompt_data_t *operation = play_data(line, 3);
    int from = device(line, "source_device", "-1"), to = device(line, "destination_device", "-1");
    size_t bytes = line_number(line, "bytes", 0);
    if (emi) {
        ompt_data_t *task = script_data(line->script, line_value(line, "task", "null"));
        emi(endpoint(line), task, script_data(line->script, target),
            operation ? &operation->value : NULL, kind, address(line, "source"), from,
            address(line, "destination"), to, bytes, play_code(line));
    } else if (older && endpoint(line) != ompt_scope_end) {
        ompt_id_t id = make_id(line, line_word(line, 3));
        older(make_id(line, target), id, kind, address(line, "source"), from,
              address(line, "destination"), to, bytes, play_code(line));
        if (operation) {
            operation->value = id;
        }
    }
}

// ---- kernels: target_submit ENDPOINT NAME

static void play_submit(const struct line *line)
{
    ompt_callback_target_submit_emi_t emi = PLAY_CALLBACK(ompt_callback_target_submit_emi);
    ompt_callback_target_submit_t older = PLAY_CALLBACK(ompt_callback_target_submit);
    const char *target = line_value(line, "target", "null");
    ompt_data_t *operation = play_data(line, 2);
    unsigned teams = (unsigned)line_number(line, "teams", 0);
    if (emi) {
        emi(endpoint(line), script_data(line->script, target), operation ? &operation->value : NULL,
            teams);
    } else if (older && endpoint(line) != ompt_scope_end) {
        ompt_id_t id = make_id(line, line_word(line, 2));
        older(make_id(line, target), id, teams);
        if (operation) {
            operation->value = id;
        }
    }
}

// ---- maps: target_map TARGET HOST:DEVICE:BYTES:FLAGS...

struct mapping {
    void *host[SCRIPT_MAX_WORDS], *device[SCRIPT_MAX_WORDS];
    size_t bytes[SCRIPT_MAX_WORDS];
    unsigned flags[SCRIPT_MAX_WORDS];
    unsigned n;
};

static void add_item(struct mapping *mapping, const struct line *line, const char *text)
{
    char copy[128], *rest = NULL;
    snprintf(copy, sizeof(copy), "%s", text);
    const char *host = strtok_r(copy, ":", &rest), *place = strtok_r(NULL, ":", &rest);
    const char *bytes = strtok_r(NULL, ":", &rest), *flags = strtok_r(NULL, ":", &rest);
    uint64_t number;
    if (!flags || !words_find(WORDS_MAP_FLAG, flags, &number)) {
        line_fail(line, "no item: %s", text);
    }
    mapping->host[mapping->n] = (void *)(uintptr_t)strtoull(host, NULL, 0);
    mapping->device[mapping->n] = (void *)(uintptr_t)strtoull(place, NULL, 0);
    mapping->bytes[mapping->n] = strtoull(bytes, NULL, 0);
    mapping->flags[mapping->n++] = (unsigned)number;
}

static void play_map(const struct line *line)
{
    ompt_callback_target_map_emi_t emi = PLAY_CALLBACK(ompt_callback_target_map_emi);
    ompt_callback_target_map_t older = PLAY_CALLBACK(ompt_callback_target_map);
    struct mapping mapping = {.n = 0};
    bool has_arrays = !line_has(line, "no_arrays");
    for (size_t i = 2; line_word(line, i) && has_arrays; i++) {
        add_item(&mapping, line, line_word(line, i));
    }
    unsigned n = has_arrays ? mapping.n : (unsigned)line_number(line, "items", 0);
    void **host = has_arrays ? mapping.host : NULL, **place = has_arrays ? mapping.device : NULL;
    size_t *bytes = has_arrays ? mapping.bytes : NULL;
    unsigned *flags = has_arrays ? mapping.flags : NULL;
    if (emi) {
        emi(play_data(line, 1), n, host, place, bytes, flags, play_code(line));
    } else if (older) {
        older(make_id(line, line_word(line, 1)), n, host, place, bytes, flags, play_code(line));
    }
}

// ---- omp_control_tool: control_tool COMMAND [modifier=N] [arg=TEXT] [result=N]

// Plays omp_control_tool. Without a callback, the runtime answers -1.
static void play_control_tool(const struct line *line)
{
    ompt_callback_control_tool_t callback = PLAY_CALLBACK(ompt_callback_control_tool);
    const char *text = line_value(line, "arg", NULL), *wanted = line_value(line, "result", "0");
    char arg[128];
    int result = -1;
    snprintf(arg, sizeof(arg), "%s", text ? text : "");
    if (callback) {
        result = callback(line_enum(line, 1, WORDS_COMMAND), line_number(line, "modifier", 0),
                          text ? arg : NULL, play_code(line));
    }
    if (result != atoi(wanted)) {
        line_fail(line, "the tool answers %d", result);
    }
}

static int count_files(const char *pattern)
{
    glob_t found;
    int n = glob(pattern, 0, NULL, &found) == 0 ? (int)found.gl_pathc : 0;
    globfree(&found);
    return n;
}

// Compares the number of archives: archives complete=N recording=N
static void play_archives(const struct line *line)
{
    int n_recording = count_files("*.recording"), n_complete = count_files("*/traces.otf2");
    if (n_complete != atoi(line_value(line, "complete", "0")) ||
        n_recording != atoi(line_value(line, "recording", "0"))) {
        line_fail(line, "%d archives are complete, %d are recorded", n_complete, n_recording);
    }
}

const struct play play_targets[] = {
    {"target", play_target},
    {"target_data_op", play_data_op},
    {"target_submit", play_submit},
    {"target_map", play_map},
    {"control_tool", play_control_tool},
    {"archives", play_archives},
    {NULL, NULL},
};
