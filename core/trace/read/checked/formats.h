// The fields of the records of OTF2 3.0.
//
// OTF2 ignores a record's length when it reads fields, and allocates as much memory as a count in
// the record claims. So each record is checked before OTF2 reads it. *Thread*: any.
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum otter_file_kind {
    OTTER_FILE_EVENTS,
    OTTER_FILE_GLOBAL_DEFINITIONS,
    OTTER_FILE_LOCAL_DEFINITIONS,
    OTTER_FILE_MARKERS,
};

// Returns whether the `size` bytes after a record's length contain all its fields. True for an
// unknown kind of record, which OTF2 skips by its length.
bool otter_record_is_whole(enum otter_file_kind file, unsigned char type,
                           const unsigned char *payload, size_t size, bool is_big);
