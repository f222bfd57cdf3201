// Stores the source lines of an archive's regions in the archive.
#pragma once

#include "trace/read/reader.h"

struct otter_stored_lines {
    // regions that got lines, or whose address turned out to belong to another construct
    size_t n_new;
    size_t n_with;    // regions with lines, including those that already had them
    size_t n_without; // regions whose label is an address in the program or its libraries
};

// Writes file and line into the names and places of all regions whose lines are found now; other
// regions do not change. Addresses move to properties. The archive may already have lines.
// *Errors*: OTTER_UNSUPPORTED: a merged archive, or one from another tool; otherwise from errno.
// *complaint is a sentence with the reason, and the archive is unchanged.
enum otter_status otter_lines_store(const char *path, struct otter_stored_lines *lines,
                                    struct otter_complaint *complaint);

// Prints a note if no region has a line and some labels are addresses.
void otter_stored_lines_note(const struct otter_stored_lines *lines);
