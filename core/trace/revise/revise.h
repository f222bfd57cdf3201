// Writes the definitions of an archive anew, with other names and places of regions. Event files
// and local definitions are not touched.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "trace/read/reader.h"

// What a region gets. All NULL: the region is unchanged.
struct otter_revised_region {
    const char *name;
    const char *file; // NULL: unchanged
    uint32_t line;
    const char *code; // the property OTTER::CODE::<region>
};

// Replaces the global definitions and the anchor file of `archive`, the archive of one process.
// `regions`: one for each region of its definitions. The times of both files remain, so that
// commands find the same newest archive. Readers that have the archive open are not disturbed.
// *Thread*: one at a time in the process, because OTF2 has one error callback.
// *Errors*: OTTER_UNSUPPORTED: the archive has definitions that Otter does not write; others of the
// system. Then the archive is unchanged.
enum otter_status otter_archive_revise(const struct otter_archive *archive,
                                       const struct otter_revised_region *regions,
                                       struct otter_complaint *complaint);
