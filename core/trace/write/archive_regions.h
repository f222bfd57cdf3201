// The regions of an archive.
#pragma once

#include "trace/write/archive_writer.h"

// Writes a region for each number, even for numbers that the content does not define.
void otter_archive_write_regions(struct otter_archive_writer *archive);
