// The objects of the process as the dynamic loader lists them, and their lines in the journal.
#include "record/process/modules.h"

#include <elf.h>
#include <inttypes.h>
#include <limits.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text/strings.h"
#include "record/process/output.h"
#include "recording/journal.h"

enum { MAX_MODULES = 1024, MAX_BUILD_ID = 64 };

struct module {
    uintptr_t begin, end;
    uintptr_t bias;
    uint64_t identity; // hash of the module's build id and path
    uint32_t turn;     // of modules at the same addresses, the one with the highest turn is loaded
};

static struct module modules[MAX_MODULES];
static uint32_t n_modules, n_turns; // each turn has a line in the journal
static unsigned long long n_unloaded;
static _Atomic uint32_t n_replaced;

static struct module *find(uintptr_t address)
{
    struct module *found = NULL;
    for (size_t i = 0; i < n_modules; i++) {
        struct module *module = &modules[i];
        if (address >= module->begin && address < module->end &&
            (!found || module->turn > found->turn)) {
            found = module;
        }
    }
    return found;
}

uint32_t otter_modules_at(uintptr_t address)
{
    const struct module *module = address ? find(address) : NULL;
    return module ? (uint32_t)(module - modules) + 1 : 0;
}

uint32_t otter_modules_n_replaced(void)
{
    return atomic_load(&n_replaced);
}

// Writes the build id in hexadecimal, or an empty text.
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

// *Returns* build id and path in the journal's encoding. Caller holds the lock of regions.
static const char *describe(const struct dl_phdr_info *info)
{
    static char path[PATH_MAX], encoded[3 * PATH_MAX],
        text[sizeof(encoded) + 6 * MAX_BUILD_ID]; // static: a thread's stack may be small
    char build_id[2 * MAX_BUILD_ID + 1], encoded_id[sizeof(build_id)];
    if (info->dlpi_name && *info->dlpi_name) {
        snprintf(path, sizeof(path), "%s", info->dlpi_name);
    } else { // the program itself
        ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
        path[length > 0 ? length : 0] = '\0';
    }
    // The loader stores the path passed to dlopen. If it is relative, it is resolved now: the
    // working folder has probably not changed since dlopen, and the build id verifies the file.
    if (*path != '/' && strchr(path, '/') && realpath(path, encoded)) {
        memcpy(path, encoded, strlen(encoded) + 1);
    }
    read_build_id(info, build_id, sizeof(build_id));
    snprintf(text, sizeof(text), "%s %s",
             otter_journal_encode(build_id, encoded_id, sizeof(encoded_id)),
             otter_journal_encode(path, encoded, sizeof(encoded)));
    return text;
}

static bool is_same(const struct module *a, const struct module *b)
{
    return a->begin == b->begin && a->end == b->end && a->bias == b->bias &&
           a->identity == b->identity;
}

// *Returns* the entry of the same module at the same addresses, or a new entry.
static struct module *entry_of(const struct module *module)
{
    for (size_t i = 0; i < n_modules; i++) {
        if (is_same(&modules[i], module)) {
            return &modules[i];
        }
    }
    modules[n_modules] = *module;
    return &modules[n_modules++];
}

// Adds every object that is new or has moved. There are never more modules than turns.
static int visit(struct dl_phdr_info *info, size_t size, void *user)
{
    struct module module = extent(info);
    n_unloaded = info->dlpi_subs;
    if (n_turns == MAX_MODULES || module.begin >= module.end) {
        return n_turns == MAX_MODULES;
    }
    const char *text = describe(info);
    module.identity = otter_string_hash(text);
    const struct module *there = find(module.begin);
    if (there && is_same(there, &module)) {
        return 0;
    }
    if (!otter_output_define("module %" PRIxPTR " %" PRIxPTR " %" PRIxPTR " %s", module.begin,
                             module.end, module.bias, text)) {
        entry_of(&module)->turn = ++n_turns;
        atomic_fetch_add(&n_replaced, there != NULL);
    }
    return 0;
}

// Each object reports the number of unloaded objects, so the first one suffices.
static int has_unloaded(struct dl_phdr_info *info, size_t size, void *user)
{
    return info->dlpi_subs != n_unloaded ? 1 : -1;
}

void otter_modules_note_all(void)
{
    dl_iterate_phdr(visit, NULL);
}

bool otter_modules_note(uintptr_t address)
{
    uint32_t before = otter_modules_n_replaced();
    if (address && (!find(address) || dl_iterate_phdr(has_unloaded, NULL) > 0)) {
        otter_modules_note_all();
    }
    return otter_modules_n_replaced() != before;
}
