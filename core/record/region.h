// Regions: (construct, detail, code address) to a small number. Seen once: a few ns by the thread's own cache.
#pragma once

#include <stdint.h>

#include "record/thread.h"

// The region's id. `code` NULL: the address of the construct that encloses it on this thread.
static inline uint32_t otter_region(struct otter_thread *thread, enum otter_construct construct,
                                    uint32_t detail, const void *code);

// The address of a region that the caller knows of. 0: none.
uintptr_t otter_region_address(uint32_t region);
enum otter_construct otter_region_construct(uint32_t region);

// Looks the region up, defines it when it is new, and remembers it in the thread's cache. Any thread.
OTTER_COLD uint32_t otter_region_define(struct otter_thread *thread, enum otter_construct construct,
                                        uint32_t detail, uintptr_t code);

// Empties the thread's cache; the second one where code was unloaded, and other code lies in its place. The thread itself.
void otter_region_forget(struct otter_thread *thread);
void otter_region_follow(struct otter_thread *thread);

// As otter_region_define, for who has no thread's cache, such as a device.
uint32_t otter_region_of(enum otter_construct construct, uint32_t detail, uintptr_t code);

// Defines a region that is named by a label; OTTER_REGION_UNKNOWN beyond the limit. `texts`: label,
// raw label and qualifier as the journal has them. Any thread.
uint32_t otter_region_define_label(enum otter_construct construct, const char *texts);

// The region of all that is of `construct` and beyond a limit; `hash` names a label or place, for
// the count. Any thread.
OTTER_COLD uint32_t otter_region_further(enum otter_construct construct, uint64_t hash);

// Returns how many labels and places in the code are beyond a limit, at least.
uint64_t otter_region_n_beyond(void);

// The address for a `construct` of which none is known: that of the innermost open construct that has one. 0: that may be another line.
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

// Whether this thread has met the region before and still knows it; `code` is not NULL.
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
