// Writes the local definitions of a rank's locations: mapping tables, and the offsets of its clock.
#pragma once

#include "trace/merge/merger.h"

// The files of local definitions must be open.
enum otter_status otter_merge_write_local(struct otter_merger *merger);
