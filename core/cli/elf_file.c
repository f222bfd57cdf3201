#include "cli/elf_file.h"

#include <fcntl.h>
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

bool otter_elf_imports(const struct otter_elf *elf, const char *symbol)
{
    return has_symbol(elf, symbol, false);
}

bool otter_elf_defines(const struct otter_elf *elf, const char *symbol)
{
    return has_symbol(elf, symbol, true);
}
