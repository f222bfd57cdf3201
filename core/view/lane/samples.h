// The samples of an archive and the slices around them.
#pragma once

#include "analysis/sample/frames.h"
#include "analysis/sample/samples.h"
#include "view/lane/lanes.h"

struct otter_view_samples {
    struct otter_samples all; // sorted by lane, then by time
    struct otter_frames frames;
};

// Reads the archive.
void otter_view_samples_init(struct otter_view_samples *samples, const struct otter_view *view);
void otter_view_samples_finish(struct otter_view_samples *samples);

// Returns the lane of the sampled thread. OTTER_NONE: the thread has none.
uint32_t otter_sample_lane(const struct otter_view *view, const struct otter_sample *sample);

// `slice` is in row 0 and contains the sample. NULL: the thread has no lane, or no slice then.
typedef void otter_sample_function(void *user, uint32_t index, const struct otter_slice *slice);

// Calls `use` for all samples in their order. Time: as for all slices.
void otter_samples_each(const struct otter_view *view, const struct otter_samples *samples,
                        otter_sample_function *use, void *user);
