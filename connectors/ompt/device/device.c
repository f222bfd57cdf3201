// Starts, pauses and stops the traces of devices together with the recording.
#include "device.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "device_trace.h"
#include "ompt/base/convert.h"
#include "otter/record.h"

enum { MAX_DEVICES = 64, MAX_BUFFERS = 64, BUFFER_SIZE = 256 * 1024 };

// The state of a device. The thread that sets DEVICE_CHANGING makes the change, so no change is
// made twice.
enum {
    DEVICE_FREE = 0, // an unused entry of the table
    DEVICE_FINISHED, // buffers with its records may still arrive
    DEVICE_CLAIMED,  // a thread is about to fill in the entry
    DEVICE_CHANGING, // in this and all later states the device exists
    DEVICE_MUTE,     // the device cannot trace
    DEVICE_STOPPED,
    DEVICE_TRACING,
    DEVICE_PAUSED,
};

static struct device devices[MAX_DEVICES];
static _Atomic(void *) buffers[MAX_BUFFERS]; // buffers that the runtime owns
static _Atomic bool is_pause_wanted, is_end_wanted, is_over;

static bool change(struct device *device, int from, int to)
{
    return atomic_compare_exchange_strong(&device->state, &from, to);
}

// *Returns* the device with this number, otherwise a finished one with this number, otherwise NULL.
static struct device *find(int number)
{
    struct device *finished = NULL;
    for (size_t i = 0; i < MAX_DEVICES; i++) {
        int state = atomic_load(&devices[i].state);
        if (state == DEVICE_FREE || state == DEVICE_CLAIMED || devices[i].number != number) {
            continue;
        }
        if (state != DEVICE_FINISHED) {
            return &devices[i];
        }
        finished = &devices[i];
    }
    return finished;
}

// ---- buffers

static bool register_buffer(void *buffer)
{
    for (size_t i = 0; i < MAX_BUFFERS; i++) {
        void *none = NULL;
        if (atomic_compare_exchange_strong(&buffers[i], &none, buffer)) {
            return true;
        }
    }
    return false;
}

// Without a buffer, the device traces nothing until it is started again.
static void on_request(int number, ompt_buffer_t **buffer, size_t *bytes)
{
    static atomic_flag was_warned = ATOMIC_FLAG_INIT;
    *buffer = atomic_load(&is_over) ? NULL : malloc(BUFFER_SIZE);
    *bytes = BUFFER_SIZE;
    if (*buffer && register_buffer(*buffer)) {
        return;
    }
    free(*buffer);
    *buffer = NULL;
    *bytes = 0;
    if (!atomic_load(&is_over) && !atomic_flag_test_and_set(&was_warned)) {
        otter_warn("out of memory for the trace of device %d: the trace stops here", number);
    }
}

static void release_buffer(void *buffer)
{
    for (size_t i = 0; i < MAX_BUFFERS; i++) {
        void *expected = buffer;
        if (atomic_compare_exchange_strong(&buffers[i], &expected, NULL)) {
            free(buffer);
            return;
        }
    }
}

// The runtime calls this on any thread, even after the end of the recording. Devices may share a
// buffer, which one of them owns. A buffer may also be empty.
static void on_complete(int number, ompt_buffer_t *buffer, size_t bytes, ompt_buffer_cursor_t begin,
                        int is_owned)
{
    const struct device *device = atomic_load(&is_over) ? NULL : find(number);
    if (device && buffer && bytes > 0) {
        device_record_buffer(device, buffer, bytes, begin);
    }
    if (buffer && is_owned == 1) {
        release_buffer(buffer);
    }
}

// ---- tracing

// Writes a property of the archive once: a request to the device, and its answer.
static void describe(const struct device *device, const char *what, const char *answer)
{
    char name[64];
    snprintf(name, sizeof(name), "DEVICE_TRACE::%d::%s", device->number, what);
    if (device->number >= 0 && !device->is_described) { // a minus sign is not valid in the name
        otter_describe(name, answer);
    }
}

// For the records of a callback, runtimes use the number of either its older or its newer form.
static bool is_granted(const struct device *device, const char *what, ompt_callbacks_t older,
                       ompt_callbacks_t newer)
{
    ompt_set_trace_ompt_t set = device->call.set_trace_ompt;
    ompt_set_result_t result = set ? set(device->handle, 1, older) : ompt_set_never;
    if (set && result < ompt_set_sometimes) {
        result = set(device->handle, 1, newer);
    }
    describe(device, what, convert_set_result(result));
    return result >= ompt_set_sometimes;
}

