// The memory of a command: the option --max-memory, large arrays in files (base/large/large.h), and
// the end of a command that gets no memory.
//
// In all code of `otter`, the linker replaces malloc(), calloc(), realloc(), free() and functions
// of the C library that call them (--wrap in meson.build). So no part of the analysis needs to know
// where its arrays are. No allocation fails in a command that has called otter_memory_begin(),
// except inside libdw, OpenMP and the C library: those of fopen() and realpath() can fail.
// The libraries in a recorded program have none of this.
#pragma once

#include <stdbool.h>

#include "trace/read/reader.h"

// Value of getopt_long for --max-memory=N, which has no letter.
enum { OTTER_OPTION_MEMORY = 'M' };

// Reads the value of --max-memory. *Returns* false after printing an error.
bool otter_set_memory(const char *text);

// From now on, a failed allocation ends the command, also one by jansson.
void otter_memory_begin(void);
// Removes unfinished outputs, and ends the command with an error that names the limit which refused
// `size` bytes. *Thread*: any. Needs no memory.
_Noreturn void otter_end_without_memory(size_t size);

// The peak memory of a command in bytes per event, as measured by `scripts/bench scale`.
enum otter_memory_need {
    OTTER_NEED_OF_CHECK = 65,
    OTTER_NEED_OF_ANALYSIS = 65,
    OTTER_NEED_OF_GRAPH = 30,
};

// Prints a line if the archive, or its largest rank, needs more memory than available.
void otter_announce_memory(const struct otter_archive *archive, enum otter_memory_need need);
