// Kokkos profile sections: their numbers, their names, and the next tool's numbers for them. Only
// memory limits how many exist. Numbers are reused.
// *Thread*: any, even in a forked child, since no function waits.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct section;

// A number that no section has.
#define SECTION_NONE UINT32_MAX

// Creates a stopped section. `theirs`: the next tool's number, or NULL.
// *Returns* its number, or SECTION_NONE if out of memory.
uint32_t section_create(const char *name, const uint32_t *theirs);

// *Returns* the section with this number, or NULL. The section stays valid until section_release(),
// even if another thread destroys it.
struct section *section_use(uint32_t number);
void section_release(struct section *section);

// Starts or stops a section. *Returns* false if it already was in that state, or is destroyed.
bool section_switch(struct section *section, bool is_start);

enum section_end {
    SECTION_WAS_DESTROYED = 0, // another thread has already destroyed it
    SECTION_WAS_STOPPED,
    SECTION_WAS_STARTED,
};

// Destroys a section, whose number is then invalid. After the last release, another section may get
// the number.
enum section_end section_destroy(struct section *section);

const char *section_name(const struct section *section);
// *Returns* false if the next tool has no number for the section.
bool section_theirs(const struct section *section, uint32_t *theirs);
