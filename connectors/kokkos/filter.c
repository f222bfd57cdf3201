#include "filter.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "otter/record.h"
#include "seen.h"

static _Atomic(const char *) only, skip; // NULL: not read yet
static _Atomic uint64_t matched_only,
    matched_skip; // their entries that have named something: a bit each

// Regions that are open, of `only` times OF_ONLY and those of `skip`: one number, so that who changes it knows what it was. No lock: a
// forked child must not wait for a thread that it does not have.
#define OF_ONLY (INT64_C(1) << 32)
#define OF_SKIP INT64_C(1)
static _Atomic int64_t n_open;
static atomic_bool is_switched_off; // what was asked for last

static _Thread_local uint64_t levels_only, levels_skip; // a bit a level
static _Thread_local uint32_t n_levels;

// The bit of the first entry that is `name`, or 0. Those behind the 64th have that of the last.
static uint64_t find_entry(const char *list, const char *name)
{
    size_t length = strlen(name);
    uint64_t bit = length > 0;
    for (const char *at = list; *at; at += strcspn(at, ",")) {
        if (*at == ',') {
            at++;
            bit = bit << 1 ? bit << 1 : bit;
        }
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0')) {
            return bit;
        }
    }
    return 0;
}

static bool is_in(const char *list, const char *name, _Atomic uint64_t *matched)
{
    uint64_t bit = find_entry(list, name);
    if (bit & ~atomic_load_explicit(matched, memory_order_relaxed)) {
        atomic_fetch_or(matched, bit);
    }
    return bit != 0;
}

static bool is_wanted(int64_t open)
{
    int32_t n_skip = (int32_t)open;
    int64_t n_only = (open - n_skip) / OF_ONLY;
    return (!*atomic_load(&only) || n_only > 0) && n_skip == 0;
}

// Threads that come at the same time read the same.
static void read_settings(void)
{
    atomic_store(&skip, otter_setting("skip"));
    atomic_store(&only, otter_setting("only"));
    atomic_store(&is_switched_off, !is_wanted(atomic_load(&n_open)));
}

unsigned filter_match(const char *name)
{
    if (!atomic_load_explicit(&only, memory_order_acquire)) {
        read_settings();
    }
    const char *kept = atomic_load_explicit(&only, memory_order_relaxed);
    const char *left_out = atomic_load_explicit(&skip, memory_order_relaxed);
    if (!*kept && !*left_out) {
        return FILTER_NONE;
    }
    unsigned match = (is_in(kept, name, &matched_only) ? FILTER_ONLY : 0u) |
                     (is_in(left_out, name, &matched_skip) ? FILTER_SKIP : 0u);
    if (match == FILTER_NONE) {
        seen_add(name);
    }
    return match;
}

void filter_warn(void)
{
    static atomic_flag was_told = ATOMIC_FLAG_INIT;
    if (otter_control_query() == OTTER_CONTROL_ENDED || atomic_flag_test_and_set(&was_told)) {
        return;
    }
    seen_warn("only", otter_setting("only"), atomic_load(&matched_only));
    seen_warn("skip", otter_setting("skip"), atomic_load(&matched_skip));
}

// What is asked for last is what is wanted: whoever asks looks again afterwards, and another that changed it meanwhile asks as well.
static void switch_recording(void)
{
    bool is_on;
    do {
        is_on = is_wanted(atomic_load(&n_open));
        if (is_on) {
            otter_control_start();
        } else {
            otter_control_pause();
        }
        atomic_store(&is_switched_off, !is_on);
    } while (is_on != is_wanted(atomic_load(&n_open)));
}

// Nobody goes on before recording is as this change leaves it, also if another thread is about to switch it.
static void count(int64_t change)
{
    int64_t before = atomic_fetch_add(&n_open, change);
    bool is_on = is_wanted(before + change);
    if (is_on != is_wanted(before) || is_on == atomic_load(&is_switched_off)) {
        switch_recording();
    }
}

void filter_before_begin(unsigned match)
{
    if (match & FILTER_ONLY) {
        count(OF_ONLY);
    }
}

void filter_after_begin(unsigned match)
{
    if (match & FILTER_SKIP) {
        count(OF_SKIP);
    }
}

void filter_before_end(unsigned match)
{
    if (match & FILTER_SKIP) {
        count(-OF_SKIP);
    }
}

void filter_after_end(unsigned match)
{
    if (match & FILTER_ONLY) {
        count(-OF_ONLY);
    }
}

static uint64_t bit_of_level(void)
{
    return n_levels < 64 ? UINT64_C(1) << n_levels : 0;
}

unsigned filter_push(unsigned match)
{
    uint64_t bit = bit_of_level();
    n_levels++;
    levels_only = match & FILTER_ONLY ? levels_only | bit : levels_only & ~bit;
    levels_skip = match & FILTER_SKIP ? levels_skip | bit : levels_skip & ~bit;
    return bit ? match : FILTER_NONE;
}

unsigned filter_pop(void)
{
    if (n_levels == 0) {
        return FILTER_NONE;
    }
    n_levels--;
    uint64_t bit = bit_of_level();
    return (levels_only & bit ? FILTER_ONLY : 0u) | (levels_skip & bit ? FILTER_SKIP : 0u);
}
