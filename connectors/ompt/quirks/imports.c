// Reads the imports of the objects of the process, and writes into their private memory.
#include "imports.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ompt/base/runtime.h"

bool imports_next(const struct object *object, size_t *position, struct import *import)
{
    while (*position < object->n[0] + object->n[1]) {
        size_t i = (*position)++;
        const ElfW(Rela) *relocation =
            i < object->n[0] ? &object->tables[0][i] : &object->tables[1][i - object->n[0]];
        const ElfW(Sym) *symbol = &object->symbols[ELF64_R_SYM(relocation->r_info)];
        if (symbol->st_name) {
            import->name = object->strings + symbol->st_name;
            import->slot = (uintptr_t *)(object->info->dlpi_addr + relocation->r_offset);
            return true;
        }
    }
    return false;
}

// Whether the loader made the page read-only after the relocation of the object.
static bool is_protected(const struct object *object, uintptr_t page, uintptr_t page_size)
{
    for (size_t i = 0; i < object->info->dlpi_phnum; i++) {
        const object_header *header = &object->info->dlpi_phdr[i];
        uintptr_t begin = object->info->dlpi_addr + header->p_vaddr;
        if (header->p_type == PT_GNU_RELRO && page >= (begin & -page_size) &&
            page < ((begin + header->p_memsz) & -page_size)) {
            return true;
        }
    }
    return false;
}

bool imports_write(const struct object *object, uintptr_t *word, uintptr_t value)
{
    const object_header *segment = object_segment(object, (uintptr_t)word);
    if (!segment || (uintptr_t)word % sizeof *word != 0) {
        return false;
    }
    uintptr_t page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t page = (uintptr_t)word & -page_size;
    int protection = (segment->p_flags & PF_R ? PROT_READ : 0) |
                     (segment->p_flags & PF_X ? PROT_EXEC : 0); // other threads may execute it
    bool is_writable = segment->p_flags & PF_W && !is_protected(object, page, page_size);
    if (!is_writable && mprotect((void *)page, page_size, protection | PROT_WRITE) != 0) {
        return false;
    }
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
    if (!is_writable) {
        mprotect((void *)page, page_size, protection);
    }
    return true;
}

// ---- searches

static bool is_among(const char *name, const char *const *names)
{
    while (*names && strcmp(name, *names) != 0) {
        names++;
    }
    return *names != NULL;
}

static bool imports_any(const struct object *object, const char *const *names)
{
    struct import import;
    for (size_t i = 0; imports_next(object, &i, &import);) {
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
    bool is_runtime = object_contains(object, runtime_begin); // which may call itself
    return !is_runtime && !is_part_of_runtime(object->info->dlpi_name) &&
           imports_any(object, *(const char *const **)user);
}

bool imports_are_loaded(const char *const *names)
{
    return objects_visit(visit_imports, &names);
}