// Requests native records only if there are no OMPT records, since both describe the same
// operations.
static bool choose_records(const struct device *device)
{
    enum { DATA_MOTION = 0x03, KERNEL_EXECUTION = 0x08 };
    const struct device_functions *call = &device->call;
    bool has_data = is_granted(device, "TARGET_DATA_OP", ompt_callback_target_data_op,
                               ompt_callback_target_data_op_emi);
    bool has_kernels = is_granted(device, "TARGET_SUBMIT", ompt_callback_target_submit,
                                  ompt_callback_target_submit_emi);
    int missing = (has_data ? 0 : DATA_MOTION) | (has_kernels ? 0 : KERNEL_EXECUTION);
    ompt_set_result_t native = ompt_set_never;
    if (missing && call->set_trace_native && call->get_native && call->get_abstract) {
        native = call->set_trace_native(device->handle, 1, missing);
    }
    if (missing) {
        describe(device, "NATIVE", convert_set_result(native));
    }
    return has_data || has_kernels || native >= ompt_set_sometimes;
}

static bool start_trace(struct device *device)
{
    static atomic_flag was_warned = ATOMIC_FLAG_INIT;
    bool has_records = choose_records(device);
    bool is_started = has_records && device->call.start(device->handle, on_request, on_complete);
    describe(device, "START", is_started ? "done" : "refused");
    device->is_described = true;
    if (has_records && !is_started && !atomic_flag_test_and_set(&was_warned)) {
        otter_warn("device %d cannot start its trace: its operations are not recorded",
                   device->number);
    }
    return is_started;
}

// *Returns* the state that the device should have; `state` is its current one.
static int wanted_state(const struct device *device, int state)
{
    if (atomic_load(&device->is_finalized)) {
        return DEVICE_FINISHED;
    }
    if (state == DEVICE_MUTE) {
        return DEVICE_MUTE;
    }
    if (atomic_load(&is_end_wanted)) {
        return DEVICE_STOPPED;
    }
    if (!atomic_load(&is_pause_wanted)) {
        return DEVICE_TRACING;
    }
    return state != DEVICE_STOPPED && device->call.pause ? DEVICE_PAUSED : DEVICE_STOPPED;
}

// Changes the state of the device's trace. *Returns* the state that it reached.
static int transition(struct device *device, int from, int to)
{
    if (atomic_load(&device->is_abandoned)) {
        return to;
    }
    if (from == DEVICE_STOPPED && to == DEVICE_TRACING) {
        return start_trace(device) ? DEVICE_TRACING : DEVICE_MUTE;
    }
    if (from == DEVICE_MUTE || from == DEVICE_STOPPED) {
        return to;
    }
    if (to == DEVICE_TRACING || to == DEVICE_PAUSED) {
        device->call.pause(device->handle, to == DEVICE_PAUSED);
        return to;
    }
    if (device->call.flush) {
        device->call.flush(device->handle);
    }
    device->call.stop(device->handle);
    return to;
}

// Changes the device to its wanted state.
// *Returns* false if another thread is changing it; that thread then reads the wanted state again.
static bool update(struct device *device)
{
    int state = atomic_load(&device->state);
    for (int to; state > DEVICE_CHANGING && (to = wanted_state(device, state)) != state;
         state = atomic_load(&device->state)) {
        if (change(device, state, DEVICE_CHANGING)) {
            atomic_store(&device->state, transition(device, state, to));
        }
    }
    return state != DEVICE_CHANGING;
}

// Changes the device to its wanted state, and waits up to MAX_SECONDS for another thread that
// changes it. The wait is limited since a caller of this function may be making the change. Calls
// no cancellation point. *Returns* false when the device is still being changed.
static bool update_in_time(struct device *device)
{
    enum { MAX_SECONDS = 2 };
    struct timespec begin, now;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    now = begin;
    bool is_updated = update(device);
    while (!is_updated && now.tv_sec - begin.tv_sec < MAX_SECONDS) {
        sched_yield();
        clock_gettime(CLOCK_MONOTONIC, &now);
        is_updated = update(device);
    }
    return is_updated;
}

static void stop(struct device *device)
{
    update_in_time(device);
}

static void update_if_free(struct device *device)
{
    update(device);
}

static void flush(struct device *device)
{
    int state = atomic_load(&device->state);
    if (device->call.flush && (state == DEVICE_TRACING || state == DEVICE_PAUSED)) {
        device->call.flush(device->handle);
    }
    otter_device_flush(device->number);
}

static void for_all(void (*what)(struct device *device))
{
    for (size_t i = 0; i < MAX_DEVICES; i++) {
        if (atomic_load(&devices[i].state) >= DEVICE_CHANGING) {
            what(&devices[i]);
        }
    }
}

