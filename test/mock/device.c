// The devices of the mock runtime: clocks, the entry points of traces, buffers and their
// records.
#include "device.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static struct device {
    int number;
    struct mock_device_options options;
    ompt_callback_buffer_request_t request;
    ompt_callback_buffer_complete_t complete;
    bool is_traced, is_paused;
    _Atomic long slow;
    atomic_bool is_held;
    uint64_t begin_ns;
} devices[MOCK_MAX_DEVICES];

static struct mock_buffer buffers[MOCK_MAX_BUFFERS];
static size_t n_buffers;

static uint64_t host_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static struct device *device_of(int number)
{
    struct device *device = &devices[number & (MOCK_MAX_DEVICES - 1)];
    if (device->begin_ns == 0) {
        device->begin_ns = host_ns();
        device->options = (struct mock_device_options){.ompt = ompt_set_always,
                                                       .kernels = ompt_set_always,
                                                       .native = ompt_set_always,
                                                       .starts = 1,
                                                       .translates = 1,
                                                       .cursor = 1};
    }
    if (device->number != number) {
        device->number = number; // Written by one thread, before others may call device_at.
    }
    return device;
}

void mock_device_set(int number, struct mock_device_options options)
{
    device_of(number)->options = options;
    atomic_store(&device_of(number)->is_held, options.is_held);
    atomic_store(&device_of(number)->slow, options.slow);
}

struct mock_device_options mock_device_options(int number)
{
    return device_of(number)->options;
}

ompt_device_t *mock_device(int number)
{
    return device_of(number);
}

bool mock_device_is_traced(int number)
{
    const struct device *device = device_of(number);
    return device->is_traced && !device->is_paused;
}

bool mock_device_is_busy(int number)
{
    return atomic_load(&device_of(number)->slow) == 0;
}

void mock_device_let_go(int number)
{
    atomic_store(&device_of(number)->is_held, false);
}

// ---- time

// Returns the ticks per nanosecond.
static double speed(const struct device *device)
{
    double rate = device->options.rate > 0 ? device->options.rate : 1e9;
    return rate / 1e9 * (1 + device->options.drift / 1e6);
}

uint64_t mock_device_now(int number, uint64_t *ns)
{
    const struct device *device = device_of(number);
    *ns = host_ns();
    double ticks = (double)(*ns - device->begin_ns) * speed(device);
    return device->options.offset + (uint64_t)ticks;
}

static ompt_device_time_t get_time(ompt_device_t *user)
{
    const struct device *device = user;
    uint64_t ns;
    return device->options.stands_still ? 1000 : mock_device_now(device->number, &ns);
}

static double runtime_began = -1000; // seconds of CLOCK_MONOTONIC

void mock_set_wtime(double now)
{
    runtime_began = (double)host_ns() / 1e9 - now;
}

double omp_get_wtime(void)
{
    return (double)host_ns() / 1e9 - runtime_began;
}

static double translate_time(ompt_device_t *user, ompt_device_time_t time)
{
    const struct device *device = user;
    double ns = ((double)time - (double)device->options.offset) / speed(device);
    double began = (double)device->begin_ns / 1e9 + device->options.skew / 1e6;
    double zero = device->options.means_monotonic ? 0 : runtime_began;
    return began - zero + ns / 1e9 * device->options.translates;
}

// ---- control

static int get_num_procs(ompt_device_t *user)
{
    return 4;
}

static ompt_set_result_t set_trace_ompt(ompt_device_t *user, unsigned enable, unsigned type)
{
    const struct device *device = user;
    printf("device set_trace_ompt %d %u %u\n", device->number, enable, type);
    bool is_kernels =
        type == ompt_callback_target_submit || type == ompt_callback_target_submit_emi;
    bool is_older = type == ompt_callback_target_submit || type == ompt_callback_target_data_op;
    if (is_older && device->options.has_newer_forms) {
        return ompt_set_never;
    }
    return is_kernels ? device->options.kernels : device->options.ompt;
}

