// Kokkos profile sections: numbers that this tool gives, with the names they were created with. Any thread may call these.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SECTION_NAME_SIZE = 256 };

// Unique while it is not destroyed. UINT32_MAX when memory is short.
uint32_t section_create(const char *name);
void section_destroy(uint32_t section);

// Its name into `name`, cut to SECTION_NAME_SIZE. False for a number that stands for none.
bool section_name(uint32_t section, char *name);
