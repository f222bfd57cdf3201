// Stores profile sections in a growing table. An entry is reused when its section is destroyed and
// no hook uses it.
#include "sections.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"

enum { SHORT_NAME = 64 };

// Bits of a section's state; above them the number of hooks that use it.
enum { IS_ALIVE = 1, IS_STARTED = 2, ONE_USER = 4 };

struct section {
    struct table_entry entry;
    _Atomic uint32_t state;
    uint32_t number;
    bool has_theirs;
    uint32_t theirs;
    char *name; // `short_name`, or allocated
    char short_name[SHORT_NAME];
};

static struct table sections = {.entry_size = sizeof(struct section)};

static bool set_name(struct section *section, const char *name)
{
    size_t size = strlen(name) + 1;
    section->name = size <= SHORT_NAME ? section->short_name : malloc(size);
    if (section->name) {
        memcpy(section->name, name, size);
    }
    return section->name != NULL;
}

uint32_t section_create(const char *name, const uint32_t *theirs)
{
    uint32_t number = table_acquire(&sections);
    struct section *section = table_at(&sections, number);
    if (!section) {
        return SECTION_NONE;
    }
    if (!set_name(section, name)) {
        table_release(&sections, number);
        return SECTION_NONE;
    }
    section->number = number;
    section->has_theirs = theirs != NULL;
    section->theirs = theirs ? *theirs : 0;
    atomic_store(&section->state, IS_ALIVE);
    return number;
}

struct section *section_use(uint32_t number)
{
    struct section *section = table_at(&sections, number);
    uint32_t state = section ? atomic_load(&section->state) : 0;
    while (state & IS_ALIVE) {
        if (atomic_compare_exchange_weak(&section->state, &state, state + ONE_USER)) {
            return section;
        }
    }
    return NULL;
}

void section_release(struct section *section)
{
    // whether this was the last use of a section that is no longer alive
    bool is_last = atomic_fetch_sub(&section->state, ONE_USER) == ONE_USER;
    if (!is_last) {
        return;
    }
    if (section->name != section->short_name) {
        free(section->name);
    }
    table_release(&sections, section->number);
}

bool section_switch(struct section *section, bool is_start)
{
    uint32_t state = atomic_load(&section->state);
    while ((state & IS_ALIVE) && !(state & IS_STARTED) == is_start) {
        if (atomic_compare_exchange_weak(&section->state, &state, state ^ IS_STARTED)) {
            return true;
        }
    }
    return false;
}

enum section_end section_destroy(struct section *section)
{
    uint32_t gone = IS_ALIVE | IS_STARTED;
    uint32_t state = atomic_fetch_and(&section->state, ~gone);
    if (!(state & IS_ALIVE)) {
        return SECTION_WAS_DESTROYED;
    }
    return state & IS_STARTED ? SECTION_WAS_STARTED : SECTION_WAS_STOPPED;
}

const char *section_name(const struct section *section)
{
    return section->name;
}

bool section_theirs(const struct section *section, uint32_t *theirs)
{
    *theirs = section->theirs;
    return section->has_theirs;
}
