#include "chain.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "otter/record.h"

enum { MAX_OPEN = 128, MAX_SECTIONS = 1024 };

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

static const char *file_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// The library may be linked to this one, be this one, or be another installation of it: then a hook would come back to us, or be
// recorded twice.
static bool is_ours(const void *symbol)
{
    Dl_info here, there;
    return dladdr((const void *)hooks, &here) && dladdr(symbol, &there) &&
           (here.dli_fbase == there.dli_fbase ||
            strcmp(file_of(here.dli_fname), file_of(there.dli_fname)) == 0);
}

// Looks the hooks up in a library. Returns how many are its own; others are counted in `n_ours`.
static size_t find_hooks(void *handle, struct chain *found, size_t *n_ours)
{
    size_t n = 0;
    for (size_t i = 0; i < sizeof(hooks) / sizeof(*hooks); i++) {
        void *symbol = dlsym(handle, hooks[i].name);
        if (symbol && is_ours(symbol)) {
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

struct number {
    uint64_t number, ours, theirs;
};

static _Thread_local struct number
    open_numbers[MAX_OPEN]; // the newest last; older ones are forgotten
static _Thread_local unsigned n_open;

uint64_t chain_remember(uint64_t ours, uint64_t theirs)
{
    static _Atomic uint64_t next = UINT64_C(1) << 48;
    uint64_t number = atomic_fetch_add(&next, 1);
    if (n_open == MAX_OPEN) {
        memmove(open_numbers, open_numbers + 1, (MAX_OPEN - 1) * sizeof(*open_numbers));
        n_open--;
    }
    open_numbers[n_open++] = (struct number){number, ours, theirs};
    return number;
}

bool chain_recall(uint64_t number, uint64_t *ours, uint64_t *theirs)
{
    for (unsigned i = n_open; i > 0; i--) {
        struct number *open = &open_numbers[i - 1];
        if (open->number == number) {
            *ours = open->ours;
            *theirs = open->theirs;
            memmove(open, open + 1, (n_open - i) * sizeof(*open));
            n_open--;
            return true;
        }
    }
    return false;
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