void device_traces_switch(bool is_on)
{
    atomic_store(&is_pause_wanted, !is_on);
    for_all(update_if_free);
}

void device_traces_flush(void)
{
    for_all(flush);
}

void device_traces_stop(void)
{
    atomic_store(&is_end_wanted, true);
    for_all(stop);
    atomic_store(&is_over, true);
}

void device_traces_update(void)
{
    bool shall_pause = otter_control_query() == OTTER_CONTROL_PAUSED;
    if (shall_pause != atomic_load_explicit(&is_pause_wanted, memory_order_relaxed)) {
        device_traces_switch(!shall_pause);
    }
}

// ---- callbacks

#define LOOK_UP(type, name) ((type)lookup(name))

static struct device_functions look_up(ompt_function_lookup_t lookup)
{
    if (!lookup) {
        return (struct device_functions){0};
    }
    return (struct device_functions){
        .set_trace_ompt = LOOK_UP(ompt_set_trace_ompt_t, "ompt_set_trace_ompt"),
        .set_trace_native = LOOK_UP(ompt_set_trace_native_t, "ompt_set_trace_native"),
        .start = LOOK_UP(ompt_start_trace_t, "ompt_start_trace"),
        .pause = LOOK_UP(ompt_pause_trace_t, "ompt_pause_trace"),
        .flush = LOOK_UP(ompt_flush_trace_t, "ompt_flush_trace"),
        .stop = LOOK_UP(ompt_stop_trace_t, "ompt_stop_trace"),
        .advance = LOOK_UP(ompt_advance_buffer_cursor_t, "ompt_advance_buffer_cursor"),
        .get_type = LOOK_UP(ompt_get_record_type_t, "ompt_get_record_type"),
        .get_ompt = LOOK_UP(ompt_get_record_ompt_t, "ompt_get_record_ompt"),
        .get_native = LOOK_UP(ompt_get_record_native_t, "ompt_get_record_native"),
        .get_abstract = LOOK_UP(ompt_get_record_abstract_t, "ompt_get_record_abstract"),
        .get_time = LOOK_UP(ompt_get_device_time_t, "ompt_get_device_time"),
        .translate = LOOK_UP(ompt_translate_time_t, "ompt_translate_time"),
    };
}

static bool can_trace(const struct device_functions *call)
{
    return call->start && call->stop && call->advance && call->get_type;
}

// Claims an entry of the table; a finished device loses its entry only if no entry is free.
// *Returns* NULL if the table is full or the device is already known.
static struct device *claim(int number)
{
    const struct device *known = find(number);
    if (known && atomic_load(&known->state) != DEVICE_FINISHED) {
        return NULL;
    }
    for (int from = DEVICE_FREE; from <= DEVICE_FINISHED; from++) {
        for (size_t i = 0; i < MAX_DEVICES; i++) {
            if (change(&devices[i], from, DEVICE_CLAIMED)) {
                return &devices[i];
            }
        }
    }
    return NULL;
}

void device_on_initialize(int number, const char *type, ompt_device_t *handle,
                          ompt_function_lookup_t lookup, const char *documentation)
{
    otter_device_describe(number, type);
    otter_device_mark(OTTER_CONSTRUCT_DEVICE_INITIALIZE, number, NULL);
    struct device *device = claim(number);
    if (!device) {
        return;
    }
    device->number = number;
    device->handle = handle;
    device->call = look_up(lookup);
    device->is_described = false;
    device_read_clocks(device, device->first);
    device_traces_update();
    atomic_store(&device->is_finalized, false);
    atomic_store(&device->is_abandoned, false);
    atomic_store(&device->state, can_trace(&device->call) ? DEVICE_STOPPED : DEVICE_MUTE);
    update(device);
}

void device_on_finalize(int number)
{
    struct device *device = find(number);
    if (device) {
        atomic_store(&device->is_finalized, true);
        if (!update_in_time(device)) {
            atomic_store(&device->is_abandoned, true);
        }
    }
    otter_device_mark(OTTER_CONSTRUCT_DEVICE_FINALIZE, number, NULL);
}

void device_on_load(int number, const char *file, int64_t offset, void *address_in_file,
                    size_t bytes, void *host_address, void *device_address, uint64_t module)
{
    otter_device_mark(OTTER_CONSTRUCT_DEVICE_LOAD, number,
                      &(struct otter_device_module){
                          .id = module, .file = file, .offset = offset, .bytes = bytes});
}

void device_on_unload(int number, uint64_t module)
{
    otter_device_mark(OTTER_CONSTRUCT_DEVICE_UNLOAD, number,
                      &(struct otter_device_module){.id = module, .offset = -1});
}
