// The next tool, to which Otter forwards each hook: the setting `chain` names it.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "kokkosp.h"

// The hooks of the next tool; NULL where it does not define one.
struct next_tool {
    void (*init_library)(int, uint64_t, uint32_t, struct Kokkos_Profiling_KokkosPDeviceInfo *);
    void (*finalize_library)(void);
    void (*request_tool_settings)(uint32_t, struct Kokkos_Tools_ToolSettings *);
    void (*provide_tool_programming_interface)(uint32_t,
                                               struct Kokkos_Tools_ToolProgrammingInterface);
    void (*parse_args)(int, char **);
    void (*print_help)(char *);
    void (*declare_metadata)(const char *, const char *);
    void (*begin_parallel_for)(const char *, uint32_t, uint64_t *);
    void (*end_parallel_for)(uint64_t);
    void (*begin_parallel_reduce)(const char *, uint32_t, uint64_t *);
    void (*end_parallel_reduce)(uint64_t);
    void (*begin_parallel_scan)(const char *, uint32_t, uint64_t *);
    void (*end_parallel_scan)(uint64_t);
    void (*begin_fence)(const char *, uint32_t, uint64_t *);
    void (*end_fence)(uint64_t);
    void (*begin_deep_copy)(struct Kokkos_Profiling_SpaceHandle, const char *, const void *,
                            struct Kokkos_Profiling_SpaceHandle, const char *, const void *,
                            uint64_t);
    void (*end_deep_copy)(void);
    void (*allocate_data)(struct Kokkos_Profiling_SpaceHandle, const char *, const void *,
                          uint64_t);
    void (*deallocate_data)(struct Kokkos_Profiling_SpaceHandle, const char *, const void *,
                            uint64_t);
    void (*dual_view_sync)(const char *, const void *, bool);
    void (*dual_view_modify)(const char *, const void *, bool);
    void (*push_profile_region)(const char *);
    void (*pop_profile_region)(void);
    void (*create_profile_section)(const char *, uint32_t *);
    void (*start_profile_section)(uint32_t);
    void (*stop_profile_section)(uint32_t);
    void (*destroy_profile_section)(uint32_t);
    void (*profile_event)(const char *);
    bool is_loaded;
};

// The library is Otter if it exports this symbol.
KOKKOSP_HOOK extern const char kokkosp_otter[];

// All NULL until next_tool_load has found a tool, at Kokkos' initialisation. The hooks that other
// threads call at that moment may be forwarded or not.
extern struct next_tool next_tool;

// Whether the next tool was initialised and not finalised. Otherwise its hooks are not called. Only
// next_tool.c changes it.
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

// Loads `library` and looks its hooks up. Runs at Kokkos' initialisation, until it has loaded a
// tool.
// *Returns* false, after one warning, when the library cannot be loaded, is no Kokkos tool, or is
// Otter.
bool next_tool_load(const char *library);
// Ends the forwarding. Runs at Kokkos' initialisation.
void next_tool_drop(void);

// Forward the initialisation, which may be a repeated one, and the finalisation of Kokkos.
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

// Stores the numbers of a kernel or fence that both tools have begun. `ours`: 0 when Otter does not
// record.
// *Returns* the number for Kokkos. When memory is short this is `ours`, and the next tool's end is
// lost.
// *Thread*: any.
uint64_t next_tool_pair(uint64_t ours, uint64_t theirs);

// Reads both numbers, and removes them.
// *Returns* false when no kernel or fence with `number` is open.
// *Thread*: any.
bool next_tool_unpair(uint64_t number, uint64_t *ours, uint64_t *theirs);
