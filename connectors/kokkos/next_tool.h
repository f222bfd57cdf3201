// The next tool, named by the setting `chain`, to which Otter forwards each hook.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "kokkosp.h"

// The hooks of kokkosp.h, without their prefix.
#define NEXT_TOOL_HOOKS(HOOK)                                                                      \
    HOOK(init_library)                                                                             \
    HOOK(finalize_library)                                                                         \
    HOOK(request_tool_settings)                                                                    \
    HOOK(provide_tool_programming_interface)                                                       \
    HOOK(parse_args)                                                                               \
    HOOK(print_help)                                                                               \
    HOOK(declare_metadata)                                                                         \
    HOOK(begin_parallel_for)                                                                       \
    HOOK(end_parallel_for)                                                                         \
    HOOK(begin_parallel_reduce)                                                                    \
    HOOK(end_parallel_reduce)                                                                      \
    HOOK(begin_parallel_scan)                                                                      \
    HOOK(end_parallel_scan)                                                                        \
    HOOK(begin_fence)                                                                              \
    HOOK(end_fence)                                                                                \
    HOOK(begin_deep_copy)                                                                          \
    HOOK(end_deep_copy)                                                                            \
    HOOK(allocate_data)                                                                            \
    HOOK(deallocate_data)                                                                          \
    HOOK(dual_view_sync)                                                                           \
    HOOK(dual_view_modify)                                                                         \
    HOOK(push_profile_region)                                                                      \
    HOOK(pop_profile_region)                                                                       \
    HOOK(create_profile_section)                                                                   \
    HOOK(start_profile_section)                                                                    \
    HOOK(stop_profile_section)                                                                     \
    HOOK(destroy_profile_section)                                                                  \
    HOOK(profile_event)

// The hooks of the next tool; NULL for a hook that it does not define.
struct next_tool {
#define NEXT_TOOL_HOOK(name) __typeof__(&kokkosp_##name) name;
    NEXT_TOOL_HOOKS(NEXT_TOOL_HOOK)
#undef NEXT_TOOL_HOOK
    bool is_loaded;
};

// A library that exports this symbol is Otter.
KOKKOSP_HOOK extern const char kokkosp_otter[];

// All NULL until next_tool_load has found a tool, at Kokkos' initialisation. Hooks that other
// threads call at that moment may or may not be forwarded.
extern struct next_tool next_tool;

// Whether the next tool has been initialised and not yet finalised. If not, its hooks are not
// called. Only next_tool.c changes it.
extern atomic_bool next_tool_is_running;

// Whether the next tool has the hook and is running.
#define NEXT_TOOL_HAS(hook)                                                                        \
    (__builtin_expect((hook) != NULL, 0) && atomic_load(&next_tool_is_running))

// Calls the next tool's hook, if there is one.
#define PASS_ON(hook, ...)                                                                         \
    do {                                                                                           \
        if (NEXT_TOOL_HAS(next_tool.hook)) {                                                       \
            next_tool.hook(__VA_ARGS__);                                                           \
        }                                                                                          \
    } while (0)

// Loads `library` and looks up its hooks. Called at each initialisation of Kokkos until a tool is
// loaded. *Returns* false, after one warning, if the library cannot be loaded, is not a Kokkos
// tool, or is Otter.
bool next_tool_load(const char *library);
// Ends the forwarding. Runs at Kokkos' initialisation.
void next_tool_drop(void);

// Forward Kokkos' initialisation, which may be a repeated one, and its finalisation.
void next_tool_begin(int load_sequence, uint64_t interface_version, uint32_t n_devices,
                     struct Kokkos_Profiling_KokkosPDeviceInfo *devices);
void next_tool_end(void);

// The range of next_tool_pair()'s numbers, none of which otter_label_begin() returns.
#define NEXT_TOOL_FIRST (UINT64_C(1) << 62)
#define NEXT_TOOL_LAST ((UINT64_C(1) << 63) - 1)

static inline bool next_tool_is_pair(uint64_t number)
{
    return number >= NEXT_TOOL_FIRST && number <= NEXT_TOOL_LAST;
}

// Stores the numbers that both tools gave a kernel or fence. `ours`: 0 if Otter does not record.
// *Returns* the number for Kokkos. When memory has run out, returns `ours`, and the next tool
// misses the end.
// *Thread*: any.
uint64_t next_tool_pair(uint64_t ours, uint64_t theirs);

// Reads both numbers and removes them.
// *Returns* false when no kernel or fence with `number` is open.
// *Thread*: any.
bool next_tool_unpair(uint64_t number, uint64_t *ours, uint64_t *theirs);
