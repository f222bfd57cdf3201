// The callbacks of target constructs. A runtime reports each event in one of two forms:
// - the newer one (EMI) has a start and an end, and carries Otter's numbers of operations;
// - the older one reports only the start of an operation, with the runtime's numbers.
#pragma once

#include <omp-tools.h>

// A function for each callback of the specification, with its name and signature.
void target_on_target_emi(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device,
                          ompt_data_t *task, ompt_data_t *target_task, ompt_data_t *target,
                          const void *code);
void target_on_target(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device,
                      ompt_data_t *task, ompt_id_t target, const void *code);
void target_on_data_op_emi(ompt_scope_endpoint_t endpoint, ompt_data_t *target_task,
                           ompt_data_t *target, ompt_id_t *operation, ompt_target_data_op_t kind,
                           void *source, int source_device, void *destination,
                           int destination_device, size_t bytes, const void *code);
void target_on_data_op(ompt_id_t target, ompt_id_t operation, ompt_target_data_op_t kind,
                       void *source, int source_device, void *destination, int destination_device,
                       size_t bytes, const void *code);
void target_on_submit_emi(ompt_scope_endpoint_t endpoint, ompt_data_t *target, ompt_id_t *operation,
                          unsigned teams);
void target_on_submit(ompt_id_t target, ompt_id_t operation, unsigned teams);
void target_on_map_emi(ompt_data_t *target, unsigned n, void **host, void **device, size_t *bytes,
                       unsigned *flags, const void *code);
void target_on_map(ompt_id_t target, unsigned n, void **host, void **device, size_t *bytes,
                   unsigned *flags, const void *code);
