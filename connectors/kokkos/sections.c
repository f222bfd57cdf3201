#include "sections.h"

#include <stdatomic.h>
#include <string.h>

#include "text.h"

enum state { FREE = 0, BEING_MADE, STOPPED, STARTED };

struct section {
    _Atomic int state;            // enum state
    char name[SECTION_NAME_SIZE]; // its last byte is always 0
};

// No lock: a forked child must not wait for a thread that it does not have.
static struct section sections[MAX_SECTIONS];

uint32_t section_create(const char *name)
{
    for (uint32_t i = 0; i < MAX_SECTIONS; i++) {
        int is_free = FREE;
        if (atomic_compare_exchange_strong(&sections[i].state, &is_free, BEING_MADE)) {
            size_t length = text_fit(name, SECTION_NAME_SIZE - 1);
            memcpy(sections[i].name, name, length);
            sections[i].name[length] = '\0';
            atomic_store(&sections[i].state, STOPPED);
            return i;
        }
    }
    return UINT32_MAX;
}

bool section_destroy(uint32_t section, char *name)
{
    bool was_started = section_change(section, false, name) == SECTION_CHANGED;
    if (section < MAX_SECTIONS) {
        int is_stopped = STOPPED;
        atomic_compare_exchange_strong(&sections[section].state, &is_stopped, FREE);
    }
    return was_started;
}

enum section_change section_change(uint32_t section, bool is_start, char *name)
{
    int wanted = is_start ? STARTED : STOPPED;
    int other = is_start ? STOPPED : STARTED;
    if (section >= MAX_SECTIONS || atomic_load(&sections[section].state) < STOPPED) {
        return SECTION_UNKNOWN;
    }
    memcpy(name, sections[section].name, SECTION_NAME_SIZE);
    return atomic_compare_exchange_strong(&sections[section].state, &other, wanted)
               ? SECTION_CHANGED
               : SECTION_AS_BEFORE;
}
