// Translates the callbacks of target constructs.
#include "target.h"

#include "device.h"
#include "ompt/base/convert.h"
#include "ompt/base/runtime.h"
#include "otter/record.h"

static void set_operation(ompt_id_t *place, uint64_t operation)
{
    if (place) {
        *place = operation;
    }
}

// ---- constructs

// *Returns* the number of the construct; 0: it has ended.
static uint64_t record_target(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device,
                              uint64_t target, const void *code)
{
    struct converted construct = convert_target(kind);
    uint64_t id = 0;
    if (endpoint != ompt_scope_end) {
        device_traces_update();
        id = otter_target_begin(construct.construct, construct.detail, device, target,
                                runtime_user_code(code));
    }
    if (endpoint != ompt_scope_begin) {
        otter_leave(construct.construct);
        id = 0;
    }
    return id;
}

void target_on_target_emi(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device,
                          ompt_data_t *task, ompt_data_t *target_task, ompt_data_t *target,
                          const void *code)
{
    uint64_t id = record_target(kind, endpoint, device, 0, code);
    if (target) {
        target->value = id; // LLVM's runtime passes it to the later callbacks of the construct
    }
}

void target_on_target(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device,
                      ompt_data_t *task, ompt_id_t target, const void *code)
{
    record_target(kind, endpoint, device, target, code);
}

// ---- operations on data

static struct otter_data_op data_op(ompt_target_data_op_t kind, const void *source,
                                    int source_device, const void *destination,
                                    int destination_device, size_t bytes, const void *code)
{
    struct converted construct = convert_data_op(kind);
    return (struct otter_data_op){.construct = construct.construct,
                                  .detail = construct.detail,
                                  .source = source,
                                  .destination = destination,
                                  .source_device = source_device,
                                  .destination_device = destination_device,
                                  .bytes = bytes,
                                  .code = runtime_user_code(code)};
}

void target_on_data_op_emi(ompt_scope_endpoint_t endpoint, ompt_data_t *target_task,
                           ompt_data_t *target, ompt_id_t *operation, ompt_target_data_op_t kind,
                           void *source, int source_device, void *destination,
                           int destination_device, size_t bytes, const void *code)
{
    struct otter_data_op op =
        data_op(kind, source, source_device, destination, destination_device, bytes, code);
    op.target = target ? target->value : 0;
    if (endpoint == ompt_scope_end) {
        otter_data_op_end(op.construct);
        return;
    }
    device_traces_update();
    set_operation(operation, endpoint == ompt_scope_begin ? otter_data_op_begin(&op, 0)
                                                          : otter_data_op_mark(&op, 0));
}

void target_on_data_op(ompt_id_t target, ompt_id_t operation, ompt_target_data_op_t kind,
                       void *source, int source_device, void *destination, int destination_device,
                       size_t bytes, const void *code)
{
    struct otter_data_op op =
        data_op(kind, source, source_device, destination, destination_device, bytes, code);
    op.target = target;
    device_traces_update();
    otter_data_op_mark(&op, operation);
}

// ---- kernels

void target_on_submit_emi(ompt_scope_endpoint_t endpoint, ompt_data_t *target, ompt_id_t *operation,
                          unsigned teams)
{
    if (endpoint == ompt_scope_end) {
        otter_leave(OTTER_CONSTRUCT_TARGET_SUBMIT);
        return;
    }
    device_traces_update();
    uint64_t id = target ? target->value : 0;
    set_operation(operation, endpoint == ompt_scope_begin ? otter_submit_begin(id, 0, teams)
                                                          : otter_submit_mark(id, 0, teams));
}

void target_on_submit(ompt_id_t target, ompt_id_t operation, unsigned teams)
{
    device_traces_update();
    otter_submit_mark(target, operation, teams);
}

// ---- maps

void target_on_map_emi(ompt_data_t *target, unsigned n, void **host, void **device, size_t *bytes,
                       unsigned *flags, const void *code)
{
    struct otter_mapping mapping = {n, host, device, bytes, flags};
    otter_target_map(&mapping, runtime_user_code(code));
}

void target_on_map(ompt_id_t target, unsigned n, void **host, void **device, size_t *bytes,
                   unsigned *flags, const void *code)
{
    target_on_map_emi(NULL, n, host, device, bytes, flags, code);
}
