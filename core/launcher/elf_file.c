// Reads program headers, symbols and their versions from ELF files.
#include "launcher/elf_file.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gelf.h>

struct otter_elf {
    int fd;
    Elf *elf;
    GElf_Ehdr header;
};

struct otter_elf *otter_elf_open(const char *path)
{
    struct otter_elf *opened = calloc(1, sizeof *opened);
    if (!opened || elf_version(EV_CURRENT) == EV_NONE) {
        free(opened);
        return NULL;
    }
    opened->fd = open(path, O_RDONLY | O_CLOEXEC);
    opened->elf = opened->fd < 0 ? NULL : elf_begin(opened->fd, ELF_C_READ_MMAP, NULL);
    if (!opened->elf || elf_kind(opened->elf) != ELF_K_ELF ||
        !gelf_getehdr(opened->elf, &opened->header)) {
        otter_elf_close(opened);
        return NULL;
    }
    return opened;
}

void otter_elf_close(struct otter_elf *elf)
{
    if (!elf) {
        return;
    }
    elf_end(elf->elf);
    if (elf->fd >= 0) {
        close(elf->fd);
    }
    free(elf);
}

bool otter_elf_is_native(const struct otter_elf *elf)
{
    struct otter_elf *self = otter_elf_open("/proc/self/exe");
    bool is_native = !self || (self->header.e_machine == elf->header.e_machine &&
                               self->header.e_ident[EI_CLASS] == elf->header.e_ident[EI_CLASS]);
    otter_elf_close(self);
    return is_native;
}

bool otter_elf_is_library(const struct otter_elf *elf)
{
    return elf->header.e_type == ET_DYN && !otter_elf_interpreter(elf);
}

const char *otter_elf_interpreter(const struct otter_elf *elf)
{
    size_t n = 0, file_size = 0;
    elf_getphdrnum(elf->elf, &n);
    const char *file = elf_rawfile(elf->elf, &file_size);
    for (size_t i = 0; file && i < n; i++) {
        GElf_Phdr segment;
        if (!gelf_getphdr(elf->elf, (int)i, &segment) || segment.p_type != PT_INTERP) {
            continue;
        }
        bool is_inside = segment.p_filesz > 1 && segment.p_offset < file_size &&
                         segment.p_filesz <= file_size - segment.p_offset;
        const char *path = file + segment.p_offset;
        return is_inside && path[segment.p_filesz - 1] == '\0' ? path : NULL;
    }
    return NULL;
}

static bool table_has(const struct otter_elf *elf, Elf_Scn *section, const GElf_Shdr *header,
                      const char *symbol, bool is_defined)
{
    Elf_Data *data = elf_getdata(section, NULL);
    size_t n = data && header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
    for (size_t i = 0; i < n; i++) {
        GElf_Sym entry;
        if (!gelf_getsym(data, (int)i, &entry) || (entry.st_shndx != SHN_UNDEF) != is_defined) {
            continue;
        }
        const char *name = elf_strptr(elf->elf, header->sh_link, entry.st_name);
        if (name && strcmp(name, symbol) == 0) {
            return true;
        }
    }
    return false;
}

static bool has_symbol(const struct otter_elf *elf, const char *symbol, bool is_defined)
{
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf->elf, section));) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) &&
            (header.sh_type == SHT_DYNSYM || header.sh_type == SHT_SYMTAB) &&
            table_has(elf, section, &header, symbol, is_defined)) {
            return true;
        }
    }
    return false;
}

// ---- symbols with versions

// The tables that the dynamic loader reads. A file may lack any of them except `symbols`.
struct dynamic_symbols {
    Elf_Scn *symbols;
    size_t strings; // the section of the symbols' names
    Elf_Data *versions;
    Elf_Data *needed, *defined;
    size_t needed_strings, defined_strings;
};

static bool find_dynamic_symbols(const struct otter_elf *elf, struct dynamic_symbols *found)
{
    *found = (struct dynamic_symbols){0};
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf->elf, section));) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header)) {
            continue;
        }
        switch (header.sh_type) {
        case SHT_DYNSYM:
            found->symbols = section;
            found->strings = header.sh_link;
            break;
        case SHT_GNU_versym: found->versions = elf_getdata(section, NULL); break;
        case SHT_GNU_verneed:
            found->needed = elf_getdata(section, NULL);
            found->needed_strings = header.sh_link;
            break;
        case SHT_GNU_verdef:
            found->defined = elf_getdata(section, NULL);
            found->defined_strings = header.sh_link;
            break;
        default: break;
        }
    }
    return found->symbols != NULL;
}

enum { HIDDEN_VERSION = 0x8000, FIRST_VERSION = 2 }; // 0: local, 1: without a version

// Moves to the next entry of a table of versions. Returns false at the last entry, and if an offset
// in a damaged table is too large.
static bool step(int *at, GElf_Word distance)
{
    if (distance == 0 || distance > (GElf_Word)(INT_MAX - *at)) {
        return false;
    }
    *at += (int)distance;
    return true;
}

