// By how much single pieces of a label differ from the label's mean, when functions take another
// time: sections of one construct may call different functions.
#pragma once

#include "analysis/sample/samples.h"

struct otter_interval_ratios {
    float **lines; // of each interval of each line of the timeline; NULL: 1 for all of the line
    uint32_t n_lines;
};

// Finds the ratios of the intervals to the factors of their labels. `of_samples`: the factor of
// each sample that was taken while executing, NAN for others. `middle`: of each label.
// Samples are few, so the difference counts only as far as it is larger than their error: by the
// variance between the intervals of the label, and that within them.
// Returns OTTER_NO_MEMORY or OTTER_OK. The caller finishes *ratios in any case.
enum otter_status otter_interval_ratios_init(struct otter_interval_ratios *ratios,
                                             const struct otter_analysis *analysis,
                                             const struct otter_samples *samples,
                                             const float *of_samples, const double *middle);
void otter_interval_ratios_finish(struct otter_interval_ratios *ratios);
