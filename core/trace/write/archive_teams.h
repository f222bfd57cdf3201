// The communicators of an archive: of teams, of processes, of devices' windows, and their groups.
#pragma once

#include "trace/write/archive_writer.h"

enum otter_status otter_archive_write_teams(struct otter_archive_writer *archive);
