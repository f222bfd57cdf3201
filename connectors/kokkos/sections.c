#include "sections.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct section {
    char *name; // NULL: free
    bool is_started;
};

static struct section *sections;
static uint32_t n_sections;

// Caller holds `lock`. The number of a free place, or of a new one; UINT32_MAX when memory is short.
static uint32_t find_free(void)
{
    for (uint32_t i = 0; i < n_sections; i++) {
        if (!sections[i].name) {
            return i;
        }
    }
    uint32_t larger = n_sections ? n_sections * 2 : 16;
    struct section *moved = realloc(sections, larger * sizeof(*sections));
    if (!moved) {
        return UINT32_MAX;
    }
    memset(moved + n_sections, 0, (larger - n_sections) * sizeof(*moved));
    sections = moved;
    uint32_t free_place = n_sections;
    n_sections = larger;
    return free_place;
}

uint32_t section_create(const char *name)
{
    pthread_mutex_lock(&lock);
    uint32_t section = find_free();
    if (section != UINT32_MAX) {
        sections[section] =
            (struct section){.name = strndup(name ? name : "", SECTION_NAME_SIZE - 1)};
    }
    pthread_mutex_unlock(&lock);
    return section;
}

void section_destroy(uint32_t section)
{
    pthread_mutex_lock(&lock);
    if (section < n_sections) {
        free(sections[section].name);
        sections[section].name = NULL;
    }
    pthread_mutex_unlock(&lock);
}

enum section_change section_change(uint32_t section, bool is_start, char *name)
{
    enum section_change change = SECTION_UNKNOWN;
    pthread_mutex_lock(&lock);
    if (section < n_sections && sections[section].name) {
        strcpy(name, sections[section].name); // both are of SECTION_NAME_SIZE
        change = sections[section].is_started == is_start ? SECTION_AS_BEFORE : SECTION_CHANGED;
        sections[section].is_started = is_start;
    }
    pthread_mutex_unlock(&lock);
    return change;
}
