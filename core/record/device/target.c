// The work of a host thread for a device: target constructs, operations on data, launches.
#include "otter/record.h"

#include "record/device/device.h"
#include "record/device/stream.h"
#include "record/entry/call.h"
#include "record/thread/leave.h"
#include "record/thread/region.h"
#include "trace/schema.h"

// Begins a record. *Returns* NULL in a hidden task.
static struct otter_thread *begin(uint64_t *time)
{
    return otter_is_hidden() ? NULL : otter_record_begin_at(time);
}

static bool is_target(uint16_t construct)
{
    return construct >= OTTER_CONSTRUCT_TARGET && construct <= OTTER_CONSTRUCT_TARGET_UNKNOWN;
}

// *Returns* the innermost target construct of the current task; without one, its region is 0.
static struct otter_open enclosing_target(struct otter_thread *thread)
{
    uint32_t first = otter_top_frame(thread)->first_open;
    for (uint32_t i = thread->n_open; i > first; i--) {
        if (is_target(thread->open[i - 1].construct)) {
            return thread->open[i - 1];
        }
    }
    return (struct otter_open){.region = OTTER_REGION_NONE};
}

// ---- constructs

// The bits of a target construct's id, which may be all that another thread knows about it:
// - 63, 62: set
// - 61-54: device
// - 47-32: region
// - 31-0: a running number
enum { TARGET_DEVICE_SHIFT = 54 };

static uint64_t make_target(uint32_t region, uint8_t device)
{
    static _Atomic uint32_t n_targets;
    uint32_t number = atomic_fetch_add_explicit(&n_targets, 1, memory_order_relaxed) + 1;
    return UINT64_C(3) << 62 | (uint64_t)device << TARGET_DEVICE_SHIFT |
           otter_id_make(0, region, number);
}

// *Returns* the target construct of an operation: the open one; otherwise one made from what `id`
// contains.
static struct otter_open find_target(struct otter_thread *thread, uint64_t id)
{
    struct otter_open target = enclosing_target(thread);
    uint32_t region = otter_id_region(id), device = (uint8_t)(id >> TARGET_DEVICE_SHIFT);
    if (target.region == OTTER_REGION_NONE && id >> 62 == 3 && region < OTTER_MAX_REGIONS &&
        is_target(otter_region_construct(region)) && device <= OTTER_MAX_DEVICES) {
        target.region = region;
        target.device = (uint8_t)device;
    }
    return target;
}

static void write_target(struct otter_thread *thread, uint64_t time, uint64_t id)
{
    if (enclosing_target(thread).region == OTTER_REGION_NONE) {
        otter_write_known(thread->writer, time, OTTER_PARAMETER_TARGET, id);
    }
}

static void enter(struct otter_thread *thread, uint64_t time, struct otter_open open)
{
    otter_write_enter(thread->writer, time, open.region);
    otter_open_push(thread, open);
}

uint64_t otter_target_begin(enum otter_construct construct, uint32_t detail, int device,
                            uint64_t target, const void *code)
{
    uint64_t time;
    struct otter_thread *thread = begin(&time);
    if (!thread) {
        return 0;
    }
    struct otter_open open = {.region = otter_region(thread, construct, detail, code),
                              .construct = (uint16_t)construct,
                              .device = otter_device_find(device)};
    uint64_t id = target ? target : make_target(open.region, open.device);
    enter(thread, time, open);
    otter_write_device(thread->writer, time, OTTER_PARAMETER_DEVICE, device);
    otter_write_parameter(thread->writer, time, OTTER_PARAMETER_OPERATION, id);
    otter_record_end(thread);
    return id;
}

// ---- operations

// *Returns* an id that contains the construct requesting the operation, for the device's later
// record.
static uint64_t make_operation(struct otter_thread *thread, const struct otter_open *target,
                               uint32_t region)
{
    bool has_target = target->region != OTTER_REGION_NONE;
    return otter_id_make(thread->location, has_target ? target->region : region,
                         otter_next_number(thread, &thread->n_operations));
}

// *Returns* the device to which or from which a transfer copies.
static uint8_t device_of(const struct otter_data_op *op)
{
    switch (op->construct) {
    case OTTER_CONSTRUCT_TRANSFER_TO_DEVICE: return otter_device_find(op->destination_device);
    case OTTER_CONSTRUCT_TRANSFER_FROM_DEVICE: return otter_device_find(op->source_device);
    default: return OTTER_DEVICE_UNKNOWN;
    }
}

static void begin_transfer(struct otter_thread *thread, uint64_t time,
                           const struct otter_data_op *op, const struct otter_open *open)
{
    if (op->construct == OTTER_CONSTRUCT_TRANSFER_TO_DEVICE) {
        otter_write_put(thread->writer, time, open->device, OTTER_RANK_DEVICE, op->bytes,
                        open->transfer);
    } else {
        otter_write_get(thread->writer, time, open->device, OTTER_RANK_DEVICE, op->bytes,
                        open->transfer);
    }
}

static uint64_t begin_data_op(struct otter_thread *thread, uint64_t time,
                              const struct otter_data_op *op, uint64_t operation)
{
    struct otter_open target = find_target(thread, op->target);
    struct otter_open open = {.region = otter_region(thread, op->construct, op->detail, op->code),
                              .construct = (uint16_t)op->construct};
    uint64_t id = operation ? operation : make_operation(thread, &target, open.region);
    uint32_t window = otter_device_window(device_of(op));
    if (window != OTTER_WINDOW_NONE &&
        !thread->is_paused) { // a transfer during a pause has no RMA record
        open.device = (uint8_t)window;
        open.transfer = id;
    }
    enter(thread, time, open);
    if (open.transfer) {
        begin_transfer(thread, time, op, &open);
    }
    otter_write_parameter(thread->writer, time, OTTER_PARAMETER_OPERATION, id);
    write_target(thread, time, op->target);
    otter_write_data_op(thread->writer, time, op);
    return id;
}

