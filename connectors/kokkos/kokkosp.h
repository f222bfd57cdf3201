// The hooks of the Kokkos Tools interface that this connector defines, in C.
//
// Kokkos loads the first library of KOKKOS_TOOLS_LIBS with RTLD_GLOBAL and looks each hook up by
// name. It does not call missing hooks. Kokkos before 3.7 reads KOKKOS_PROFILE_LIBRARY. The six
// tuning hooks are left out, since a program behaves differently if a tool defines them. *Thread*:
// any, even several at the same time. Texts belong to the caller.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct Kokkos_Profiling_KokkosPDeviceInfo; // always NULL

struct Kokkos_Tools_ToolSettings {
    bool requires_global_fencing;
    bool padding[255];
};

typedef void (*Kokkos_Tools_functionPointer)(void);
typedef void (*Kokkos_Tools_toolInvokedFenceFunction)(const uint32_t device);

struct Kokkos_Tools_ToolProgrammingInterface {
    Kokkos_Tools_toolInvokedFenceFunction fence;
    Kokkos_Tools_functionPointer padding[31];
};

enum { SPACE_NAME_SIZE = 64 };

// A name of at most 63 characters, not always terminated.
struct Kokkos_Profiling_SpaceHandle {
    char name[SPACE_NAME_SIZE];
};

#define KOKKOSP_HOOK __attribute__((visibility("default")))

// The order of calls: init, request_tool_settings, provide_tool_programming_interface, parse_args
// (never, once or twice) or print_help, metadata, then the program's events. A program may end
// without finalize.
KOKKOSP_HOOK void kokkosp_init_library(int load_sequence, uint64_t interface_version,
                                       uint32_t n_devices,
                                       struct Kokkos_Profiling_KokkosPDeviceInfo *devices);
KOKKOSP_HOOK void kokkosp_finalize_library(void);
KOKKOSP_HOOK void kokkosp_request_tool_settings(uint32_t n,
                                                struct Kokkos_Tools_ToolSettings *settings);
KOKKOSP_HOOK void
kokkosp_provide_tool_programming_interface(uint32_t n,
                                           struct Kokkos_Tools_ToolProgrammingInterface functions);
KOKKOSP_HOOK void kokkosp_parse_args(int argc, char **argv);
KOKKOSP_HOOK void kokkosp_print_help(char *program);
KOKKOSP_HOOK void kokkosp_declare_metadata(const char *key, const char *value);

// device.h explains `device`.
KOKKOSP_HOOK void kokkosp_begin_parallel_for(const char *name, uint32_t device, uint64_t *kernel);
KOKKOSP_HOOK void kokkosp_end_parallel_for(uint64_t kernel);
KOKKOSP_HOOK void kokkosp_begin_parallel_reduce(const char *name, uint32_t device,
                                                uint64_t *kernel);
KOKKOSP_HOOK void kokkosp_end_parallel_reduce(uint64_t kernel);
KOKKOSP_HOOK void kokkosp_begin_parallel_scan(const char *name, uint32_t device, uint64_t *kernel);
KOKKOSP_HOOK void kokkosp_end_parallel_scan(uint64_t kernel);
KOKKOSP_HOOK void kokkosp_begin_fence(const char *name, uint32_t device, uint64_t *fence);
KOKKOSP_HOOK void kokkosp_end_fence(uint64_t fence);

KOKKOSP_HOOK void kokkosp_begin_deep_copy(struct Kokkos_Profiling_SpaceHandle to_space,
                                          const char *to_name, const void *to,
                                          struct Kokkos_Profiling_SpaceHandle from_space,
                                          const char *from_name, const void *from, uint64_t bytes);
KOKKOSP_HOOK void kokkosp_end_deep_copy(void);
KOKKOSP_HOOK void kokkosp_allocate_data(struct Kokkos_Profiling_SpaceHandle space,
                                        const char *label, const void *data, uint64_t bytes);
KOKKOSP_HOOK void kokkosp_deallocate_data(struct Kokkos_Profiling_SpaceHandle space,
                                          const char *label, const void *data, uint64_t bytes);
KOKKOSP_HOOK void kokkosp_dual_view_sync(const char *label, const void *data, bool is_device);
KOKKOSP_HOOK void kokkosp_dual_view_modify(const char *label, const void *data, bool is_device);

KOKKOSP_HOOK void kokkosp_push_profile_region(const char *name);
KOKKOSP_HOOK void kokkosp_pop_profile_region(void);
KOKKOSP_HOOK void kokkosp_create_profile_section(const char *name, uint32_t *section);
KOKKOSP_HOOK void kokkosp_start_profile_section(uint32_t section);
KOKKOSP_HOOK void kokkosp_stop_profile_section(uint32_t section);
KOKKOSP_HOOK void kokkosp_destroy_profile_section(uint32_t section);
KOKKOSP_HOOK void kokkosp_profile_event(const char *name);
