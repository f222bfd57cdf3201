// The memory of a command: the option --max-memory, and large arrays in files (base/large/large.h).
//
// The linker replaces malloc(), calloc(), realloc() and free() in all code of `otter` with the
// functions of memory.c (--wrap in meson.build). So no part of the analysis needs to know where its
// arrays are. The libraries in a recorded program have none of this.
#pragma once

#include <stdbool.h>

#include "trace/read/reader.h"

// Value of getopt_long for --max-memory=N, which has no letter.
enum { OTTER_OPTION_MEMORY = 'M' };

// Reads the value of --max-memory. *Returns* false after printing an error.
bool otter_set_memory(const char *text);

// The peak memory of a command in bytes per event, as measured by `scripts/bench scale`.
enum otter_memory_need {
    OTTER_NEED_OF_CHECK = 65,
    OTTER_NEED_OF_ANALYSIS = 65,
    OTTER_NEED_OF_GRAPH = 30,
};

// Prints a line if the archive, or its largest rank, needs more memory than available.
void otter_announce_memory(const struct otter_archive *archive, enum otter_memory_need need);