static ompt_set_result_t set_trace_native(ompt_device_t *user, int enable, int flags)
{
    const struct device *device = user;
    printf("device set_trace_native %d %d %d\n", device->number, enable, flags);
    return device->options.native;
}

static void take_long(struct device *device)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    struct timespec pause = {.tv_nsec = atomic_exchange(&device->slow, 0) * 1000000};
    nanosleep(&pause, NULL);
    while (atomic_load(&device->is_held)) {
        nanosleep(&moment, NULL);
    }
}

static int start_trace(ompt_device_t *user, ompt_callback_buffer_request_t request,
                       ompt_callback_buffer_complete_t complete)
{
    struct device *device = user;
    printf("device start_trace %d\n", device->number);
    take_long(device);
    if (!device->options.starts) {
        return 0;
    }
    device->request = request;
    device->complete = complete;
    device->is_traced = true;
    device->is_paused = false;
    return 1;
}

static int pause_trace(ompt_device_t *user, int begin_pause)
{
    struct device *device = user;
    printf("device pause_trace %d %d\n", device->number, begin_pause);
    take_long(device);
    device->is_paused = begin_pause;
    return device->is_traced;
}

static int flush_trace(ompt_device_t *user)
{
    const struct device *device = user;
    printf("device flush_trace %d\n", device->number);
    mock_device_hand_over(device->number);
    return device->is_traced;
}

static int stop_trace(ompt_device_t *user)
{
    struct device *device = user;
    printf("device stop_trace %d\n", device->number);
    bool was_traced = device->is_traced;
    mock_device_hand_over(device->number);
    device->is_traced = false;
    return was_traced;
}

// ---- buffers

struct mock_buffer *mock_buffer_request(int number)
{
    const struct device *device = device_of(number);
    if (!device->is_traced || device->is_paused || n_buffers == MOCK_MAX_BUFFERS) {
        return NULL;
    }
    struct mock_buffer *buffer = &buffers[n_buffers++];
    *buffer = (struct mock_buffer){.device = number};
    device->request(number, &buffer->memory, &buffer->bytes);
    return buffer;
}

bool mock_buffer_add(struct mock_buffer *buffer, const struct mock_record *record)
{
    if (!buffer->memory || buffer->bytes - buffer->used < sizeof(*record)) {
        return false;
    }
    memcpy((char *)buffer->memory + buffer->used, record, sizeof(*record));
    buffer->used += sizeof(*record);
    return true;
}

void mock_buffer_complete(struct mock_buffer *buffer, int number, size_t bytes,
                          ompt_buffer_cursor_t begin, int is_owned)
{
    const struct device *device = device_of(number);
    buffer->is_complete |= is_owned;
    if (device->complete) {
        device->complete(number, buffer->memory, bytes, begin, is_owned);
    }
}

void mock_device_hand_over(int number)
{
    for (size_t i = 0; i < n_buffers; i++) {
        struct mock_buffer *buffer = &buffers[i];
        if (buffer->device == number && !buffer->is_complete && !buffer->is_late) {
            mock_buffer_complete(buffer, number, buffer->used, mock_buffer_first(buffer, number),
                                 1);
        }
    }
}

// ---- records: cursors count from 1, where 0 means none, or from 0

static ompt_buffer_cursor_t first_cursor(const ompt_buffer_t *memory)
{
    for (size_t i = 0; i < n_buffers; i++) {
        if (buffers[i].memory == memory) {
            return device_of(buffers[i].device)->options.cursor;
        }
    }
    return 1;
}

// *Returns* the record at the cursor; NULL: there is none.
static struct mock_record *record_at(ompt_buffer_t *buffer, ompt_buffer_cursor_t cursor)
{
    ompt_buffer_cursor_t first = first_cursor(buffer);
    return cursor < first ? NULL : (struct mock_record *)((char *)buffer + (cursor - first));
}

