#include "device_trace.h"

#include <string.h>

#include "convert.h"
#include "otter/record.h"

// ---- time

// The runtime's own clock, which it translates to.
extern double omp_get_wtime(void) __attribute__((weak));

// The device's clock itself wherever it can be read: what is made of it later needs no translation, which may be wrong.
static bool has_clock(const struct device *device)
{
    return device->call.get_time || (device->call.translate && omp_get_wtime);
}

static long double read_clock(const struct device *device)
{
    return device->call.get_time ? (long double)device->call.get_time(device->handle)
                                 : (long double)omp_get_wtime();
}

// How long that took.
static uint64_t read_clocks(const struct device *device, struct device_reading *reading)
{
    uint64_t before = otter_now();
    reading->device = read_clock(device);
    uint64_t took = otter_now() - before;
    reading->host = before + took / 2;
    return took;
}

bool device_read_clocks(const struct device *device, struct device_reading *reading)
{
    enum { N_FURTHER = 4 };
    if (!has_clock(device)) {
        return false;
    }
    uint64_t shortest = read_clocks(device, reading);
    for (int i = 0; i < N_FURTHER; i++) {
        struct device_reading other;
        uint64_t took = read_clocks(device, &other);
        if (took < shortest) {
            shortest = took;
            *reading = other;
        }
    }
    return true;
}

// A device's clock: a straight line through the first reading and one that is later than all that is told.
struct clock {
    const struct device *device;
    long double ticks; // of otter_now(), in one unit of the device's clock; 0: not known
};

static struct clock find_clock(const struct device *device)
{
    struct clock clock = {.device = device};
    struct device_reading last;
    if (!device->has_clock || !device_read_clocks(device, &last)) {
        return clock;
    }
    long double elapsed = last.device - device->first.device;
    if (elapsed > 0 && last.host > device->first.host) {
        clock.ticks = (long double)(last.host - device->first.host) / elapsed;
    }
    return clock;
}

// False: the time cannot be told in ticks.
static bool translate(const struct clock *clock, ompt_device_time_t time, uint64_t *ticks)
{
    if (!(clock->ticks > 0)) {
        return false;
    }
    const struct device *device = clock->device;
    long double at = device->call.get_time
                         ? (long double)time
                         : (long double)device->call.translate(device->handle, time);
    long double host = clock->ticks * (at - device->first.device) + (long double)device->first.host;
    if (!(host >= 0 && host < (long double)UINT64_MAX)) {
        return false;
    }
    *ticks = (uint64_t)host;
    return true;
}

// ---- records

static void tell(const struct clock *clock, struct otter_device_record *record,
                 ompt_device_time_t begin, ompt_device_time_t end)
{
    record->device = clock->device->number;
    if (begin <= end && translate(clock, begin, &record->begin) &&
        translate(clock, end, &record->end)) {
        otter_device_record(record);
    } else {
        otter_device_refuse(record->device);
    }
}

static void tell_data_op(const struct clock *clock, ompt_device_time_t begin,
                         const ompt_record_target_data_op_t *op)
{
    struct converted construct = convert_data_op(op->optype);
    struct otter_device_record record = {.construct = construct.construct,
                                         .detail = construct.detail,
                                         .operation = op->host_op_id,
                                         .data = {.source = op->src_addr,
                                                  .destination = op->dest_addr,
                                                  .source_device = op->src_device_num,
                                                  .destination_device = op->dest_device_num,
                                                  .bytes = op->bytes,
                                                  .code = op->codeptr_ra}};
    tell(clock, &record, begin, op->end_time);
}

static void tell_kernel(const struct clock *clock, ompt_device_time_t begin,
                        const ompt_record_target_kernel_t *kernel)
{
    struct otter_device_record record = {.construct = OTTER_CONSTRUCT_DEVICE_KERNEL,
                                         .operation = kernel->host_op_id,
                                         .teams_requested = kernel->requested_num_teams,
                                         .teams_granted = kernel->granted_num_teams};
    tell(clock, &record, begin, kernel->end_time);
}

