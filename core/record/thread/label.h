// Maps (construct, text, qualifier) to a region. It compares contents, since runtimes pass
// temporary strings, and one address holds many names.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "record/thread/thread.h"
#include "trace/schema.h"

// Labels are never changed and never removed.
struct otter_label {
    uint32_t region;
    enum otter_construct construct;
    size_t length, qualifier_length;
    const char *qualifier;
    char text[]; // followed by the qualifier; both end with NUL
};

// *Returns* the region's id; NULL texts count as "". For a text that this thread has just used, one
// comparison suffices; any other text is hashed. The text at the address of a qualifier never
// changes.
static inline uint32_t otter_label_region(struct otter_thread *thread,
                                          enum otter_construct construct, const char *text,
                                          const char *qualifier);

// Finds the label among those of all threads, or defines it, and stores it in `entry`. If the text
// at the qualifier's address may change, `entry` must not belong to a thread's cache.
uint32_t otter_label_find(struct otter_label_cache_entry *entry, enum otter_construct construct,
                          const char *text, const char *qualifier);

// *Returns* the slot for `text`, chosen by its address, which usually identifies it, and by its
// first characters.
static inline struct otter_label_cache_entry *
otter_label_cache_at(struct otter_thread *thread, enum otter_construct construct, const char *text)
{
    uintptr_t place = (uintptr_t)text >> 3 ^ (uintptr_t)text >> 10 ^ (uintptr_t)construct;
    place += (unsigned char)text[0] + (*text ? 5u * (unsigned char)text[1] : 0);
    return &thread->label_cache[place % OTTER_LABEL_CACHE_SIZE];
}

// *Returns* the region of a text that this thread has just used, otherwise OTTER_REGION_UNKNOWN.
static inline uint32_t otter_label_cached(struct otter_thread *thread,
                                          enum otter_construct construct, const char *text,
                                          const char *qualifier)
{
    text = text ? text : "";
    const struct otter_label_cache_entry *entry = otter_label_cache_at(thread, construct, text);
    const struct otter_label *label = entry->label;
    bool is_cached = label && entry->qualifier == qualifier && label->construct == construct &&
                     strcmp(label->text, text) == 0;
    return __builtin_expect(is_cached, 1) ? label->region : OTTER_REGION_UNKNOWN;
}

static inline uint32_t otter_label_region(struct otter_thread *thread,
                                          enum otter_construct construct, const char *text,
                                          const char *qualifier)
{
    text = text ? text : "";
    uint32_t region = otter_label_cached(thread, construct, text, qualifier);
    return OTTER_UNLIKELY(region == OTTER_REGION_UNKNOWN)
               ? otter_label_find(otter_label_cache_at(thread, construct, text), construct, text,
                                  qualifier)
               : region;
}
