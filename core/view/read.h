// Reads an archive for pictures.
#pragma once

#include "view/lane/lanes.h"

// Sets the members of *view that the caller has not set. Time: n log n for n events. Memory: as for
// the analysis. Even after a failure, the caller calls otter_view_finish, before it closes the
// archive. *Errors*: OTTER_BAD_ARCHIVE. *complaint is a sentence with the reason.
enum otter_status otter_view_read(struct otter_view *view, struct otter_archive *archive,
                                  struct otter_complaint *complaint);
void otter_view_finish(struct otter_view *view);

// The steps of otter_view_read, for a caller that reads the events itself: it has set the labels,
// analysis and findings of the view, and passes each event to otter_view_add. It finishes these
// after otter_view_finish_own.
void otter_view_begin(struct otter_view *view, struct otter_archive *archive);
bool otter_view_add(void *view, const struct otter_event *event);
void otter_view_end(struct otter_view *view);
void otter_view_finish_own(struct otter_view *view);
