// Regions and profile sections as switches: recording is on inside those of setting `only`, and off inside those of `skip`, on whatever
// thread they are. The region itself is recorded. Any thread may call these, a forked child too: nothing here waits.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

enum filter_match { FILTER_NONE = 0, FILTER_ONLY = 1 << 0, FILTER_SKIP = 1 << 1 };

enum filter_use { FILTER_UNREAD = 0, FILTER_UNUSED, FILTER_USED };

// enum filter_use; only filter.c changes it.
extern atomic_int filter_use;

// Whether a name can match. The first call reads the settings, which do not change any more: it is followed by the first event.
static inline bool filter_is_used(void);
bool filter_read_settings(void);

// Bits of enum filter_match.
static inline unsigned filter_match(const char *name);
unsigned filter_match_slowly(const char *name);

// At the end, if this process is recorded: a warning for each entry of the settings that has named nothing. Once.
void filter_warn(void);

// Before and after the beginning, and the end, of a region or section with these bits is recorded.
static inline void filter_before_begin(unsigned match);
static inline void filter_after_begin(unsigned match);
static inline void filter_before_end(unsigned match);
static inline void filter_after_end(unsigned match);

// One more or one less is open: `change` is 1 or -1, `match` a single bit.
void filter_count(unsigned match, int change);

// Regions nest on their thread, and their end has no name. Returns the bits that count: of regions in each other with the same bit the
// outermost alone. While nothing can match, they need not be told.
unsigned filter_push(unsigned match);
unsigned filter_pop(void);

static inline bool filter_is_used(void)
{
    int use = atomic_load_explicit(&filter_use, memory_order_acquire);
    return __builtin_expect(use != FILTER_UNUSED, 0) &&
           (use == FILTER_USED || filter_read_settings());
}

static inline unsigned filter_match(const char *name)
{
    return filter_is_used() ? filter_match_slowly(name) : FILTER_NONE;
}

static inline void filter_before_begin(unsigned match)
{
    if (match & FILTER_ONLY) {
        filter_count(FILTER_ONLY, 1);
    }
}

static inline void filter_after_begin(unsigned match)
{
    if (match & FILTER_SKIP) {
        filter_count(FILTER_SKIP, 1);
    }
}

static inline void filter_before_end(unsigned match)
{
    if (match & FILTER_SKIP) {
        filter_count(FILTER_SKIP, -1);
    }
}

static inline void filter_after_end(unsigned match)
{
    if (match & FILTER_ONLY) {
        filter_count(FILTER_ONLY, -1);
    }
}