// Finds the device's first record at or after `cursor`. *Returns* false: there is none.
static bool find(ompt_buffer_t *buffer, size_t bytes, ompt_buffer_cursor_t *cursor, int device)
{
    ompt_buffer_cursor_t first = first_cursor(buffer);
    for (; *cursor - first + sizeof(struct mock_record) <= bytes;
         *cursor += sizeof(struct mock_record)) {
        if (record_at(buffer, *cursor)->device == device) {
            return true;
        }
    }
    return false;
}

ompt_buffer_cursor_t mock_buffer_first(const struct mock_buffer *buffer, int device)
{
    ompt_buffer_cursor_t cursor = device_of(buffer->device)->options.cursor;
    if (buffer->is_complete) {
        return cursor; // the tool owns the buffer again, and may have freed it
    }
    return buffer->memory && find(buffer->memory, buffer->used, &cursor, device) ? cursor : 0;
}

static int advance_cursor(ompt_device_t *user, ompt_buffer_t *buffer, size_t size,
                          ompt_buffer_cursor_t current, ompt_buffer_cursor_t *next)
{
    const struct device *device = user;
    *next = current + sizeof(struct mock_record);
    if (!record_at(buffer, current) || !find(buffer, size, next, device->number)) {
        *next = 0;
    }
    return *next != 0;
}

static ompt_record_t get_record_type(ompt_buffer_t *buffer, ompt_buffer_cursor_t current)
{
    const struct mock_record *record = record_at(buffer, current);
    return record ? record->type : ompt_record_invalid;
}

static ompt_record_ompt_t *get_record_ompt(ompt_buffer_t *buffer, ompt_buffer_cursor_t current)
{
    struct mock_record *record = record_at(buffer, current);
    return record && !record->is_absent ? &record->ompt : NULL;
}

static void *get_record_native(ompt_buffer_t *buffer, ompt_buffer_cursor_t current,
                               ompt_id_t *operation)
{
    struct mock_record *record = record_at(buffer, current);
    if (!record) {
        return NULL;
    }
    *operation = record->operation;
    return record;
}

static ompt_record_abstract_t *get_record_abstract(void *native)
{
    struct mock_record *record = native;
    if (!record || record->is_absent) {
        return NULL;
    }
    record->abstract.type = record->text;
    return &record->abstract;
}

ompt_interface_fn_t mock_device_lookup(const char *name)
{
    static const struct {
        const char *name;
        ompt_interface_fn_t function;
    } entry_points[] = {
        {"ompt_get_device_num_procs", (ompt_interface_fn_t)get_num_procs},
        {"ompt_get_device_time", (ompt_interface_fn_t)get_time},
        {"ompt_translate_time", (ompt_interface_fn_t)translate_time},
        {"ompt_set_trace_ompt", (ompt_interface_fn_t)set_trace_ompt},
        {"ompt_set_trace_native", (ompt_interface_fn_t)set_trace_native},
        {"ompt_start_trace", (ompt_interface_fn_t)start_trace},
        {"ompt_pause_trace", (ompt_interface_fn_t)pause_trace},
        {"ompt_flush_trace", (ompt_interface_fn_t)flush_trace},
        {"ompt_stop_trace", (ompt_interface_fn_t)stop_trace},
        {"ompt_advance_buffer_cursor", (ompt_interface_fn_t)advance_cursor},
        {"ompt_get_record_type", (ompt_interface_fn_t)get_record_type},
        {"ompt_get_record_ompt", (ompt_interface_fn_t)get_record_ompt},
        {"ompt_get_record_native", (ompt_interface_fn_t)get_record_native},
        {"ompt_get_record_abstract", (ompt_interface_fn_t)get_record_abstract},
    };
    for (size_t i = 0; i < sizeof(entry_points) / sizeof(entry_points[0]); i++) {
        if (strcmp(entry_points[i].name, name) == 0) {
            return mock_is_lacking(name) ? NULL : entry_points[i].function;
        }
    }
    return NULL;
}
