#include "chain.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "otter/record.h"
#include "sections.h"

enum { N_SLOTS = 1 << 14, N_NEAR = 64 };

struct chain chain;

struct hook {
    const char *name;
    size_t offset;
};

#define HOOK(name) {"kokkosp_" #name, offsetof(struct chain, name)}

static const struct hook hooks[] = {
    HOOK(init_library),
    HOOK(finalize_library),
    HOOK(request_tool_settings),
    HOOK(provide_tool_programming_interface),
    HOOK(parse_args),
    HOOK(print_help),
    HOOK(declare_metadata),
    HOOK(begin_parallel_for),
    HOOK(end_parallel_for),
    HOOK(begin_parallel_reduce),
    HOOK(end_parallel_reduce),
    HOOK(begin_parallel_scan),
    HOOK(end_parallel_scan),
    HOOK(begin_fence),
    HOOK(end_fence),
    HOOK(begin_deep_copy),
    HOOK(end_deep_copy),
    HOOK(allocate_data),
    HOOK(deallocate_data),
    HOOK(dual_view_sync),
    HOOK(dual_view_modify),
    HOOK(push_profile_region),
    HOOK(pop_profile_region),
    HOOK(create_profile_section),
    HOOK(start_profile_section),
    HOOK(stop_profile_section),
    HOOK(destroy_profile_section),
    HOOK(profile_event),
};

// By which an Otter knows another, whatever its file is called. No hook: Kokkos does not look it up.
const char kokkosp_otter[] = "otter";

static const void *base_of(const void *symbol)
{
    Dl_info info;
    return dladdr(symbol, &info) ? info.dli_fbase : NULL;
}

// The library may be linked to this one, be this one, or be a copy of it: then a hook would come back to us, or be recorded twice.
static bool is_ours(void *handle, const void *symbol)
{
    const void *otter = dlsym(handle, "kokkosp_otter");
    return otter && base_of(otter) == base_of(symbol);
}

// Looks the hooks up in a library. Returns how many are its own; others are counted in `n_ours`.
static size_t find_hooks(void *handle, struct chain *found, size_t *n_ours)
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

bool chain_load(const char *library)
{
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        otter_warn("cannot pass hooks on to the Kokkos tool '%s' (setting chain): %s", library,
                   dlerror());
        return false;
    }
    struct chain found = {.is_loaded = true};
    size_t n_ours = 0;
    if (find_hooks(handle, &found, &n_ours) == 0) {
        otter_warn("hooks are not passed on to '%s' (setting chain): %s", library,
                   n_ours ? "it is Otter itself"
                          : "it is no Kokkos tool, it has no hook kokkosp_...");
        dlclose(handle);
        return false;
    }
    chain = found;
    return true;
}

void chain_drop(void)
{
    chain = (struct chain){0};
}

// ---- numbers of kernels and fences

// Any thread may end what another began. No lock: a forked child must not wait for a thread that it does not have.
struct open_number {
    _Atomic uint64_t number; // 0: free
    _Atomic uint64_t theirs;
};

enum { BEING_MADE = 1 }; // no number of ours is as small

static struct open_number open_numbers[N_SLOTS]; // a number is one of the N_NEAR from its home on

static struct open_number *slot_at(uint64_t number, uint32_t i)
{
    uint64_t home = number * UINT64_C(0x9e3779b97f4a7c15) >> 40;
    return &open_numbers[(home + i) % N_SLOTS];
}

static struct open_number *find_open(uint64_t number)
{
    for (uint32_t i = 0; i < N_NEAR; i++) {
        struct open_number *slot = slot_at(number, i);
        if (atomic_load(&slot->number) == number) {
            return slot;
        }
    }
    return NULL;
}

static struct open_number *take_free(uint64_t number)
{
    for (uint32_t i = 0; i < N_NEAR; i++) {
        struct open_number *slot = slot_at(number, i);
        uint64_t is_free = 0;
        if (atomic_compare_exchange_strong(&slot->number, &is_free, BEING_MADE)) {
            return slot;
        }
    }
    return NULL;
}

uint64_t chain_remember(uint64_t ours, uint64_t theirs)
{
    static _Atomic uint64_t n_own;
    static atomic_flag was_told = ATOMIC_FLAG_INIT;
    uint64_t number = ours ? ours : CHAIN_FIRST_OWN + atomic_fetch_add(&n_own, 1);
    struct open_number *slot = ours ? find_open(number) : NULL; // one that never ended
    slot = slot ? slot : take_free(number);
    if (slot) {
        atomic_store(&slot->theirs, theirs);
        atomic_store(&slot->number, number);
    } else if (!atomic_flag_test_and_set(&was_told)) {
        otter_warn(
            "too much is open for the Kokkos tool of setting 'chain': it is not told of all ends");
    }
    return number;
}

bool chain_recall(uint64_t number, uint64_t *theirs)
{
    struct open_number *slot = number > BEING_MADE ? find_open(number) : NULL;
    if (!slot) {
        return false;
    }
    *theirs = atomic_load(&slot->theirs);
    return atomic_compare_exchange_strong(&slot->number, &number, 0);
}

// ---- numbers of sections

static _Atomic uint64_t sections[MAX_SECTIONS]; // the other tool's number + 1

void chain_remember_section(uint32_t ours, uint32_t theirs)
{
    if (ours < MAX_SECTIONS) {
        atomic_store(&sections[ours], (uint64_t)theirs + 1);
    }
}

uint32_t chain_recall_section(uint32_t ours)
{
    uint64_t kept = ours < MAX_SECTIONS ? atomic_load(&sections[ours]) : 0;
    return kept ? (uint32_t)(kept - 1) : UINT32_MAX;
}

void chain_forget_section(uint32_t ours)
{
    if (ours < MAX_SECTIONS) {
        atomic_store(&sections[ours], 0);
    }
}
