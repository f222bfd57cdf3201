// Plays the events of devices and the records of their traces.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device.h"
#include "play.h"

static int number_of(const struct line *line)
{
    const char *text = line_word(line, 1);
    if (!text) {
        line_fail(line, "which device?");
    }
    return atoi(text);
}

// ---- events of a device

static void play_initialize(const struct line *line)
{
    ompt_callback_device_initialize_t callback = PLAY_CALLBACK(ompt_callback_device_initialize);
    if (callback) {
        callback(number_of(line), line_value(line, "type", NULL), mock_device(number_of(line)),
                 line_has(line, "no_lookup") ? NULL : mock_device_lookup,
                 line_value(line, "documentation", NULL));
    }
}

// A runtime delivers all remaining records before it finalises a device.
static void play_finalize(const struct line *line)
{
    ompt_callback_device_finalize_t callback = PLAY_CALLBACK(ompt_callback_device_finalize);
    mock_device_hand_over(number_of(line));
    if (callback) {
        callback(number_of(line));
    }
}

static void play_load(const struct line *line)
{
    ompt_callback_device_load_t callback = PLAY_CALLBACK(ompt_callback_device_load);
    if (callback) {
        callback(number_of(line), line_value(line, "file", NULL),
                 (int64_t)line_number(line, "offset", 0), NULL, line_number(line, "bytes", 0), NULL,
                 NULL, line_number(line, "module", 0));
    }
}

static void play_unload(const struct line *line)
{
    ompt_callback_device_unload_t callback = PLAY_CALLBACK(ompt_callback_device_unload);
    if (callback) {
        callback(number_of(line), line_number(line, "module", 0));
    }
}

// Waits until another thread is inside the slow call.
static void play_await(const struct line *line)
{
    enum { MAX_MS = 100000 };
    const struct timespec pause = {.tv_nsec = 1000000};
    for (int i = 0; !mock_device_is_busy(number_of(line)); i++) {
        if (i == MAX_MS) {
            line_fail(line, "nobody asks the device to do anything");
        }
        nanosleep(&pause, NULL);
    }
}

static void play_let_go(const struct line *line)
{
    mock_device_let_go(number_of(line));
}

// ---- time: a name is an instant on a device's clock

static void play_instant(const struct line *line)
{
    uint64_t ns;
    struct timespec pause = {.tv_nsec = (long)line_number(line, "after", 0) * 1000000};
    nanosleep(&pause, NULL);
    play_data(line, 2)->value = mock_device_now(number_of(line), &ns);
    printf("instant %s %" PRIu64 "\n", line_word(line, 2), ns);
}

// Reads NAME, NAME+TICKS, NAME-TICKS or a number.
static uint64_t instant(const struct line *line, const char *key)
{
    const char *text = line_value(line, key, "0");
    char name[64];
    size_t length = strcspn(text, "+-");
    if (text[0] >= '0' && text[0] <= '9') {
        return strtoull(text, NULL, 0);
    }
    snprintf(name, sizeof(name), "%.*s", (int)length, text);
    return script_data(line->script, name)->value + (uint64_t)strtoll(text + length, NULL, 0);
}

// ---- buffers, found by their names

static void play_request(const struct line *line)
{
    struct mock_buffer *buffer = mock_buffer_request(atoi(line_value(line, "device", "0")));
    play_data(line, 1)->ptr = buffer;
    if (buffer) {
        buffer->is_late = line_has(line, "late");
    }
}

static struct mock_buffer *buffer_of(const struct line *line)
{
    struct mock_buffer *buffer = play_data(line, 1)->ptr;
    if (!buffer && !line_has(line, "if_any")) {
        line_fail(line, "the tool has given no buffer");
    }
    return buffer;
}

