// Translates the times and records of devices.
#include "device_trace.h"

#include <string.h>
#include <time.h>

#include "ompt/base/convert.h"
#include "otter/record.h"

// ---- time

extern double omp_get_wtime(void) __attribute__((weak));

static long double seconds_of(clockid_t id)
{
    struct timespec now;
    clock_gettime(id, &now);
    return (long double)now.tv_sec + (long double)now.tv_nsec / 1e9L;
}

static long double read_clock(const struct device *device, enum device_clock clock)
{
    switch (clock) {
    case DEVICE_CLOCK_OWN:
        return device->call.get_time ? (long double)device->call.get_time(device->handle) : 0;
    case DEVICE_CLOCK_REAL: return seconds_of(CLOCK_REALTIME);
    case DEVICE_CLOCK_MONOTONIC: return seconds_of(CLOCK_MONOTONIC);
    case DEVICE_CLOCK_RUNTIME:
        return omp_get_wtime && device->call.translate ? (long double)omp_get_wtime() : 0;
    case N_DEVICE_CLOCKS: break;
    }
    return 0;
}

// *Returns* the shortest of several readings, which is the least likely to have been interrupted.
static struct device_reading read_well(const struct device *device, enum device_clock clock)
{
    enum { N_READINGS = 5 };
    struct device_reading best = {.ticks = 0};
    uint64_t shortest = UINT64_MAX;
    for (int i = 0; i < N_READINGS; i++) {
        uint64_t before = otter_now();
        long double time = read_clock(device, clock);
        uint64_t took = otter_now() - before;
        if (took < shortest) {
            shortest = took;
            best = (struct device_reading){.time = time, .ticks = before + took / 2};
        }
    }
    return best;
}

void device_read_clocks(const struct device *device, struct device_reading readings[])
{
    for (int i = 0; i < N_DEVICE_CLOCKS; i++) {
        readings[i] = read_well(device, (enum device_clock)i);
    }
}

// The linear relation of a clock to otter_now(), from two readings: one at the device's
// initialisation, and one later than all records.
struct line {
    struct device_reading first, last;
    long double ticks; // ticks of otter_now() per unit of the clock; 0: the clock stands still
};

// The translation of a device's times.
struct clock {
    const struct device *device;
    struct line lines[N_DEVICE_CLOCKS];
    bool is_translated; // the runtime translates the times to a clock of the host
};

static struct line make_line(struct device_reading first, struct device_reading last)
{
    struct line line = {.first = first, .last = last};
    if (last.time > first.time && last.ticks > first.ticks) {
        line.ticks = (long double)(last.ticks - first.ticks) / (last.time - first.time);
    }
    return line;
}

static long double ticks_at(const struct line *line, long double time)
{
    return line->ticks * (time - line->first.time) + (long double)line->first.ticks;
}

// Converts to seconds with the runtime's function, and then to ticks with the host clock whose
// current time is nearest to these seconds. Quirk 'device clock'. *Returns* a negative number when
// there is no clock.
static long double translate_to_host(const struct clock *clock, ompt_device_time_t time)
{
    const long double one_time = 0.001L;
    long double seconds = (long double)clock->device->call.translate(clock->device->handle, time);
    long double found = -1, nearest = (long double)UINT64_MAX;
    for (int i = DEVICE_CLOCK_REAL; i < N_DEVICE_CLOCKS; i++) {
        const struct line *line = &clock->lines[i];
        long double away = seconds - line->last.time;
        away = away < 0 ? -away : away;
        if (line->ticks > 0 && away + one_time < nearest) {
            nearest = away;
            found = ticks_at(line, seconds);
        }
    }
    return found;
}

static bool is_translated_well(const struct clock *clock, struct device_reading reading)
{
    const long double tolerance = clock->lines[DEVICE_CLOCK_MONOTONIC].ticks / 100000; // 10 us
    long double away =
        translate_to_host(clock, (ompt_device_time_t)reading.time) - (long double)reading.ticks;
    return -tolerance <= away && away <= tolerance;
}

// Returns whether the runtime's translation is plausible: it must map both readings of the device's
// clock to the times when they were made. Without such a clock, its results must at least increase.
static bool can_translate(const struct clock *clock)
{
    ompt_translate_time_t translate = clock->device->call.translate;
    ompt_device_t *handle = clock->device->handle;
    const struct line *own = &clock->lines[DEVICE_CLOCK_OWN];
    if (!translate) {
        return false;
    }
    if (own->ticks > 0) {
        return is_translated_well(clock, own->first) && is_translated_well(clock, own->last);
    }
    return translate(handle, 0) < translate(handle, UINT32_MAX);
}

static struct clock find_clock(const struct device *device)
{
    struct clock clock = {.device = device};
    struct device_reading last[N_DEVICE_CLOCKS];
    device_read_clocks(device, last);
    for (int i = 0; i < N_DEVICE_CLOCKS; i++) {
        clock.lines[i] = make_line(device->first[i], last[i]);
    }
    clock.is_translated = can_translate(&clock);
    return clock;
}

