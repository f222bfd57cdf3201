// Kokkos profile sections: numbers that this tool gives, with the names they were created with. Any thread may call these.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SECTION_NAME_SIZE = 256, MAX_SECTIONS = 1024 };

// Below MAX_SECTIONS, and unique while it is not destroyed. UINT32_MAX when there are too many.
uint32_t section_create(const char *name);
// True: it was started, and is stopped now; its name goes into `name`.
bool section_destroy(uint32_t section, char *name);

enum section_change {
    SECTION_UNKNOWN = 0, // the number stands for none
    SECTION_AS_BEFORE,   // it was started already, or not at all
    SECTION_CHANGED,
};

// Notes that it is started or stopped. Its name goes into `name`, of SECTION_NAME_SIZE, unless it is unknown.
enum section_change section_change(uint32_t section, bool is_start, char *name);
