// The next tool, to which every hook is passed on: the setting `chain`. Without one, nothing is passed on and nothing costs.
#pragma once

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

// Calls the next tool's hook, if there is one.
#define PASS_ON(hook, ...)                                                                         \
    do {                                                                                           \
        if (__builtin_expect(chain.hook != NULL, 0)) {                                             \
            chain.hook(__VA_ARGS__);                                                               \
        }                                                                                          \
    } while (0)

// Loads `library` and looks its hooks up. False, after one warning, when it cannot be loaded, is no Kokkos tool or is this one. At most
// one tool, while Kokkos begins.
bool chain_load(const char *library);
// Passes nothing on any more. Likewise.
void chain_drop(void);

// Numbers below stand for what is passed on and not recorded. They are no small ones.
#define CHAIN_END_OF_OWN (UINT64_C(1) << 63)
#define CHAIN_FIRST_OWN (UINT64_C(1) << 62)

static inline bool chain_is_own_number(uint64_t number)
{
    return number >= CHAIN_FIRST_OWN && number < CHAIN_END_OF_OWN;
}

// The other tool's number of what begins, to be found again by the number that Kokkos is given: that one is returned. It is `ours`, or one of
// our own kind where that is 0. Any thread. Of some 16000 that are open at once, further ones may not be found again.
uint64_t chain_remember(uint64_t ours, uint64_t theirs);

// Forgets it, on whatever thread it began. False: the other tool was not told that it begins.
bool chain_recall(uint64_t number, uint64_t *theirs);

// Numbers of profile sections, likewise, of all threads. UINT32_MAX: the other tool has none.
void chain_remember_section(uint32_t ours, uint32_t theirs);
uint32_t chain_recall_section(uint32_t ours);
void chain_forget_section(uint32_t ours);
