// Finds the OpenMP runtime and its callers among the objects of the process.
#include "runtime.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <string.h>

#include "objects.h"

uintptr_t runtime_address, runtime_begin, runtime_size;
const char *runtime_path;
uintptr_t runtime_shim_begin, runtime_shim_size;

struct search {
    uintptr_t address;
    uintptr_t begin, size; // of the object; 0, 0: the address is in the program itself
    const char *path;      // likewise NULL
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

static const void *(*shim_caller)(void);

void runtime_find(const void *address_in_runtime)
{
    runtime_address = (uintptr_t)address_in_runtime;
    struct search runtime = find_object(runtime_address);
    runtime_begin = runtime.begin;
    runtime_size = runtime.size;
    runtime_path = runtime.path; // the runtime is never unloaded
    void *caller = dlsym(RTLD_DEFAULT, "otter_gomp_caller");
    if (caller) {
        struct search shim = find_object((uintptr_t)caller);
        memcpy(&shim_caller, &caller, sizeof caller);
        runtime_shim_begin = shim.begin;
        runtime_shim_size = shim.size;
    }
}

const void *runtime_caller_of_shim(void)
{
    return shim_caller();
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

// ---- imports

// A search for an object of the process that imports one of some functions.
struct imports {
    const char *const *names; // the last one is NULL
    bool is_found;
};

static bool is_among(const char *name, const char *const *names)
{
    while (*names && strcmp(name, *names) != 0) {
        names++;
    }
    return *names != NULL;
}

static bool imports_any(const struct object *object, const char *const *names)
{
    struct object_import import;
    for (size_t i = 0; object_next_import(object, &i, &import);) {
        if (is_among(import.name, names)) {
            return true;
        }
    }
    return false;
}

// libomptarget calls the affected entry points only for calls of the program: the program's imports
// decide.
static bool is_part_of_runtime(const char *path)
{
    static const char name[] = "libomptarget.so";
    const char *slash = path ? strrchr(path, '/') : NULL;
    return path && strncmp(slash ? slash + 1 : path, name, sizeof(name) - 1) == 0;
}

static bool visit_imports(const struct object *object, void *user)
{
    struct imports *imports = user;
    bool is_runtime = object_contains(object, runtime_begin); // which may call itself
    imports->is_found = !is_runtime && !is_part_of_runtime(object->info->dlpi_name) &&
                        imports_any(object, imports->names);
    return imports->is_found;
}

static bool imports(const char *const *names)
{
    struct imports imports = {.names = names};
    objects_visit(visit_imports, &imports);
    return imports.is_found;
}

// The functions that call the faulty one: clang's for `taskwait depend` and `task if() depend`,
// GCC's, and those of libomptarget for `interop depend`.
bool runtime_may_corrupt_dependences(void)
{
    static const char *const names[] = {"__kmpc_omp_taskwait_deps_51",
                                        "__kmpc_omp_wait_deps",
                                        "GOMP_task",
                                        "GOMP_taskwait_depend",
                                        "__tgt_interop_init",
                                        "__tgt_interop_use",
                                        "__tgt_interop_destroy",
                                        NULL};
    return !runtime_size || imports(names); // linked into the program, which then imports nothing
}

bool runtime_is_called_by_gcc(void)
{
    static const char *const names[] = {"GOMP_task", NULL};
    return imports(names);
}
