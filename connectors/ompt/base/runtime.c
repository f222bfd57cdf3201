// Finds the OpenMP runtime and libotter-gomp.so among the objects of the process.
#include "runtime.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <string.h>

uintptr_t runtime_address, runtime_begin, runtime_size;
const char *runtime_path;
uintptr_t runtime_shim_begin, runtime_shim_size;
uintptr_t runtime_both_begin, runtime_both_size;

struct search {
    uintptr_t address;
    uintptr_t begin, size; // where the object is mapped; 0, 0: the address is in the program itself
    const char *path;      // NULL: the address is in the program itself
};

static int visit_object(struct dl_phdr_info *info, size_t size, void *user)
{
    struct search *search = user;
    uintptr_t begin = UINTPTR_MAX, end = 0;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type == PT_LOAD) {
            uintptr_t at = info->dlpi_addr + header->p_vaddr;
            begin = at < begin ? at : begin;
            end = at + header->p_memsz > end ? at + header->p_memsz : end;
        }
    }
    if (search->address < begin || search->address >= end) {
        return 0;
    }
    if (info->dlpi_name && *info->dlpi_name) {
        search->begin = begin;
        search->size = end - begin;
        search->path = info->dlpi_name;
    }
    return 1;
}

static struct search find_object(uintptr_t address)
{
    struct search search = {.address = address};
    dl_iterate_phdr(visit_object, &search);
    return search;
}

static const void *(*shim_caller)(void), *(*shim_sections)(void), *(*shim_barrier)(void);

// Extends the range of both objects to `object`, if that was found.
static void cover(const struct search *object)
{
    if (object->size == 0) {
        return;
    }
    uintptr_t end = runtime_both_begin + runtime_both_size,
              object_end = object->begin + object->size;
    if (runtime_both_size == 0) {
        runtime_both_begin = end = object->begin;
    }
    runtime_both_begin = object->begin < runtime_both_begin ? object->begin : runtime_both_begin;
    runtime_both_size = (object_end > end ? object_end : end) - runtime_both_begin;
}

void runtime_find(const void *address_in_runtime)
{
    runtime_address = (uintptr_t)address_in_runtime;
    struct search runtime = find_object(runtime_address);
    runtime_begin = runtime.begin;
    runtime_size = runtime.size;
    runtime_path = runtime.path; // the runtime is never unloaded
    void *caller = dlsym(RTLD_DEFAULT, "otter_gomp_caller");
    void *sections = dlsym(RTLD_DEFAULT, "otter_gomp_sections");
    void *barrier = dlsym(RTLD_DEFAULT, "otter_gomp_take_barrier");
    cover(&runtime);
    if (caller && sections && barrier) {
        struct search shim = find_object((uintptr_t)caller);
        memcpy(&shim_caller, &caller, sizeof caller);
        memcpy(&shim_sections, &sections, sizeof sections);
        memcpy(&shim_barrier, &barrier, sizeof barrier);
        runtime_shim_begin = shim.begin;
        runtime_shim_size = shim.size;
        cover(&shim);
    }
}

const void *runtime_caller_of_shim(void)
{
    return shim_caller();
}

const void *runtime_caller(const void *code)
{
    if ((uintptr_t)code - runtime_shim_begin < runtime_shim_size) {
        return runtime_caller_of_shim();
    }
    return runtime_contains(code) ? NULL : code;
}

const void *runtime_sections(void)
{
    return shim_sections ? shim_sections() : NULL;
}

const void *runtime_take_barrier(void)
{
    return shim_barrier ? shim_barrier() : NULL;
}

void *runtime_function(const char *name)
{
    void *runtime = runtime_path ? dlopen(runtime_path, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    void *function = runtime ? dlsym(runtime, name) : NULL;
    if (runtime) {
        dlclose(runtime);
    }
    return runtime_contains(function) ? function : NULL;
}
