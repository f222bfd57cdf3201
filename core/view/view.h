// One archive as one HTML file, which opens in any browser without a network.
#pragma once

#include <stdbool.h>

#include "trace/read/reader.h"

enum { OTTER_LEAST_PAGE = 1000000 }; // characters

struct otter_view_request {
    const char *output; // path; a file there is replaced when the page is complete
    uint64_t size;      // characters of the file, at most; OTTER_LEAST_PAGE or more
    bool has_window;    // this part is in full detail first
    double from, to;    // of the window: seconds since the first event
};

struct otter_view_result {
    uint64_t size;    // characters of the file
    bool is_complete; // nothing is left out
};

// Writes the page of an archive. Time: n log n in events. Memory: that of the analysis, and the
// size of the page.
// Errors: OTTER_NO_MEMORY, OTTER_BAD_ARCHIVE, OTTER_FULL (nothing fits into the size), those of
// the system. *complaint is a sentence with the reason.
enum otter_status otter_view_write(struct otter_archive *archive,
                                   const struct otter_view_request *request,
                                   struct otter_view_result *result,
                                   struct otter_complaint *complaint);
