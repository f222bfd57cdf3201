#include "device.h"

#include <stdlib.h>

#include "device_trace.h"
#include "otter/record.h"

enum { MAX_DEVICES = 64, MAX_BUFFERS = 64, BUFFER_SIZE = 256 * 1024 };

// What may be done with a device. Whoever changes the state does what belongs to the change, so that each thing is done once.
enum {
    DEVICE_FREE = 0, // a place in the table
    DEVICE_CLAIMED,  // about to be used
    DEVICE_MUTE,     // cannot trace; from here on there is a device
    DEVICE_CHANGING,
    DEVICE_STOPPED,
    DEVICE_TRACING,
    DEVICE_PAUSED,
};

static struct device devices[MAX_DEVICES];
static _Atomic(void *) buffers[MAX_BUFFERS]; // those that the runtime has
static _Atomic bool is_pause_wanted, is_over;

static bool change(struct device *device, int from, int to)
{
    return atomic_compare_exchange_strong(&device->state, &from, to);
}

static struct device *find(int number)
{
    for (size_t i = 0; i < MAX_DEVICES; i++) {
        if (atomic_load(&devices[i].state) > DEVICE_CLAIMED && devices[i].number == number) {
            return &devices[i];
        }
    }
    return NULL;
}

// ---- buffers

static bool note_buffer(void *buffer)
{
    for (size_t i = 0; i < MAX_BUFFERS; i++) {
        void *none = NULL;
        if (atomic_compare_exchange_strong(&buffers[i], &none, buffer)) {
            return true;
        }
    }
    return false;
}

// Without a buffer the device traces nothing until it is started anew.
static void on_request(int number, ompt_buffer_t **buffer, size_t *bytes)
{
    static atomic_flag was_told = ATOMIC_FLAG_INIT;
    *buffer = atomic_load(&is_over) ? NULL : malloc(BUFFER_SIZE);
    *bytes = BUFFER_SIZE;
    if (*buffer && note_buffer(*buffer)) {
        return;
    }
    free(*buffer);
    *buffer = NULL;
    *bytes = 0;
    if (!atomic_load(&is_over) && !atomic_flag_test_and_set(&was_told)) {
        otter_warn("device %d has no more memory for what it traces, and stops to do so", number);
    }
}

static void give_back(void *buffer)
{
    for (size_t i = 0; i < MAX_BUFFERS; i++) {
        void *expected = buffer;
        if (atomic_compare_exchange_strong(&buffers[i], &expected, NULL)) {
            free(buffer);
            return;
        }
    }
}

// On any thread, also when all is over. Devices may share a buffer, which one of them owns in the end; a buffer may be empty.
static void on_complete(int number, ompt_buffer_t *buffer, size_t bytes, ompt_buffer_cursor_t begin,
                        int is_owned)
{
    const struct device *device = atomic_load(&is_over) ? NULL : find(number);
    if (device && buffer && begin) {
        device_tell_records(device, buffer, bytes, begin);
    }
    if (buffer && is_owned == 1) {
        give_back(buffer);
    }
}

// ---- tracing

// Both forms of a callback's number are in use for its records.
static bool is_granted(const struct device *device, ompt_callbacks_t older, ompt_callbacks_t newer)
{
    ompt_set_trace_ompt_t set = device->call.set_trace_ompt;
    return set && (set(device->handle, 1, older) >= ompt_set_sometimes ||
                   set(device->handle, 1, newer) >= ompt_set_sometimes);
}

// Native records only where there are no others, which would tell the same again.
static bool choose_records(const struct device *device)
{
    enum { DATA_MOTION = 0x03, KERNEL_EXECUTION = 0x08 };
    bool has_data =
        is_granted(device, ompt_callback_target_data_op, ompt_callback_target_data_op_emi);
    bool has_kernels =
        is_granted(device, ompt_callback_target_submit, ompt_callback_target_submit_emi);
    if (has_data || has_kernels) {
        return true;
    }
    return device->call.set_trace_native && device->call.get_native && device->call.get_abstract &&
           device->call.set_trace_native(device->handle, 1, DATA_MOTION | KERNEL_EXECUTION) >=
               ompt_set_sometimes;
}

