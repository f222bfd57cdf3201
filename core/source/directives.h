// The OpenMP directives in the sources of a program, for constructs whose calls have no line of
// their own in the debug information.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/vector.h"

struct otter_source_text;

struct otter_directives { // zero at first, except `newest`
    uint64_t newest;      // nanoseconds since 1970; a file that was changed later is not read
    struct {
        OTTER_VECTOR(struct otter_source_text *);
    } texts;
};

void otter_directives_finish(struct otter_directives *directives);

// Returns the line of the directive in `file` that is nearest to `line`, from the line `first` up
// to the line before `end`. 0: there is none, or the file cannot be read.
// - `callee`: the function of GCC's runtime that begins the construct: "GOMP_single_start"
//
// A file is read only once, and only if it is a regular file of at most 16 MiB.
uint32_t otter_directives_nearest(struct otter_directives *directives, const char *file,
                                  const char *callee, uint32_t first, uint32_t end, uint32_t line);

// Returns whether a directive of this kind is on `line`.
static inline bool otter_directives_has(struct otter_directives *directives, const char *file,
                                        const char *callee, uint32_t line)
{
    return otter_directives_nearest(directives, file, callee, line, line + 1, line) == line;
}

// Returns the first line of the directive that has `line`, otherwise `line`. For a directive of
// several lines, gfortran's debug information has only the last one.
uint32_t otter_directives_first_line(struct otter_directives *directives, const char *file,
                                     uint32_t line);
