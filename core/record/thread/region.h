// Maps (construct, detail, code address) to a small number. The thread's own cache answers repeated
// lookups within a few ns.
#pragma once

#include <stdint.h>

#include "record/thread/thread.h"

// *Returns* the region's id. `code` NULL: uses the address of the enclosing construct on this
// thread.
static inline uint32_t otter_region(struct otter_thread *thread, enum otter_construct construct,
                                    uint32_t detail, const void *code);

// *Returns* the address of a defined region; 0: none.
uintptr_t otter_region_address(uint32_t region);
enum otter_construct otter_region_construct(uint32_t region);

// Finds or defines the region and stores it in the thread's cache. *Thread*: any.
OTTER_COLD uint32_t otter_region_define(struct otter_thread *thread, enum otter_construct construct,
                                        uint32_t detail, uintptr_t code);

// Stores the loaded objects before the first region needs them, since this takes a long time.
void otter_region_prepare(void);

// Stores the objects that were loaded since then; samples may name their code.
void otter_region_complete(void);

// Empties the thread's cache: unconditionally, or only if other code has replaced unloaded code.
// *Thread*: the thread itself.
void otter_region_refresh(struct otter_thread *thread);

// Like otter_region_define, for a caller without a thread's cache, such as a device.
uint32_t otter_region_of(enum otter_construct construct, uint32_t detail, uintptr_t code);

// Defines a region named by a label. `texts`: label, raw label and qualifier in the journal's
// encoding. *Returns* OTTER_REGION_UNKNOWN beyond the limit. *Thread*: any.
uint32_t otter_region_define_label(enum otter_construct construct, const char *texts);

// *Returns* the region of all constructs of this kind beyond a limit; `hash` identifies a label or
// place, for the count. *Thread*: any.
OTTER_COLD uint32_t otter_region_further(enum otter_construct construct, uint64_t hash);

// *Returns* a lower bound on the number of labels and code locations beyond the limit.
uint64_t otter_region_n_beyond(void);

// *Returns* the address of the innermost open construct that has one, for a `construct` reported
// without an address. 0: that address could be on another line.
OTTER_COLD uintptr_t otter_enclosing_address(const struct otter_thread *thread,
                                             enum otter_construct construct);

static inline struct otter_region_cache_entry *otter_region_cache_at(struct otter_thread *thread,
                                                                     uint64_t kind, uintptr_t code)
{
    uintptr_t hash = (code >> 1) ^ (code >> 9) ^ kind ^ (kind >> 32);
    return &thread->region_cache[hash & (OTTER_REGION_CACHE_SIZE - 1)];
}

static inline uint64_t otter_region_kind(enum otter_construct construct, uint32_t detail)
{
    return (uint64_t)construct << 32 | detail;
}

// *Returns* whether this thread's cache contains the region; `code` is not NULL.
static inline bool otter_region_is_cached(struct otter_thread *thread,
                                          enum otter_construct construct, uint32_t detail,
                                          const void *code, uint32_t *region)
{
    uintptr_t address = (uintptr_t)code;
    uint64_t kind = otter_region_kind(construct, detail);
    const struct otter_region_cache_entry *entry = otter_region_cache_at(thread, kind, address);
    *region = entry->region;
    return entry->code == address && entry->kind == kind && address;
}

static inline uint32_t otter_region(struct otter_thread *thread, enum otter_construct construct,
                                    uint32_t detail, const void *code)
{
    uintptr_t address = (uintptr_t)code;
    if (OTTER_UNLIKELY(!address)) {
        address = otter_enclosing_address(thread, construct);
    }
    uint64_t kind = otter_region_kind(construct, detail);
    const struct otter_region_cache_entry *entry = otter_region_cache_at(thread, kind, address);
    if (OTTER_UNLIKELY(entry->code != address || entry->kind != kind)) {
        return otter_region_define(thread, construct, detail, address);
    }
    return entry->region;
}
