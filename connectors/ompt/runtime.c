#include "runtime.h"

#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <string.h>

uintptr_t runtime_begin, runtime_size;

struct search {
    uintptr_t address;
    bool is_found;
};

static int visit_runtime(struct dl_phdr_info *info, size_t size, void *user)
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
    search->is_found = true;
    if (info->dlpi_name &&
        *info->dlpi_name) { // else: linked into the program, and not to be told from it
        runtime_begin = begin;
        runtime_size = end - begin;
    }
    return 1;
}

void runtime_find(const void *address_in_runtime)
{
    struct search search = {.address = (uintptr_t)address_in_runtime};
    dl_iterate_phdr(visit_runtime, &search);
}

// ---- imports

// The parts of an object's dynamic section that relocations need.
struct dynamic {
    const char *strings;
    const ElfW(Sym) * symbols;
    const ElfW(Rela) * tables[2];
    size_t sizes[2]; // bytes
};

static const void *pointer(const struct dl_phdr_info *info, ElfW(Addr) value)
{
    // glibc has added the load address, other loaders (and the vDSO) have not.
    return (const void *)(value >= info->dlpi_addr ? value : info->dlpi_addr + value);
}

static void read_dynamic(const struct dl_phdr_info *info, const ElfW(Dyn) * entry,
                         struct dynamic *dynamic)
{
    for (; entry->d_tag != DT_NULL; entry++) {
        switch (entry->d_tag) {
        case DT_STRTAB: dynamic->strings = pointer(info, entry->d_un.d_ptr); break;
        case DT_SYMTAB: dynamic->symbols = pointer(info, entry->d_un.d_ptr); break;
        case DT_JMPREL: dynamic->tables[0] = pointer(info, entry->d_un.d_ptr); break;
        case DT_PLTRELSZ: dynamic->sizes[0] = entry->d_un.d_val; break;
        case DT_RELA: dynamic->tables[1] = pointer(info, entry->d_un.d_ptr); break;
        case DT_RELASZ: dynamic->sizes[1] = entry->d_un.d_val; break;
        default: break;
        }
    }
}

// What an object of the process is to be looked through for.
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

static bool imports_any(const struct dynamic *dynamic, const char *const *names)
{
    if (!dynamic->strings || !dynamic->symbols) {
        return false;
    }
    for (size_t t = 0; t < 2; t++) {
        size_t n = dynamic->tables[t] ? dynamic->sizes[t] / sizeof(ElfW(Rela)) : 0;
        for (size_t i = 0; i < n; i++) {
            const ElfW(Sym) *symbol = &dynamic->symbols[ELF64_R_SYM(dynamic->tables[t][i].r_info)];
            if (symbol->st_name && is_among(dynamic->strings + symbol->st_name, names)) {
                return true;
            }
        }
    }
    return false;
}

// libomptarget goes there only when the program asks it to: what counts is what the program imports from it.
static bool is_part_of_runtime(const char *path)
{
    static const char name[] = "libomptarget.so";
    const char *slash = path ? strrchr(path, '/') : NULL;
    return path && strncmp(slash ? slash + 1 : path, name, sizeof(name) - 1) == 0;
}

static int visit_imports(struct dl_phdr_info *info, size_t size, void *user)
{
    struct imports *imports = user;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        uintptr_t at = info->dlpi_addr + header->p_vaddr;
        bool is_runtime = at - runtime_begin < runtime_size; // which may call itself
        if (header->p_type == PT_DYNAMIC && !is_runtime && !is_part_of_runtime(info->dlpi_name)) {
            struct dynamic dynamic = {.strings = NULL};
            read_dynamic(info, (const void *)at, &dynamic);
            imports->is_found = imports->is_found || imports_any(&dynamic, imports->names);
        }
    }
    return imports->is_found;
}

static bool imports(const char *const *names)
{
    struct imports imports = {.names = names};
    dl_iterate_phdr(visit_imports, &imports);
    return imports.is_found;
}

// Functions that lead to the one with the fault: clang's for `taskwait depend` and `task if() depend`, GCC's, and those of
// libomptarget for `interop depend`.
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