// Target constructs and maps are in the buffers too; the host has told them.
static void tell_ompt(const struct clock *clock, const ompt_record_ompt_t *record)
{
    switch (record->type) {
    case ompt_callback_target_data_op:
    case ompt_callback_target_data_op_emi:
        tell_data_op(clock, record->time, &record->record.target_data_op);
        return;
    case ompt_callback_target_submit:
    case ompt_callback_target_submit_emi:
        tell_kernel(clock, record->time, &record->record.target_kernel);
        return;
    case ompt_callback_target:
    case ompt_callback_target_emi:
    case ompt_callback_target_map:
    case ompt_callback_target_map_emi: return;
    default: otter_device_refuse(clock->device->number);
    }
}

// The types of native records are texts for people. What none of these words is in is an operation of some kind.
static enum otter_construct construct_of(const char *type)
{
    static const struct {
        const char *word;
        enum otter_construct construct;
    } words[] = {
        {"ernel", OTTER_CONSTRUCT_DEVICE_KERNEL},
        {"HtoD", OTTER_CONSTRUCT_TRANSFER_TO_DEVICE},
        {"to device", OTTER_CONSTRUCT_TRANSFER_TO_DEVICE},
        {"DtoH", OTTER_CONSTRUCT_TRANSFER_FROM_DEVICE},
        {"from device", OTTER_CONSTRUCT_TRANSFER_FROM_DEVICE},
    };
    for (size_t i = 0; type && i < sizeof(words) / sizeof(words[0]); i++) {
        if (strstr(type, words[i].word)) {
            return words[i].construct;
        }
    }
    return OTTER_CONSTRUCT_DATA_OP_UNKNOWN;
}

static void tell_abstract(const struct clock *clock, const ompt_record_abstract_t *abstract,
                          ompt_id_t operation)
{
    if (abstract->rclass != ompt_record_native_event) {
        return; // a remark without duration
    }
    struct otter_device_record record = {.construct = construct_of(abstract->type),
                                         .operation = operation,
                                         .data = {.source_device = -1, .destination_device = -1}};
    tell(clock, &record, abstract->start_time, abstract->end_time);
}

static void tell_native(const struct clock *clock, ompt_buffer_t *buffer,
                        ompt_buffer_cursor_t cursor)
{
    const struct device_functions *call = &clock->device->call;
    ompt_id_t operation = 0;
    void *native = call->get_native ? call->get_native(buffer, cursor, &operation) : NULL;
    const ompt_record_abstract_t *abstract =
        native && call->get_abstract ? call->get_abstract(native) : NULL;
    if (abstract) {
        tell_abstract(clock, abstract, operation);
    } else {
        otter_device_refuse(clock->device->number);
    }
}

static void tell_record(const struct clock *clock, ompt_buffer_t *buffer,
                        ompt_buffer_cursor_t cursor)
{
    const struct device_functions *call = &clock->device->call;
    const ompt_record_ompt_t *record = NULL;
    switch (call->get_type(buffer, cursor)) {
    case ompt_record_native: tell_native(clock, buffer, cursor); return;
    case ompt_record_ompt: record = call->get_ompt ? call->get_ompt(buffer, cursor) : NULL; break;
    case ompt_record_invalid: break;
    }
    if (record) {
        tell_ompt(clock, record);
    } else {
        otter_device_refuse(clock->device->number);
    }
}

void device_tell_records(const struct device *device, ompt_buffer_t *buffer, size_t bytes,
                         ompt_buffer_cursor_t cursor)
{
    struct clock clock = find_clock(device);
    // Each record has at least a byte: a cursor that goes in circles comes to an end too.
    for (size_t i = 0; i < bytes && cursor; i++) {
        ompt_buffer_cursor_t next = 0;
        tell_record(&clock, buffer, cursor);
        if (!device->call.advance(device->handle, buffer, bytes, cursor, &next) || next == cursor) {
            return;
        }
        cursor = next;
    }
}
