// The samples of an archive, and what their threads did when they were taken.
#pragma once

#include "analysis/analysis.h"

enum { OTTER_STATE_UNRECORDED = OTTER_N_STATES }; // samples of a thread without events

struct otter_sample {
    uint64_t time;    // ticks
    uint32_t line;    // index in the timeline's lines; OTTER_NONE: of no known thread
    uint32_t context; // index in the definitions' contexts; OTTER_NONE: unknown
    uint32_t label;   // region, if the state is EXECUTING; otherwise OTTER_NONE
    uint32_t state;   // enum otter_state, or OTTER_STATE_UNRECORDED
};

struct otter_samples {
    OTTER_VECTOR(struct otter_sample); // sorted by line, then by time
    uint64_t n_lost;                   // samples that were taken but are not in the archive
    uint64_t n_cut;                    // samples whose callers are unknown
    double period;                     // seconds of processor time that a sample stands for
    struct otter_complaint damage;     // why some samples could not be read; "": all were
};

// Reads all samples of the completed `analysis`. Memory: 24 bytes for each sample. The caller
// finishes *samples in any case. Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_samples_read(struct otter_samples *samples,
                                     const struct otter_analysis *analysis);
void otter_samples_finish(struct otter_samples *samples);

// Returns whether the realised path is on the sample's thread at that time.
bool otter_sample_is_on_path(const struct otter_analysis *analysis,
                             const struct otter_sample *sample);

// Returns the seconds of processor time that a sample stands for; 0: unknown.
double otter_sample_period(const struct otter_definitions *definitions);

// `at`: the time, and what the thread did. Returns false to end the visit.
typedef bool otter_sample_visitor(void *user, const struct otter_event *event,
                                  const struct otter_sample *at);

// Calls `visit` for each event of the locations that hold samples, one location after the other.
// Stores the first damage; "": there is none. `analysis` must be complete. Returns OTTER_NO_MEMORY
// or OTTER_OK.
enum otter_status otter_samples_visit(const struct otter_analysis *analysis,
                                      otter_sample_visitor *visit, void *user,
                                      struct otter_complaint *damage);