// *Returns* false if the time cannot be translated.
static bool translate(const struct clock *clock, ompt_device_time_t time, uint64_t *ticks)
{
    const struct line *own = &clock->lines[DEVICE_CLOCK_OWN];
    long double host = -1;
    if (clock->is_translated) {
        host = translate_to_host(clock, time);
    } else if (own->ticks > 0) {
        host = ticks_at(own, (long double)time);
    }
    if (!(host >= 0 && host < (long double)UINT64_MAX)) {
        return false;
    }
    *ticks = (uint64_t)host;
    return true;
}

// ---- records

static void record_operation(const struct clock *clock, struct otter_device_record *record,
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

static void record_data_op(const struct clock *clock, ompt_device_time_t begin,
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
    record_operation(clock, &record, begin, op->end_time);
}

static void record_kernel(const struct clock *clock, ompt_device_time_t begin,
                          const ompt_record_target_kernel_t *kernel)
{
    struct otter_device_record record = {.construct = OTTER_CONSTRUCT_DEVICE_KERNEL,
                                         .operation = kernel->host_op_id,
                                         .teams_requested = kernel->requested_num_teams,
                                         .teams_granted = kernel->granted_num_teams};
    record_operation(clock, &record, begin, kernel->end_time);
}

// Skips target constructs and maps in the buffers, since the runtime also reports these by
// callbacks.
static void record_ompt(const struct clock *clock, const ompt_record_ompt_t *record)
{
    switch (record->type) {
    case ompt_callback_target_data_op:
    case ompt_callback_target_data_op_emi:
        record_data_op(clock, record->time, &record->record.target_data_op);
        return;
    case ompt_callback_target_submit:
    case ompt_callback_target_submit_emi:
        record_kernel(clock, record->time, &record->record.target_kernel);
        return;
    case ompt_callback_target:
    case ompt_callback_target_emi:
    case ompt_callback_target_map:
    case ompt_callback_target_map_emi: return;
    default: otter_device_refuse(clock->device->number);
    }
}

// Guesses the construct from the type of a native record, which is a text without a fixed form.
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

static void record_abstract(const struct clock *clock, const ompt_record_abstract_t *abstract,
                            ompt_id_t operation)
{
    if (abstract->rclass != ompt_record_native_event) {
        return; // the record has no duration
    }
    struct otter_device_record record = {.construct = construct_of(abstract->type),
                                         .operation = operation,
                                         .data = {.source_device = -1, .destination_device = -1}};
    record_operation(clock, &record, abstract->start_time, abstract->end_time);
}

static void record_native(const struct clock *clock, ompt_buffer_t *buffer,
                          ompt_buffer_cursor_t cursor)
{
    const struct device_functions *call = &clock->device->call;
    ompt_id_t operation = 0;
    void *native = call->get_native ? call->get_native(buffer, cursor, &operation) : NULL;
    const ompt_record_abstract_t *abstract =
        native && call->get_abstract ? call->get_abstract(native) : NULL;
    if (abstract) {
        record_abstract(clock, abstract, operation);
    } else {
        otter_device_refuse(clock->device->number);
    }
}

static void record_entry(const struct clock *clock, ompt_buffer_t *buffer,
                         ompt_buffer_cursor_t cursor)
{
    const struct device_functions *call = &clock->device->call;
    const ompt_record_ompt_t *record = NULL;
    switch (call->get_type(buffer, cursor)) {
    case ompt_record_native: record_native(clock, buffer, cursor); return;
    case ompt_record_ompt: record = call->get_ompt ? call->get_ompt(buffer, cursor) : NULL; break;
    case ompt_record_invalid: break;
    }
    if (record) {
        record_ompt(clock, record);
    } else {
        otter_device_refuse(clock->device->number);
    }
}

// The runtime defines the meaning of a cursor: 0 may be the first record, or no record.
static bool has_record(const struct device *device, ompt_buffer_t *buffer,
                       ompt_buffer_cursor_t cursor)
{
    ompt_id_t operation;
    switch (device->call.get_type(buffer, cursor)) {
    case ompt_record_ompt: return device->call.get_ompt && device->call.get_ompt(buffer, cursor);
    case ompt_record_native:
        return device->call.get_native && device->call.get_native(buffer, cursor, &operation);
    case ompt_record_invalid: break;
    }
    return false;
}

void device_record_buffer(const struct device *device, ompt_buffer_t *buffer, size_t bytes,
                          ompt_buffer_cursor_t cursor)
{
    if (cursor == 0 && !has_record(device, buffer, cursor)) {
        return;
    }
    struct clock clock = find_clock(device);
    // A record takes at least one byte, which bounds the number of records, since cursors may form
    // a cycle.
    for (size_t i = 0; i < bytes; i++) {
        ompt_buffer_cursor_t next = 0;
        record_entry(&clock, buffer, cursor);
        if (!device->call.advance(device->handle, buffer, bytes, cursor, &next) || !next ||
            next == cursor) {
            return;
        }
        cursor = next;
    }
}
