// The hooks of the Kokkos Tools interface that this connector defines, in C.
//
// Kokkos loads the first library of KOKKOS_TOOLS_LIBS (before 3.7: KOKKOS_PROFILE_LIBRARY) with RTLD_GLOBAL and looks each hook up
// by name; one that is not defined is never called. Any thread may call hooks, at the same time as others.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct Kokkos_Profiling_KokkosPDeviceInfo; // always NULL

struct Kokkos_Tools_ToolSettings {
    bool requires_global_fencing;
    bool padding[255];
};

#define KOKKOSP_HOOK __attribute__((visibility("default")))

// Order: init, request_tool_settings, parse_args (never, once or twice) or print_help, then the program's events.
KOKKOSP_HOOK void kokkosp_init_library(int load_sequence, uint64_t interface_version,
                                       uint32_t n_devices,
                                       struct Kokkos_Profiling_KokkosPDeviceInfo *devices);
KOKKOSP_HOOK void kokkosp_finalize_library(void);
KOKKOSP_HOOK void kokkosp_request_tool_settings(uint32_t n,
                                                struct Kokkos_Tools_ToolSettings *settings);
KOKKOSP_HOOK void kokkosp_parse_args(int argc, char **argv);
KOKKOSP_HOOK void kokkosp_print_help(char *program);

KOKKOSP_HOOK void kokkosp_begin_parallel_for(const char *name, uint32_t device, uint64_t *kernel);
KOKKOSP_HOOK void kokkosp_end_parallel_for(uint64_t kernel);
KOKKOSP_HOOK void kokkosp_begin_parallel_reduce(const char *name, uint32_t device,
                                                uint64_t *kernel);
KOKKOSP_HOOK void kokkosp_end_parallel_reduce(uint64_t kernel);
KOKKOSP_HOOK void kokkosp_begin_parallel_scan(const char *name, uint32_t device, uint64_t *kernel);
KOKKOSP_HOOK void kokkosp_end_parallel_scan(uint64_t kernel);

KOKKOSP_HOOK void kokkosp_push_profile_region(const char *name);
KOKKOSP_HOOK void kokkosp_pop_profile_region(void);
