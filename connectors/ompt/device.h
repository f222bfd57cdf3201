// Devices: what happens to them as a whole, and what they trace of themselves, where their runtime has functions for that.
#pragma once

#include <omp-tools.h>

// One for each callback of the specification, with its name and signature.
void device_on_initialize(int number, const char *type, ompt_device_t *handle,
                          ompt_function_lookup_t lookup, const char *documentation);
void device_on_finalize(int number);
void device_on_load(int number, const char *file, int64_t offset, void *address_in_file,
                    size_t bytes, void *host_address, void *device_address, uint64_t module);
void device_on_unload(int number, uint64_t module);

// The traces of all devices that have one, now and later: they begin, or go on; they rest; what they have so far is handed over; they end.
// Any thread. The runtime is called, and may call back, and nothing is held meanwhile.
void device_traces_start(void);
void device_traces_pause(void);
void device_traces_flush(void);
void device_traces_stop(void);

// The same as is wanted of the recording, which a setting or a signal may have changed too. Cheap when nothing has changed.
void device_traces_follow(void);
