// Loads the next tool, and maps Kokkos' numbers to Otter's and the next tool's.
#include "next_tool.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "otter/record.h"
#include "table.h"

enum { MAX_USES = (1 << 30) - 1 }; // uses of one entry before a number repeats

struct next_tool next_tool;
atomic_bool next_tool_is_running;

static const struct hook {
    const char *name;
    size_t offset;
} hooks[] = {
#define HOOK(name) {"kokkosp_" #name, offsetof(struct next_tool, name)},
    NEXT_TOOL_HOOKS(HOOK)
#undef HOOK
};

// Identifies a library as Otter, whatever its file name. Kokkos does not look this symbol up.
const char kokkosp_otter[] = "otter";

static const void *base_of(const void *symbol)
{
    Dl_info info;
    return dladdr(symbol, &info) ? info.dli_fbase : NULL;
}

// Returns whether a hook belongs to Otter: the library may be this one, be linked to it, or be a
// copy of it. Such a hook would call this library again, or record an event twice.
static bool is_ours(void *handle, const void *symbol)
{
    const void *otter = dlsym(handle, "kokkosp_otter");
    return otter && base_of(otter) == base_of(symbol);
}

// Looks the hooks up in a library, and counts those of Otter in `n_ours`. *Returns* how many other
// hooks there are.
static size_t find_hooks(void *handle, struct next_tool *found, size_t *n_ours)
{
    size_t n = 0;
    for (size_t i = 0; i < sizeof(hooks) / sizeof(*hooks); i++) {
        void *symbol = dlsym(handle, hooks[i].name);
        if (symbol && is_ours(handle, symbol)) {
            ++*n_ours;
        } else if (symbol) {
            memcpy((char *)found + hooks[i].offset, &symbol, sizeof(symbol));
            n++;
        }
    }
    return n;
}

bool next_tool_load(const char *library)
{
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        otter_warn("cannot forward calls to the Kokkos tool '%s' (setting chain): %s", library,
                   dlerror());
        return false;
    }
    struct next_tool found = {.is_loaded = true};
    size_t n_ours = 0;
    if (find_hooks(handle, &found, &n_ours) == 0) {
        otter_warn("calls are not forwarded to '%s' (setting chain): %s", library,
                   n_ours ? "it is Otter itself"
                          : "it is not a Kokkos tool, since it has no hook kokkosp_...");
        dlclose(handle);
        return false;
    }
    next_tool = found;
    atomic_store(&next_tool_is_running, true);
    return true;
}

void next_tool_drop(void)
{
    next_tool = (struct next_tool){0};
}

void next_tool_begin(int load_sequence, uint64_t interface_version, uint32_t n_devices,
                     struct Kokkos_Profiling_KokkosPDeviceInfo *devices)
{
    atomic_store(&next_tool_is_running, true);
    PASS_ON(init_library, load_sequence, interface_version, n_devices, devices);
}

void next_tool_end(void)
{
    PASS_ON(finalize_library);
    atomic_store(&next_tool_is_running, false);
}

// ---- numbers of kernels and fences

// An open kernel or fence. A thread may end a kernel that another thread began.
struct open_number {
    struct table_entry entry;
    uint32_t n_uses;
    _Atomic uint64_t number; // 0: nothing is open
    _Atomic uint64_t ours, theirs;
};

static struct table open_numbers = {.entry_size = sizeof(struct open_number)};

__attribute__((cold)) static uint64_t warn_of_memory(uint64_t ours)
{
    static atomic_flag was_warned = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&was_warned)) {
        otter_warn(
            "out of memory: the ends of some kernels and fences are not forwarded to the Kokkos "
            "tool that the setting 'chain' names");
    }
    return ours;
}

uint64_t next_tool_pair(uint64_t ours, uint64_t theirs)
{
    uint32_t at = table_acquire(&open_numbers);
    struct open_number *open = table_at(&open_numbers, at);
    if (!open) {
        return warn_of_memory(ours);
    }
    uint64_t number = NEXT_TOOL_FIRST | (uint64_t)(open->n_uses++ & MAX_USES) << 32 | at;
    atomic_store(&open->ours, ours);
    atomic_store(&open->theirs, theirs);
    atomic_store(&open->number, number);
    return number;
}

bool next_tool_unpair(uint64_t number, uint64_t *ours, uint64_t *theirs)
{
    struct open_number *open = table_at(&open_numbers, (uint32_t)number);
    if (!open) {
        return false;
    }
    *ours = atomic_load(&open->ours);
    *theirs = atomic_load(&open->theirs);
    if (!atomic_compare_exchange_strong(&open->number, &number, 0)) {
        return false;
    }
    table_release(&open_numbers, (uint32_t)number);
    return true;
}
