// Remarks in addition to the slices: markers, losses, pauses, and Kokkos' sections.
#pragma once

#include "export/parts.h"

enum otter_remark_kind {
    OTTER_REMARK_MARKER = 0,
    OTTER_REMARK_LOSS,    // from the first lost event to the end of the recording
    OTTER_REMARK_STOP,    // the recording ended before the program
    OTTER_REMARK_PAUSE,   // of a thread; the slices have the same pauses
    OTTER_REMARK_SECTION, // sections of different rows may overlap
};

struct otter_remark {
    enum otter_remark_kind kind;
    uint32_t lane;        // OTTER_NONE: the whole process
    uint32_t row;         // of a section, from 1; otherwise 0
    uint64_t begin, end;  // nanoseconds since the view's start; begin <= end
    const char *text;     // valid for the call; never NULL
    const char *severity; // of a marker; otherwise NULL
};

typedef void otter_remark_function(void *user, const struct otter_remark *remark);

// Returns "marker", "loss", "stop", "pause" or "section".
const char *otter_remark_kind_name(enum otter_remark_kind kind);

// Calls `use` for all remarks by kind; remarks of one kind, lane and row are sorted by start.
void otter_remarks_each(const struct otter_conversion *conversion, otter_remark_function *use,
                        void *user);
