#include "record/modules.h"

#include <elf.h>
#include <inttypes.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/output.h"
#include "trace/journal.h"

enum { MAX_MODULES = 1024, MAX_BUILD_ID = 64 };

struct module {
    uintptr_t begin, end;
    uintptr_t bias;
};

static struct module modules[MAX_MODULES];
static size_t n_modules;

static const struct module *find(uintptr_t address)
{
    for (size_t i = n_modules; i > 0; i--) {
        if (address >= modules[i - 1].begin && address < modules[i - 1].end) {
            return &modules[i - 1];
        }
    }
    return NULL;
}

// Writes the build id in hexadecimal, or nothing.
static void read_build_id(const struct dl_phdr_info *info, char *text, size_t size)
{
    *text = '\0';
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_NOTE) {
            continue;
        }
        const char *note = (const char *)(info->dlpi_addr + header->p_vaddr);
        const char *end = note + header->p_memsz;
        while (note + sizeof(ElfW(Nhdr)) <= end) {
            const ElfW(Nhdr) *head = (const void *)note;
            const char *name = note + sizeof(*head);
            const unsigned char *data = (const unsigned char *)name + ((head->n_namesz + 3) & ~3U);
            if (head->n_type == NT_GNU_BUILD_ID && head->n_namesz == 4 &&
                memcmp(name, "GNU", 4) == 0) {
                for (size_t k = 0; k < head->n_descsz && 2 * k + 3 < size; k++) {
                    snprintf(text + 2 * k, 3, "%02x", data[k]);
                }
                return;
            }
            note = (const char *)data + ((head->n_descsz + 3) & ~3U);
        }
    }
}

static struct module extent(const struct dl_phdr_info *info)
{
    struct module module = {.begin = UINTPTR_MAX, .end = 0, .bias = info->dlpi_addr};
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_LOAD) {
            continue;
        }
        uintptr_t begin = info->dlpi_addr + header->p_vaddr;
        module.begin = begin < module.begin ? begin : module.begin;
        module.end = begin + header->p_memsz > module.end ? begin + header->p_memsz : module.end;
    }
    return module;
}

// Caller holds the lock of regions.
static void add(const struct dl_phdr_info *info, struct module module)
{
    static char path[PATH_MAX],
        encoded[3 * PATH_MAX]; // not on a thread's stack, which may be small
    char build_id[2 * MAX_BUILD_ID + 1], encoded_id[sizeof(build_id)];
    if (info->dlpi_name && *info->dlpi_name) {
        snprintf(path, sizeof(path), "%s", info->dlpi_name);
    } else { // the program itself
        ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
        path[length > 0 ? length : 0] = '\0';
    }
    // The loader keeps what dlopen was given. The working folder is most likely still that of then, and the build id tells.
    if (*path != '/' && strchr(path, '/') && realpath(path, encoded)) {
        memcpy(path, encoded, strlen(encoded) + 1);
    }
    read_build_id(info, build_id, sizeof(build_id));
    if (!otter_output_define("module %" PRIxPTR " %" PRIxPTR " %" PRIxPTR " %s %s", module.begin,
                             module.end, module.bias,
                             otter_journal_encode(build_id, encoded_id, sizeof(encoded_id)),
                             otter_journal_encode(path, encoded, sizeof(encoded)))) {
        modules[n_modules++] = module;
    }
}

// Adds every object that is not known as it lies now.
static int visit(struct dl_phdr_info *info, size_t size, void *user)
{
    struct module module = extent(info);
    if (n_modules == MAX_MODULES || module.begin >= module.end) {
        return n_modules == MAX_MODULES;
    }
    const struct module *known = find(module.begin);
    if (!known || known->begin != module.begin || known->end != module.end ||
        known->bias != module.bias) {
        add(info, module);
    }
    return 0;
}

void otter_modules_note(uintptr_t address)
{
    if (address && !find(address)) {
        dl_iterate_phdr(visit, NULL);
    }
}
