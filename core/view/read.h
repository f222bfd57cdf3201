// Reads an archive for pictures.
#pragma once

#include "view/lane/lanes.h"

// Sets the members of *view that the caller has not set. Time: n log n for n events. Memory: as for
// the analysis. Even after a failure, the caller calls otter_view_finish, before it closes the
// archive. *Errors*: OTTER_NO_MEMORY, OTTER_BAD_ARCHIVE. *complaint is a sentence with the reason.
enum otter_status otter_view_read(struct otter_view *view, struct otter_archive *archive,
                                  struct otter_complaint *complaint);
void otter_view_finish(struct otter_view *view);
