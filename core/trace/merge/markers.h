// Copies the markers of a rank.
#pragma once

#include "trace/merge/merger.h"

// Opens the file of markers with the first marker. Damaged markers are left out.
enum otter_status otter_merge_write_markers(struct otter_merger *merger,
                                            struct otter_complaint *complaint);
// Closes the file of markers, if there are any.
enum otter_status otter_merge_close_markers(struct otter_merger *merger);
