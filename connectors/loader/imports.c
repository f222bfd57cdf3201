// Reads the imports of the objects of the process, and writes into their private memory.
#include "loader/imports.h"

#include <sys/mman.h>
#include <unistd.h>

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

// Returns whether the loader made the page read-only after the relocation of the object.
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
