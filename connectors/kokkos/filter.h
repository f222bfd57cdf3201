// The settings `only` and `skip`: regions and profile sections that switch the recording on or off,
// for all threads. These regions are themselves recorded.
// *Thread*: any, even in a forked child, since no function waits.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

enum filter_match { FILTER_NONE = 0, FILTER_ONLY = 1 << 0, FILTER_SKIP = 1 << 1 };

enum filter_use { FILTER_UNREAD = 0, FILTER_UNUSED, FILTER_USED };

// enum filter_use; only filter.c changes it.
extern atomic_int filter_use;

bool filter_read_settings(void);
unsigned filter_match_slowly(const char *name);

// Prints a warning for each entry of the settings that matched nothing, if this process is
// recorded. Only the first call prints.
void filter_warn(void);

// Counts the open regions and sections: `change` is 1 or -1, `match` a single bit.
void filter_count(unsigned match, int change);

// Track the nesting of regions on a thread, since Kokkos does not name the region that ends. Needed
// only while filter_is_used().
// *Returns* the bits for which this region is the outermost one.
unsigned filter_push(unsigned match);
unsigned filter_pop(void);

// Returns whether any name can match. The first call reads the settings, which do not change after
// the first event.
static inline bool filter_is_used(void)
{
    int use = atomic_load_explicit(&filter_use, memory_order_acquire);
    return __builtin_expect(use != FILTER_UNUSED, 0) &&
           (use == FILTER_USED || filter_read_settings());
}

// *Returns* bits of enum filter_match.
static inline unsigned filter_match(const char *name)
{
    return filter_is_used() ? filter_match_slowly(name) : FILTER_NONE;
}

// These four functions are called before and after the start, and before and after the end, of a
// recorded region or section.
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
