// Profile sections of Kokkos as bars: starts and stops of any thread, which may overlap.
#pragma once

#include "view/lane/events.h"

// Adds a bar for each section after all others, sorted by start. The next section goes into the
// first row without an open section. A section ends with the first stop of its region after it, or
// with the recording.
void otter_sections_add(struct otter_view_events *events);