static void leave_data_op(struct otter_thread *thread, uint64_t time,
                          enum otter_construct construct)
{
    const struct otter_open *top = &thread->open[thread->n_open - 1];
    if (thread->n_open > otter_top_frame(thread)->first_open && top->construct == construct &&
        top->transfer) {
        otter_write_transfer_end(thread, time, top);
    }
    otter_leave_innermost(thread, time, construct);
}

static uint64_t record_data_op(const struct otter_data_op *op, uint64_t operation, bool is_over)
{
    uint64_t time;
    struct otter_thread *thread = begin(&time);
    if (!thread) {
        return 0;
    }
    uint64_t id = begin_data_op(thread, time, op, operation);
    if (is_over) {
        leave_data_op(thread, time, op->construct);
    }
    otter_record_end(thread);
    return id;
}

uint64_t otter_data_op_begin(const struct otter_data_op *op, uint64_t operation)
{
    return record_data_op(op, operation, false);
}

uint64_t otter_data_op_mark(const struct otter_data_op *op, uint64_t operation)
{
    return record_data_op(op, operation, true);
}

void otter_data_op_end(enum otter_construct construct)
{
    uint64_t time;
    struct otter_thread *thread = begin(&time);
    if (!thread) {
        return;
    }
    leave_data_op(thread, time, construct);
    otter_record_end(thread);
}

// ---- kernels

static uint64_t begin_submit(struct otter_thread *thread, uint64_t time, uint64_t target_id,
                             uint64_t operation, unsigned teams)
{
    struct otter_open target = find_target(thread, target_id);
    uint32_t region = otter_region(thread, OTTER_CONSTRUCT_TARGET_SUBMIT, 0, NULL);
    enter(thread, time,
          (struct otter_open){.region = region,
                              .construct = OTTER_CONSTRUCT_TARGET_SUBMIT,
                              .device = target.device});
    uint64_t id = operation ? operation : make_operation(thread, &target, region);
    otter_write_parameter(thread->writer, time, OTTER_PARAMETER_OPERATION, id);
    write_target(thread, time, target_id);
    if (target.device != OTTER_DEVICE_UNKNOWN) {
        otter_device_window(target.device); // defines the device in the archive
        otter_write_device(thread->writer, time, OTTER_PARAMETER_DEVICE,
                           otter_device_number(target.device));
    }
    otter_write_known(thread->writer, time, OTTER_PARAMETER_TEAMS_REQUESTED, teams);
    return id;
}

static uint64_t record_submit(uint64_t target, uint64_t operation, unsigned teams, bool is_over)
{
    uint64_t time;
    struct otter_thread *thread = begin(&time);
    if (!thread) {
        return 0;
    }
    uint64_t id = begin_submit(thread, time, target, operation, teams);
    if (is_over) {
        otter_leave_innermost(thread, time, OTTER_CONSTRUCT_TARGET_SUBMIT);
    }
    otter_record_end(thread);
    return id;
}

uint64_t otter_submit_begin(uint64_t target, uint64_t operation, unsigned teams)
{
    return record_submit(target, operation, teams, false);
}

uint64_t otter_submit_mark(uint64_t target, uint64_t operation, unsigned teams)
{
    return record_submit(target, operation, teams, true);
}

// ---- points in time

void otter_target_map(const struct otter_mapping *mapping, const void *code)
{
    uint64_t time;
    struct otter_thread *thread = begin(&time);
    if (!thread) {
        return;
    }
    uint32_t region = otter_region(thread, OTTER_CONSTRUCT_TARGET_MAP, 0, code);
    otter_write_enter(thread->writer, time, region);
    for (size_t i = 0; i < mapping->n; i++) {
        otter_write_parameter(thread->writer, time, OTTER_PARAMETER_BYTES,
                              mapping->bytes ? mapping->bytes[i] : 0);
        otter_write_known(thread->writer, time, OTTER_PARAMETER_SOURCE_ADDRESS,
                          mapping->host ? (uintptr_t)mapping->host[i] : 0);
        otter_write_known(thread->writer, time, OTTER_PARAMETER_DESTINATION_ADDRESS,
                          mapping->device ? (uintptr_t)mapping->device[i] : 0);
        otter_write_known(thread->writer, time, OTTER_PARAMETER_MAP_FLAGS,
                          mapping->flags ? mapping->flags[i] : 0);
    }
    otter_write_leave(thread->writer, time, region);
    otter_record_end(thread);
}

static void write_module(struct otter_location_writer *writer, uint64_t time,
                         const struct otter_device_module *module)
{
    otter_write_parameter(writer, time, OTTER_PARAMETER_MODULE, module->id);
    if (module->offset >= 0) {
        otter_write_parameter(writer, time, OTTER_PARAMETER_FILE_OFFSET, (uint64_t)module->offset);
    }
    otter_write_known(writer, time, OTTER_PARAMETER_BYTES, module->bytes);
}

void otter_device_mark(enum otter_construct construct, int device,
                       const struct otter_device_module *module)
{
    if (module && module->file) {
        otter_device_describe_module(device, module);
    }
    uint64_t time;
    struct otter_thread *thread = begin(&time);
    if (!thread) {
        return;
    }
    uint32_t region = otter_region(thread, construct, 0, NULL);
    otter_write_enter(thread->writer, time, region);
    otter_write_device(thread->writer, time, OTTER_PARAMETER_DEVICE, device);
    if (module) {
        write_module(thread->writer, time, module);
    }
    otter_write_leave(thread->writer, time, region);
    otter_record_end(thread);
}
