// Stores labels and suggests them for misspelt entries of settings.
#include "seen.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "otter/record.h"
#include "text.h"

enum { N_SEEN = 64, NAME_SIZE = 64, N_LISTED = 8, HINT_SIZE = 1024 };

enum state { FREE = 0, BEING_MADE, READY };

static struct {
    _Atomic int state; // enum state
    char name[NAME_SIZE];
} seen[N_SEEN];

static bool is_seen(uint32_t i)
{
    return atomic_load(&seen[i].state) == READY;
}

void seen_add(const char *label)
{
    char name[NAME_SIZE];
    snprintf(name, sizeof(name), "%.*s", (int)text_fit(label, NAME_SIZE - 1), label);
    for (uint32_t i = 0; i < N_SEEN && *name; i++) {
        int is_free = FREE;
        if (atomic_compare_exchange_strong(&seen[i].state, &is_free, BEING_MADE)) {
            memcpy(seen[i].name, name, sizeof(name));
            atomic_store(&seen[i].state, READY);
            return;
        }
        if (is_seen(i) && strcmp(seen[i].name, name) == 0) {
            return;
        }
    }
}

static uint32_t smallest(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t ab = a < b ? a : b;
    return ab < c ? ab : c;
}

// *Returns* the number of letters to insert, delete or change (Levenshtein's distance).
static uint32_t distance(const char *entry, size_t length, const char *name)
{
    uint32_t row[NAME_SIZE];
    size_t n = strlen(name);
    for (uint32_t i = 0; i <= n; i++) {
        row[i] = i;
    }
    for (uint32_t k = 0; k < length; k++) {
        uint32_t before = row[0];
        row[0] = k + 1;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t above = row[i + 1];
            row[i + 1] = smallest(above + 1, row[i] + 1, before + (entry[k] != name[i]));
            before = above;
        }
    }
    return row[n];
}

// *Returns* the label nearest to `entry` that is not in `listed`, or N_SEEN.
static uint32_t nearest(const char *entry, size_t length, uint64_t listed)
{
    uint32_t best = N_SEEN, least = UINT32_MAX;
    for (uint32_t i = 0; i < N_SEEN; i++) {
        bool is_new = is_seen(i) && !(listed >> i & 1);
        uint32_t far = is_new ? distance(entry, length, seen[i].name) : UINT32_MAX;
        best = far < least ? i : best;
        least = far < least ? far : least;
    }
    return best;
}

static void warn(const char *setting, const char *entry, size_t length)
{
    char hint[HINT_SIZE] = "; the program had none";
    uint64_t listed = 0;
    size_t n = 0;
    for (uint32_t i = 0; i < N_LISTED; i++) {
        uint32_t next = nearest(entry, length, listed);
        if (next < N_SEEN) {
            n += (size_t)snprintf(hint + n, sizeof(hint) - n, "%s'%s'",
                                  i ? ", " : "; the program had: ", seen[next].name);
            listed |= UINT64_C(1) << next;
        }
    }
    bool is_more = nearest(entry, length, listed) < N_SEEN;
    otter_warn("no Kokkos region or profile section is called '%.*s' (setting '%s')%s%s",
               (int)length, entry, setting, hint, is_more ? ", ..." : "");
}

void seen_warn(const char *setting, const char *list, uint64_t matched)
{
    uint64_t bit = 1;
    for (const char *at = list; *at; at += *at == ',', bit <<= 1) {
        size_t length = strcspn(at, ",");
        if (length > 0 && bit && !(matched & bit)) {
            warn(setting, at, length);
        }
        at += length;
    }
}
