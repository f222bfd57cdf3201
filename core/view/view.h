// One archive as one HTML file, which opens in any browser without a network.
#pragma once

#include <stdbool.h>

#include <jansson.h>

#include "analysis/findings/read.h"
#include "analysis/job/job.h"
#include "trace/complaint.h"

enum { OTTER_MIN_PAGE = 1000000 }; // characters

struct otter_view_request {
    const char *output;             // path; a file there is replaced when the page is complete
    uint64_t size;                  // limit for the file, in characters; at least OTTER_MIN_PAGE
    bool has_window;                // the window gets its full detail first
    double from, to;                // start and end of the window, in seconds since the first event
    void (*step)(const char *name); // called before each long step of the work; may be NULL
};

static inline void otter_view_step(const struct otter_view_request *request, const char *name)
{
    if (request->step) {
        request->step(name);
    }
}

struct otter_view_result {
    uint64_t size;       // characters of the file
    bool is_complete;    // nothing is left out
    uint32_t n_left_out; // ranks without pictures
    uint32_t n_unread;   // of these, ranks that could not be opened; an error was printed for each
    struct otter_complaint
        failure; // why the first of them could not be read; "": they only do not fit
};

// Writes the page of an archive. Time: n log n for n events. Memory: as for the analysis, and the
// size of the page. Errors: OTTER_BAD_ARCHIVE, OTTER_FULL (nothing fits into the size),
// OTTER_BAD_VALUE (the window begins after the end), otherwise from errno. *complaint has the
// reason.
enum otter_status otter_view_write(struct otter_archive *archive,
                                   const struct otter_view_request *request,
                                   struct otter_view_result *result,
                                   struct otter_complaint *complaint);

// Ranks that are read for the report, and stay in memory for their pictures. `rank` points to
// otter_view_rank_size() zero bytes. otter_view_rank_begin sets *reading, by which the caller then
// reads the rank. The caller finishes the rank, then the reading.
size_t otter_view_rank_size(void);
void otter_view_rank_begin(void *rank, struct otter_archive *archive,
                           struct otter_reading *reading);
void otter_view_rank_finish(void *rank);

struct otter_view_rank {
    struct otter_archive *archive; // with the rank selected
    void *view;                    // the rank
};

// The memory of a rank in bytes per event, as measured by `scripts/bench scale`.
enum { OTTER_VIEW_BYTES_OF_EVENT = 100 };

// The ranks of a merged archive as one job, and its report.
struct otter_view_job {
    const struct otter_job *job; // its reading has ended
    const uint32_t *numbers;     // numbers of the ranks to draw, the most interesting ranks first
    uint32_t n_numbers;
    const char *report_text;
    const json_t *report;                // the object of `otter report --json`
    const json_t *sentences;             // sentences of the report, as an array
    const struct otter_view_rank *ranks; // by index in the archive; NULL: they are read again
};

// Writes the page of a merged archive: as many ranks have pictures as the size allows. Memory: as
// for the ranks that are drawn at the same time, and their parts of the page.
enum otter_status otter_view_write_job(struct otter_archive *archive,
                                       const struct otter_view_job *job,
                                       const struct otter_view_request *request,
                                       struct otter_view_result *result,
                                       struct otter_complaint *complaint);