static void start(struct device *device)
{
    if (change(device, DEVICE_PAUSED, DEVICE_CHANGING)) {
        device->call.pause(device->handle, 0);
        atomic_store(&device->state, DEVICE_TRACING);
    } else if (!atomic_load(&is_over) && change(device, DEVICE_STOPPED, DEVICE_TRACING)) {
        if (!choose_records(device) ||
            !device->call.start(device->handle, on_request, on_complete)) {
            atomic_store(&device->state, DEVICE_MUTE);
        }
    }
}

static void stop(struct device *device)
{
    if (change(device, DEVICE_PAUSED, DEVICE_CHANGING) ||
        change(device, DEVICE_TRACING, DEVICE_CHANGING)) {
        if (device->call.flush) {
            device->call.flush(device->handle);
        }
        device->call.stop(device->handle);
        atomic_store(&device->state, DEVICE_STOPPED);
    }
}

static void pause_or_stop(struct device *device)
{
    if (!device->call.pause) {
        stop(device);
    } else if (change(device, DEVICE_TRACING, DEVICE_PAUSED)) {
        device->call.pause(device->handle, 1);
    }
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
        if (atomic_load(&devices[i].state) > DEVICE_MUTE) {
            what(&devices[i]);
        }
    }
}

void device_traces_start(void)
{
    atomic_store(&is_pause_wanted, false);
    for_all(start);
}

void device_traces_pause(void)
{
    atomic_store(&is_pause_wanted, true);
    for_all(pause_or_stop);
}

void device_traces_flush(void)
{
    for_all(flush);
}

void device_traces_stop(void)
{
    for_all(stop);
    atomic_store(&is_over, true);
}

void device_traces_follow(void)
{
    bool shall_pause = otter_control_query() == OTTER_CONTROL_PAUSED;
    if (shall_pause == atomic_load_explicit(&is_pause_wanted, memory_order_relaxed)) {
        return;
    }
    if (shall_pause) {
        device_traces_pause();
    } else {
        device_traces_start();
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

// NULL: there are too many, or it was told already.
static struct device *claim(int number)
{
    for (size_t i = 0; i < MAX_DEVICES && !find(number); i++) {
        if (change(&devices[i], DEVICE_FREE, DEVICE_CLAIMED)) {
            return &devices[i];
        }
    }
    return NULL;
}

void device_on_initialize(int number, const char *type, ompt_device_t *handle,
                          ompt_function_lookup_t lookup, const char *documentation)
{
    otter_device_describe(number, type);
    otter_device_mark(OTTER_CONSTRUCT_DEVICE_INITIALIZE, number);
    struct device *device = claim(number);
    if (!device) {
        return;
    }
    device->number = number;
    device->handle = handle;
    device->call = look_up(lookup);
    device->has_clock = device_read_clocks(device, &device->first);
    bool is_mute = !can_trace(&device->call);
    device_traces_follow();
    atomic_store(&device->state, is_mute ? DEVICE_MUTE : DEVICE_STOPPED);
    if (!is_mute && !atomic_load(&is_pause_wanted)) {
        start(device);
    }
}

void device_on_finalize(int number)
{
    struct device *device = find(number);
    if (device) {
        stop(device);
        atomic_store(&device->state, DEVICE_FREE);
    }
    otter_device_mark(OTTER_CONSTRUCT_DEVICE_FINALIZE, number);
}

void device_on_load(int number, const char *file, int64_t offset, void *address_in_file,
                    size_t bytes, void *host_address, void *device_address, uint64_t module)
{
    otter_device_mark(OTTER_CONSTRUCT_DEVICE_LOAD, number);
}

void device_on_unload(int number, uint64_t module)
{
    otter_device_mark(OTTER_CONSTRUCT_DEVICE_UNLOAD, number);
}