static void play_complete(const struct line *line)
{
    struct mock_buffer *buffer = buffer_of(line);
    if (!buffer) {
        return;
    }
    char own[16];
    snprintf(own, sizeof(own), "%d", buffer->device);
    int device = atoi(line_value(line, "device", own));
    mock_buffer_complete(buffer, device, line_number(line, "bytes", buffer->used),
                         line_number(line, "cursor", mock_buffer_first(buffer, device)),
                         (int)line_number(line, "owned", 1));
}

// ---- records: record BUFFER ompt EVENT ..., record BUFFER native ..., record BUFFER NUMBER

static ompt_id_t operation(const struct line *line)
{
    const char *text = line_value(line, "operation", "null");
    const ompt_data_t *data = script_data(line->script, text);
    bool is_number = text[0] >= '0' && text[0] <= '9';
    return is_number ? strtoull(text, NULL, 0) : data ? data->value : 0;
}

static ompt_record_target_data_op_t data_op(const struct line *line)
{
    return (ompt_record_target_data_op_t){
        .host_op_id = operation(line),
        .optype = (ompt_target_data_op_t)line_flags(line, "kind", WORDS_DATA_OP, 0),
        .src_addr = (void *)(uintptr_t)line_number(line, "source", 0),
        .src_device_num = atoi(line_value(line, "source_device", "-1")),
        .dest_addr = (void *)(uintptr_t)line_number(line, "destination", 0),
        .dest_device_num = atoi(line_value(line, "destination_device", "-1")),
        .bytes = line_number(line, "bytes", 0),
        .end_time = instant(line, "end"),
        .codeptr_ra = play_code(line),
    };
}

static void fill_ompt(struct mock_record *record, const struct line *line)
{
    record->ompt.type = (ompt_callbacks_t)line_enum(line, 3, WORDS_CALLBACK);
    record->ompt.time = instant(line, "begin");
    record->ompt.target_id = line_number(line, "target", 0);
    if (record->ompt.type == ompt_callback_target_submit ||
        record->ompt.type == ompt_callback_target_submit_emi) {
        record->ompt.record.target_kernel = (ompt_record_target_kernel_t){
            .host_op_id = operation(line),
            .requested_num_teams = (unsigned)line_number(line, "teams", 0),
            .granted_num_teams = (unsigned)line_number(line, "granted", 0),
            .end_time = instant(line, "end"),
        };
    } else {
        record->ompt.record.target_data_op = data_op(line);
    }
}

static void fill_native(struct mock_record *record, const struct line *line)
{
    record->operation = operation(line);
    snprintf(record->text, sizeof(record->text), "%s", line_value(line, "text", "native"));
    record->abstract = (ompt_record_abstract_t){
        .rclass = line_has(line, "info") ? ompt_record_native_info : ompt_record_native_event,
        .start_time = instant(line, "begin"),
        .end_time = instant(line, "end"),
        .hwid = line_number(line, "hwid", 0),
    };
}

static void play_record(const struct line *line)
{
    struct mock_buffer *buffer = buffer_of(line);
    struct mock_record record = {.type = (ompt_record_t)line_enum(line, 2, WORDS_RECORD),
                                 .is_absent = line_has(line, "absent")};
    if (!buffer || !mock_device_is_traced(buffer->device)) {
        return;
    }
    char own[16];
    snprintf(own, sizeof(own), "%d", buffer->device);
    record.device = atoi(line_value(line, "device", own));
    if (record.type == ompt_record_ompt) {
        fill_ompt(&record, line);
    } else if (record.type == ompt_record_native) {
        fill_native(&record, line);
    }
    if (!mock_buffer_add(buffer, &record)) {
        line_fail(line, "the buffer has no room");
    }
}

const struct play play_devices[] = {
    {"device_initialize", play_initialize},
    {"device_finalize", play_finalize},
    {"device_load", play_load},
    {"device_unload", play_unload},
    {"device_await", play_await},
    {"device_let_go", play_let_go},
    {"instant", play_instant},
    {"buffer_request", play_request},
    {"buffer_complete", play_complete},
    {"record", play_record},
    {NULL, NULL},
};
