// What an archive holds, as words, read by the reader of core/trace; and whether OTF2's own validator takes it.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The events of one location, a line each: "fork 2", "enter !$omp task", "create 0.1", "parameter iterations 5", ...
// The caller frees. Fails the test when the archive cannot be read or time goes back.
char *list_location(const char *archive, size_t location);

// The number of events of each location, at most `room`; returns the number of locations.
size_t count_locations(const char *archive, uint64_t *n_events, size_t room);

// The value of an archive property, copied; "" for none.
const char *property_of(const char *archive, const char *name);

// otf2-print --silent -Werror is content, or there is none.
bool is_valid_for_otf2(const char *archive);
