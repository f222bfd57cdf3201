// Labels for the code between two MPI calls in a program without OpenMP: each pair of calls is a
// label.
#pragma once

#include "analysis/time/timeline.h"
#include "graph/label.h"

// Labels the intervals in which a thread with MPI calls executes code without a label. The label of
// pair i is n_regions + i. Needs the intervals of all threads; fills `betweens` of the timeline.
// Time: n log n for n calls. *Returns* OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_betweens_find(struct otter_timeline *timeline);

// Adds the labels of the pairs: "from MPI_Recv to MPI_Send". `labels` contains the labels of all
// regions. *Returns* OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_betweens_name(const struct otter_timeline *timeline,
                                      struct otter_labels *labels);
