#include "sections.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char **names; // NULL: free
static uint32_t n_names;

// Caller holds `lock`. The number of a free place, or of a new one; UINT32_MAX when memory is short.
static uint32_t find_free(void)
{
    for (uint32_t i = 0; i < n_names; i++) {
        if (!names[i]) {
            return i;
        }
    }
    uint32_t larger = n_names ? n_names * 2 : 16;
    char **moved = realloc(names, larger * sizeof(*names));
    if (!moved) {
        return UINT32_MAX;
    }
    memset(moved + n_names, 0, (larger - n_names) * sizeof(*moved));
    names = moved;
    uint32_t free_place = n_names;
    n_names = larger;
    return free_place;
}

uint32_t section_create(const char *name)
{
    pthread_mutex_lock(&lock);
    uint32_t section = find_free();
    if (section != UINT32_MAX) {
        names[section] = strndup(name ? name : "", SECTION_NAME_SIZE - 1);
    }
    pthread_mutex_unlock(&lock);
    return section;
}

void section_destroy(uint32_t section)
{
    pthread_mutex_lock(&lock);
    if (section < n_names) {
        free(names[section]);
        names[section] = NULL;
    }
    pthread_mutex_unlock(&lock);
}

bool section_name(uint32_t section, char *name)
{
    pthread_mutex_lock(&lock);
    bool is_known = section < n_names && names[section];
    if (is_known) {
        strcpy(name, names[section]); // both are of SECTION_NAME_SIZE
    }
    pthread_mutex_unlock(&lock);
    return is_known;
}
