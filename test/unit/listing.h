// The content of an archive as words, read by core/trace, and the verdict of OTF2's validator.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Returns the events of one location, one per line: "fork 2", "enter !$omp task", "create 0.1",
// "parameter iterations 5", ... The caller frees the text. The test fails if the archive cannot be
// read or time runs backwards.
char *list_location(const char *archive, size_t location);

// Writes the number of events of each location, at most `room` numbers. *Returns* the number of
// locations.
size_t count_locations(const char *archive, uint64_t *n_events, size_t room);

// Returns a copy of the value of an archive property; "" for none.
const char *property_of(const char *archive, const char *name);

// Returns the text of the last marker of a category; "" for none. Valid until the next call.
const char *marker_of(const char *archive, const char *category);

// Returns whether otf2-print --silent -Werror accepts the archive, or is not installed.
bool is_valid_for_otf2(const char *archive);
