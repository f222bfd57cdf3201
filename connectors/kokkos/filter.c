#include "filter.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "otter/record.h"

static const char *only = "", *skip = "";
static pthread_mutex_t lock =
    PTHREAD_MUTEX_INITIALIZER; // of what follows, and of the order in which recording is switched
static long n_only, n_skip;

static _Thread_local uint64_t levels_only, levels_skip; // a bit a level
static _Thread_local uint32_t n_levels;

static void read_settings(void)
{
    only = otter_setting("only");
    skip = otter_setting("skip");
}

static bool is_in(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; *at; at += strcspn(at, ",")) {
        at += *at == ',';
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0')) {
            return length > 0;
        }
    }
    return false;
}

unsigned filter_match(const char *name)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_settings);
    return (*only && is_in(only, name) ? FILTER_ONLY : 0u) |
           (*skip && is_in(skip, name) ? FILTER_SKIP : 0u);
}

static bool is_wanted(void)
{
    return (!*only || n_only > 0) && n_skip == 0;
}

static void count(long *n, long change)
{
    pthread_mutex_lock(&lock);
    bool was_wanted = is_wanted();
    *n += change;
    if (is_wanted() && !was_wanted) {
        otter_control_start();
    } else if (was_wanted && !is_wanted()) {
        otter_control_pause();
    }
    pthread_mutex_unlock(&lock);
}

void filter_before_begin(unsigned match)
{
    if (match & FILTER_ONLY) {
        count(&n_only, 1);
    }
}

void filter_after_begin(unsigned match)
{
    if (match & FILTER_SKIP) {
        count(&n_skip, 1);
    }
}

void filter_before_end(unsigned match)
{
    if (match & FILTER_SKIP) {
        count(&n_skip, -1);
    }
}

void filter_after_end(unsigned match)
{
    if (match & FILTER_ONLY) {
        count(&n_only, -1);
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
