// Rewrites the definitions of an archive with new names and places of regions. Event files and
// local definitions are not touched.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "trace/read/reader.h"

// The new texts of a region. All NULL: the region is unchanged.
struct otter_revised_region {
    const char *name;
    const char *file; // NULL: unchanged
    uint32_t line;
    const char *code; // the property OTTER::CODE::<region>
};

// Replaces the global definitions and the anchor file of `archive`, the archive of one process.
// `regions`: one for each region of its definitions. Both files keep their modification times, so
// that commands still find the same newest archive. Readers that have the archive open are not
// affected. *Thread*: one at a time in the process, because OTF2 has one error callback.
// *Errors*: OTTER_UNSUPPORTED: the archive has definitions that Otter does not write; otherwise
// from errno. Then the archive is unchanged.
enum otter_status otter_archive_revise(const struct otter_archive *archive,
                                       const struct otter_revised_region *regions,
                                       struct otter_complaint *complaint);