// Sets the version of the symbol with this index, if the library's entry at `at` lists it.
static bool read_version_of(const struct otter_elf *elf, const struct dynamic_symbols *tables,
                            const GElf_Verneed *library, int at, unsigned index,
                            struct otter_elf_symbol *symbol)
{
    GElf_Vernaux version;
    bool is_there = step(&at, library->vn_aux);
    while (is_there && gelf_getvernaux(tables->needed, at, &version)) {
        if (version.vna_other == index) {
            symbol->version = elf_strptr(elf->elf, tables->needed_strings, version.vna_name);
            symbol->library = elf_strptr(elf->elf, tables->needed_strings, library->vn_file);
            return true;
        }
        is_there = step(&at, version.vna_next);
    }
    return false;
}

// Sets the version of a needed symbol and the library that must have it.
static void read_needed_version(const struct otter_elf *elf, const struct dynamic_symbols *tables,
                                unsigned index, struct otter_elf_symbol *symbol)
{
    GElf_Verneed library;
    int at = 0;
    bool is_there = tables->needed != NULL;
    while (is_there && gelf_getverneed(tables->needed, at, &library) &&
           !read_version_of(elf, tables, &library, at, index, symbol)) {
        is_there = step(&at, library.vn_next);
    }
}

static const char *defined_version(const struct otter_elf *elf,
                                   const struct dynamic_symbols *tables, unsigned index)
{
    GElf_Verdef version;
    int at = 0;
    bool is_there = tables->defined != NULL;
    while (is_there && gelf_getverdef(tables->defined, at, &version)) {
        GElf_Verdaux name;
        int name_at = at;
        if (version.vd_ndx == index && step(&name_at, version.vd_aux) &&
            gelf_getverdaux(tables->defined, name_at, &name)) {
            return elf_strptr(elf->elf, tables->defined_strings, name.vda_name);
        }
        is_there = step(&at, version.vd_next);
    }
    return NULL;
}

// Returns the index of a symbol's version, including the bit HIDDEN_VERSION.
static unsigned version_index(const struct dynamic_symbols *tables, size_t i)
{
    GElf_Versym version;
    bool is_known = tables->versions && gelf_getversym(tables->versions, (int)i, &version);
    return is_known ? version : 1;
}

bool otter_elf_find_import(const struct otter_elf *elf, otter_elf_visit *visit, void *user)
{
    struct dynamic_symbols tables;
    if (!find_dynamic_symbols(elf, &tables)) {
        return false;
    }
    Elf_Data *data = elf_getdata(tables.symbols, NULL);
    GElf_Sym entry;
    for (size_t i = 1; data && gelf_getsym(data, (int)i, &entry); i++) {
        struct otter_elf_symbol symbol = {.name =
                                              elf_strptr(elf->elf, tables.strings, entry.st_name)};
        if (entry.st_shndx != SHN_UNDEF || !symbol.name || !*symbol.name) {
            continue;
        }
        unsigned index = version_index(&tables, i) & ~(unsigned)HIDDEN_VERSION;
        if (index >= FIRST_VERSION) {
            read_needed_version(elf, &tables, index, &symbol);
        }
        if (visit(&symbol, user)) {
            return true;
        }
    }
    return false;
}

// Returns whether glibc's loader resolves a reference to symbol `i`. A reference with a version
// matches that version or none; a reference without a version matches a symbol that is not hidden.
static bool satisfies(const struct otter_elf *elf, const struct dynamic_symbols *tables, size_t i,
                      const char *version)
{
    unsigned index = version_index(tables, i);
    bool is_hidden = (index & HIDDEN_VERSION) != 0;
    index &= ~(unsigned)HIDDEN_VERSION;
    if (!version || index < FIRST_VERSION) {
        return !is_hidden;
    }
    const char *own = defined_version(elf, tables, index);
    return own && strcmp(own, version) == 0;
}

bool otter_elf_satisfies(const struct otter_elf *elf, const char *name, const char *version)
{
    struct dynamic_symbols tables;
    if (!find_dynamic_symbols(elf, &tables)) {
        return false;
    }
    Elf_Data *data = elf_getdata(tables.symbols, NULL);
    GElf_Sym entry;
    for (size_t i = 1; data && gelf_getsym(data, (int)i, &entry); i++) {
        if (entry.st_shndx == SHN_UNDEF || GELF_ST_BIND(entry.st_info) == STB_LOCAL) {
            continue;
        }
        const char *own = elf_strptr(elf->elf, tables.strings, entry.st_name);
        if (own && strcmp(own, name) == 0 && satisfies(elf, &tables, i, version)) {
            return true;
        }
    }
    return false;
}

bool otter_elf_imports(const struct otter_elf *elf, const char *symbol)
{
    return has_symbol(elf, symbol, false);
}

bool otter_elf_defines(const struct otter_elf *elf, const char *symbol)
{
    return has_symbol(elf, symbol, true);
}
