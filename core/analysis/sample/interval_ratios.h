// By how much single intervals of a label differ from the label's mean if functions take a
// different time. For example, the sections of one construct may call different functions.
#pragma once

#include "analysis/sample/samples.h"

struct otter_interval_ratios {
    float **lines; // of each interval of each line of the timeline; NULL: the line has only ones
    uint32_t n_lines;
};

// Finds the ratios of the intervals to the factors of their labels. `of_samples`: the factor of
// each sample that was taken while executing, NAN for others. `middle`: of each label.
// An interval has few samples, so its difference from the mean is weighted by how far it exceeds
// the sampling error. The weight follows from the variances between and within the label's
// intervals.
// Returns OTTER_NO_MEMORY or OTTER_OK. The caller finishes *ratios in any case.
enum otter_status otter_interval_ratios_init(struct otter_interval_ratios *ratios,
                                             const struct otter_analysis *analysis,
                                             const struct otter_samples *samples,
                                             const float *of_samples, const double *middle);
void otter_interval_ratios_finish(struct otter_interval_ratios *ratios);
