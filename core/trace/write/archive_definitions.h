// The definitions of an archive: the global file, and a local file for each location.
#pragma once

#include "trace/write/archive_writer.h"

enum otter_status otter_archive_write_definitions(struct otter_archive_writer *archive);
