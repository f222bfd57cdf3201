// The fields of the records of OTF2 3.0.
//
// OTF2 reads fields without regard to the record's length, and allocates as much memory as a count
// in a record claims. So a record is checked before OTF2 reads it. *Thread*: any.
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum otter_file_kind {
    OTTER_FILE_EVENTS,
    OTTER_FILE_GLOBAL_DEFINITIONS,
    OTTER_FILE_LOCAL_DEFINITIONS,
    OTTER_FILE_MARKERS,
};

// Whether the `size` bytes after the length of a record have all its fields. Returns true for an
// unknown kind: OTF2 skips it by its length.
bool otter_record_is_whole(enum otter_file_kind file, unsigned char type,
                           const unsigned char *payload, size_t size, bool is_big);
