// The next tool, to which every hook is passed on: the setting `chain`. Without one, nothing is passed on and nothing costs.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "kokkosp.h"

// The hooks of the next tool; those that it does not define are NULL.
struct chain {
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

// Exported: says that the library is Otter.
KOKKOSP_HOOK extern const char kokkosp_otter[];

// All NULL until chain_load has found a tool, while Kokkos begins: hooks that other threads call just then may be passed on or not.
extern struct chain chain;

// Whether the next tool was initialised and not finalised: only then its hooks are called. Only
// chain.c changes it.
extern atomic_bool chain_is_running;

// Whether the next tool has that hook, and it may be called.
#define CHAIN_TAKES(hook) (__builtin_expect((hook) != NULL, 0) && atomic_load(&chain_is_running))

// Calls the next tool's hook, if there is one.
#define PASS_ON(hook, ...)                                                                         \
    do {                                                                                           \
        if (CHAIN_TAKES(chain.hook)) {                                                             \
            chain.hook(__VA_ARGS__);                                                               \
        }                                                                                          \
    } while (0)

// Loads `library` and looks its hooks up. False, after one warning, when it cannot be loaded, is no Kokkos tool or is this one. At most
// one tool, while Kokkos begins.
bool chain_load(const char *library);
// Passes nothing on any more. Likewise.
void chain_drop(void);

// Kokkos begins, again perhaps, or ends: passes that on.
void chain_begin(int load_sequence, uint64_t interface_version, uint32_t n_devices,
                 struct Kokkos_Profiling_KokkosPDeviceInfo *devices);
void chain_end(void);

// Numbers from CHAIN_FIRST to CHAIN_LAST are those of chain_remember: large ones, and none that
// otter_label_begin returns.
#define CHAIN_FIRST (UINT64_C(1) << 62)
#define CHAIN_LAST ((UINT64_C(1) << 63) - 1)

static inline bool chain_has_made(uint64_t number)
{
    return number >= CHAIN_FIRST && number <= CHAIN_LAST;
}

// Returns the number that Kokkos gets for a kernel or fence that both tools begin: its end finds
// theirs by it. `ours`: 0 when Otter does not record. When memory is short, the number is `ours`,
// and the next tool's end is lost. Any thread.
uint64_t chain_remember(uint64_t ours, uint64_t theirs);

// Returns both numbers, and forgets them. Any thread. False: the number of chain_remember stands
// for nothing that is open.
bool chain_recall(uint64_t number, uint64_t *ours, uint64_t *theirs);
