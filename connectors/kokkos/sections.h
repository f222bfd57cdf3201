// Kokkos profile sections: the numbers that this tool gives out, the names, and the numbers of the
// next tool. Any thread may call these, a forked child too: nothing here waits. There is no limit
// but memory, and numbers are reused.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct section;

// Number of no section.
#define SECTION_NONE UINT32_MAX

// Creates a section that is stopped. `theirs`: the next tool's number, NULL when that tool gave
// none. Returns the number, or SECTION_NONE when memory is short.
uint32_t section_create(const char *name, const uint32_t *theirs);

// Returns the section of a number, which stays as it is until section_release, also when another
// thread destroys it. NULL: the number stands for no section.
struct section *section_use(uint32_t number);
void section_release(struct section *section);

// Starts or stops a section. False: it was so before, or is destroyed.
bool section_switch(struct section *section, bool is_start);

enum section_end {
    SECTION_WAS_DESTROYED = 0, // by another thread, meanwhile
    SECTION_WAS_STOPPED,
    SECTION_WAS_STARTED,
};

// Destroys a section: from now on its number stands for none, and after the last release another
// section may get it.
enum section_end section_destroy(struct section *section);

const char *section_name(const struct section *section);
// False: the next tool gave no number.
bool section_theirs(const struct section *section, uint32_t *theirs);
