// The properties of an archive, in its anchor file.
#pragma once

#include "trace/write/archive_writer.h"

void otter_archive_set_properties(struct otter_archive_writer *archive);
