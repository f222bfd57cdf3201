// The runtime's devices, from initialisation to finalisation, and the traces of those that can
// trace themselves.
#pragma once

#include <stdbool.h>

#include <omp-tools.h>

// A function for each callback of the specification, with its name and signature.
void device_on_initialize(int number, const char *type, ompt_device_t *handle,
                          ompt_function_lookup_t lookup, const char *documentation);
void device_on_finalize(int number);
void device_on_load(int number, const char *file, int64_t offset, void *address_in_file,
                    size_t bytes, void *host_address, void *device_address, uint64_t module);
void device_on_unload(int number, uint64_t module);

// Start or pause (switch), flush, and stop the traces of all devices. Starts, pauses and stops also
// apply to devices that are found later.
// *Thread*: any. The runtime is called without a lock, and it may call back.
void device_traces_switch(bool is_on);
void device_traces_flush(void);
void device_traces_stop(void);

// Starts or pauses the traces if a setting or a signal has started or paused the recording.
void device_traces_update(void);
