// Switches the recording on and off by the labels of regions and profile sections.
#include "filter.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "otter/record.h"
#include "seen.h"

atomic_int filter_use;

static _Atomic(const char *) only, skip;            // valid when filter_use is set
static _Atomic uint64_t matched_only, matched_skip; // a bit for each entry that has matched

// The number of open regions and sections that match `only`, times OF_ONLY, plus the number that
// match `skip`. A single variable makes each change atomic. There is no lock, since a forked child
// must not wait for a thread of its parent.
#define OF_ONLY (INT64_C(1) << 32)
#define OF_SKIP INT64_C(1)
static _Atomic int64_t n_open;
static atomic_bool is_switched_off; // whether the last request to the core was a pause

// The number of open regions on this thread, and the levels of the outermost regions of `only` and
// `skip`; 0: none. Nested regions switch nothing.
static _Thread_local uint32_t n_levels, level_only, level_skip;

// Returns whether the entry at `list` is `name`. Blanks after the entry are ignored.
static bool begins_with(const char *list, const char *name, size_t length)
{
    if (strncmp(list, name, length) != 0) {
        return false;
    }
    const char *behind = list + length + strspn(list + length, " ");
    return *behind == ',' || *behind == '\0';
}

// *Returns* the bits of the entries that are `name`. Entries from the 64th on share a bit.
static uint64_t find_entries(const char *list, const char *name)
{
    size_t length = strlen(name);
    uint64_t bit = length > 0, found = 0;
    for (const char *at = list; *at; at += strcspn(at, ",")) {
        if (*at == ',') {
            at++;
            bit = bit << 1 ? bit << 1 : bit;
        }
        if (begins_with(at, name, length) || begins_with(at + strspn(at, " "), name, length)) {
            found |= bit;
        }
    }
    return found;
}

static bool is_in(const char *list, const char *name, _Atomic uint64_t *matched)
{
    uint64_t bits = find_entries(list, name);
    if (bits & ~atomic_load_explicit(matched, memory_order_relaxed)) {
        atomic_fetch_or(matched, bits);
    }
    return bits != 0;
}

static int32_t n_skipped(int64_t open)
{
    return (int32_t)open;
}

static bool is_wanted(int64_t open)
{
    int32_t n_skip = n_skipped(open);
    int64_t n_only = (open - n_skip) / OF_ONLY;
    return (!*atomic_load(&only) || n_only > 0) && n_skip == 0;
}

// Several threads may run this at the same time, with the same result.
bool filter_read_settings(void)
{
    const char *skip_list = otter_setting("skip"), *only_list = otter_setting("only");
    atomic_store(&skip, skip_list);
    atomic_store(&only, only_list);
    atomic_store(&is_switched_off, !is_wanted(atomic_load(&n_open)));
    atomic_store(&filter_use, *only_list || *skip_list ? FILTER_USED : FILTER_UNUSED);
    return *only_list || *skip_list;
}

unsigned filter_match_slowly(const char *name)
{
    const char *only_list = atomic_load(&only), *skip_list = atomic_load(&skip);
    unsigned match = (is_in(only_list, name, &matched_only) ? FILTER_ONLY : 0u) |
                     (is_in(skip_list, name, &matched_skip) ? FILTER_SKIP : 0u);
    if (match == FILTER_NONE) {
        seen_add(name);
    }
    return match;
}

void filter_warn(void)
{
    static atomic_flag was_warned = ATOMIC_FLAG_INIT;
    if (otter_control_query() == OTTER_CONTROL_ENDED || atomic_flag_test_and_set(&was_warned)) {
        return;
    }
    seen_warn("only", otter_setting("only"), atomic_load(&matched_only));
    seen_warn("skip", otter_setting("skip"), atomic_load(&matched_skip));
    if (n_skipped(atomic_load(&n_open)) > 0) {
        otter_warn("a Kokkos region or profile section of setting 'skip' never ended: nothing "
                   "was recorded after its start");
    }
}

// Starts or pauses the recording. Without `only`, the end of a region of `skip` starts the
// recording only if the region's start paused it.
static void ask(bool is_on)
{
    static atomic_bool has_paused;
    bool is_ours = *atomic_load(&only);
    if (is_on) {
        if (is_ours || atomic_exchange(&has_paused, false)) {
            otter_control_start();
        }
    } else if (is_ours || otter_control_query() == OTTER_CONTROL_RECORDING) {
        otter_control_pause();
        // Stored after the pause: a thread that starts the recording in between either finds
        // nothing to start, or runs switch_recording() again.
        atomic_store(&has_paused, true);
    }
}

// Repeats until the last request is the wanted one, since other threads that change `n_open` may
// run this at the same time.
static void switch_recording(void)
{
    bool is_on;
    do {
        is_on = is_wanted(atomic_load(&n_open));
        ask(is_on);
        atomic_store(&is_switched_off, !is_on);
    } while (is_on != is_wanted(atomic_load(&n_open)));
}

// Returns only when the recording is in the state that this change requires, even if another thread
// is about to switch it.
static void count(int64_t change)
{
    int64_t before = atomic_fetch_add(&n_open, change);
    bool is_on = is_wanted(before + change);
    if (is_on != is_wanted(before) || is_on == atomic_load(&is_switched_off)) {
        switch_recording();
    }
}

void filter_count(unsigned match, int change)
{
    count(change * (match == FILTER_ONLY ? OF_ONLY : OF_SKIP));
}

// If this level is the first that matches, stores it in *outermost and *returns* true.
static bool enters(uint32_t *outermost, bool is_named)
{
    bool is_first = is_named && *outermost == 0;
    *outermost = is_first ? n_levels : *outermost;
    return is_first;
}

static bool leaves(uint32_t *outermost)
{
    bool is_it = *outermost == n_levels;
    *outermost = is_it ? 0 : *outermost;
    return is_it;
}

unsigned filter_push(unsigned match)
{
    n_levels++;
    return (enters(&level_only, match & FILTER_ONLY) ? FILTER_ONLY : 0u) |
           (enters(&level_skip, match & FILTER_SKIP) ? FILTER_SKIP : 0u);
}

unsigned filter_pop(void)
{
    if (n_levels == 0) {
        return FILTER_NONE;
    }
    unsigned match =
        (leaves(&level_only) ? FILTER_ONLY : 0u) | (leaves(&level_skip) ? FILTER_SKIP : 0u);
    n_levels--;
    return match;
}
