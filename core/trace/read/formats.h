// What is in the records of OTF2 3.0, as far as one must know it to see whether a record is whole: OTF2 reads fields until it has them
// all, whatever the record's length, and reserves as much memory as a count in a record asks for.
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum otter_file_kind {
    OTTER_FILE_EVENTS,
    OTTER_FILE_GLOBAL_DEFINITIONS,
    OTTER_FILE_LOCAL_DEFINITIONS,
    OTTER_FILE_MARKERS,
};

// Whether the `size` bytes behind the length of a record hold all its fields. Records of kinds that are not known pass: OTF2
// skips them by their length.
bool otter_record_is_whole(enum otter_file_kind file, unsigned char type,
                           const unsigned char *payload, size_t size, bool is_big);
