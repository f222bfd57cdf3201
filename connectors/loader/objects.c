// Reads the dynamic sections of the objects of the process.
#include "objects.h"

#include <elf.h>
#include <string.h>

// Adds the load address, unless the loader has already added it. glibc's loader adds it; other
// loaders and the vDSO do not.
static const void *pointer(const struct dl_phdr_info *info, ElfW(Addr) value)
{
    return (const void *)(value >= info->dlpi_addr ? value : info->dlpi_addr + value);
}

static void read_dynamic(const ElfW(Dyn) * entry, struct object *object)
{
    for (; entry->d_tag != DT_NULL; entry++) {
        const void *at = pointer(object->info, entry->d_un.d_ptr);
        switch (entry->d_tag) {
        case DT_STRTAB: object->strings = at; break;
        case DT_SYMTAB: object->symbols = at; break;
        case DT_JMPREL: object->tables[0] = at; break;
        case DT_PLTRELSZ: object->n[0] = entry->d_un.d_val / sizeof(ElfW(Rela)); break;
        case DT_RELA: object->tables[1] = at; break;
        case DT_GNU_HASH: object->hash = at; break;
        case DT_RELASZ: object->n[1] = entry->d_un.d_val / sizeof(ElfW(Rela)); break;
        default: break;
        }
    }
}

static bool read_object(struct object *object)
{
    const struct dl_phdr_info *info = object->info;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC) {
            read_dynamic((const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr), object);
        }
    }
    for (size_t t = 0; t < 2; t++) {
        object->n[t] = object->tables[t] ? object->n[t] : 0;
    }
    return object->strings && object->symbols;
}

struct visit {
    bool (*function)(const struct object *, void *);
    void *user;
};

static int visit_object(struct dl_phdr_info *info, size_t size, void *user)
{
    const struct visit *visit = user;
    struct object object = {.info = info};
    return read_object(&object) && visit->function(&object, visit->user);
}

bool objects_visit(bool (*visit)(const struct object *, void *), void *user)
{
    return dl_iterate_phdr(visit_object, &(struct visit){visit, user}) != 0;
}

const object_header *object_segment(const struct object *object, uintptr_t address)
{
    for (size_t i = 0; i < object->info->dlpi_phnum; i++) {
        const object_header *header = &object->info->dlpi_phdr[i];
        uintptr_t begin = object->info->dlpi_addr + header->p_vaddr;
        if (header->p_type == PT_LOAD && address - begin < header->p_memsz) {
            return header;
        }
    }
    return NULL;
}

bool object_contains(const struct object *object, uintptr_t address)
{
    return object_segment(object, address) != NULL;
}

static uint32_t hash_of(const char *name)
{
    uint32_t hash = 5381;
    for (; *name; name++) {
        hash = hash * 33 + (unsigned char)*name;
    }
    return hash;
}

// The table holds the number of buckets, the first symbol, the number of filter words, a shift, and
// the filter. Then follow the first symbol of each bucket, and the hash of each symbol. The lowest
// bit of a hash ends a bucket.
static const ElfW(Sym) * find_symbol(const struct object *object, const char *name)
{
    const uint32_t *table = object->hash;
    const uint32_t *buckets = (const uint32_t *)((const ElfW(Addr) *)(table + 4) + table[2]);
    const uint32_t *hashes = buckets + table[0];
    uint32_t hash = hash_of(name);
    uint32_t i = table[0] ? buckets[hash % table[0]] : 0;
    for (; i >= table[1]; i++) {
        uint32_t other = hashes[i - table[1]];
        const ElfW(Sym) *symbol = &object->symbols[i];
        if ((other | 1) == (hash | 1) && strcmp(object->strings + symbol->st_name, name) == 0) {
            return symbol;
        }
        if (other & 1) {
            break;
        }
    }
    return NULL;
}

void *object_definition(const struct object *object, const char *name)
{
    const ElfW(Sym) *symbol = object->hash ? find_symbol(object, name) : NULL;
    bool is_defined = symbol && symbol->st_shndx != SHN_UNDEF;
    return is_defined ? (void *)(object->info->dlpi_addr + symbol->st_value) : NULL;
}
