// Redirects calls of functions by writing the addresses that the loader has filled in or will read;
// no code is changed.
#include "redirect.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "loader/imports.h"
#include "ompt/base/runtime.h"

struct redirection {
    const char *name;
    uintptr_t from, to;
    ElfW(Sym) * symbol;
    bool is_refused;
};

// ---- the runtime's symbol, where the loader will look it up

static bool find_symbol(struct redirection *redirection)
{
    void *function = runtime_function(redirection->name);
    Dl_info info;
    void *symbol = NULL;
    if (!function || !dladdr1(function, &info, &symbol, RTLD_DL_SYMENT) || !symbol ||
        info.dli_saddr != function || strcmp(info.dli_sname, redirection->name) != 0) {
        return false;
    }
    redirection->from = (uintptr_t)function;
    redirection->symbol = symbol;
    return true;
}

static bool write_symbol(const struct object *object, void *user)
{
    struct redirection *redirection = user;
    uintptr_t *value = &redirection->symbol->st_value;
    if (!object_contains(object, (uintptr_t)value)) {
        return false;
    }
    redirection->is_refused =
        !imports_write(object, value, redirection->to - object->info->dlpi_addr);
    return true;
}

// ---- what the loader has looked up before

static bool write_slots(const struct object *object, void *user)
{
    struct redirection *redirection = user;
    struct import import;
    for (size_t i = 0; imports_next(object, &i, &import);) {
        if (strcmp(import.name, redirection->name) == 0 &&
            (uintptr_t)import.slot % sizeof *import.slot == 0 &&
            *import.slot == redirection->from &&
            !imports_write(object, import.slot, redirection->to)) {
            redirection->is_refused = true;
        }
    }
    return false;
}

bool redirect_function(const char *name, void *replacement, void **original)
{
    struct redirection redirection = {.name = name, .to = (uintptr_t)replacement};
    if (!find_symbol(&redirection)) {
        return false;
    }
    *original = (void *)redirection.from;
    if (!objects_visit(write_symbol, &redirection) || redirection.is_refused) {
        return false;
    }
    // An object that another thread is loading may have got the old address. dladdr() waits until
    // that object is loaded.
    Dl_info info;
    dladdr(replacement, &info);
    objects_visit(write_slots, &redirection);
    return !redirection.is_refused;
}

// ---- the runtime's own imports

static bool write_slot_of_runtime(const struct object *object, void *user)
{
    struct redirection *redirection = user;
    if (!object_contains(object, runtime_address)) {
        return false;
    }
    struct import import;
    bool is_found = false;
    for (size_t i = 0; imports_next(object, &i, &import);) {
        if (strcmp(import.name, redirection->name) == 0) {
            is_found = true;
            redirection->is_refused |=
                redirection->to && !imports_write(object, import.slot, redirection->to);
        }
    }
    return is_found;
}

bool redirect_calls_of_runtime(const char *name, void *replacement)
{
    struct redirection redirection = {.name = name, .to = (uintptr_t)replacement};
    return objects_visit(write_slot_of_runtime, &redirection) && !redirection.is_refused;
}

bool redirect_reaches_runtime(const char *name)
{
    return redirect_calls_of_runtime(name, NULL);
}
