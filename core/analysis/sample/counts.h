// Events of the kernel and the processor that were counted while threads executed.
#pragma once

#include "analysis/sample/samples.h"
#include "trace/schema.h"

struct otter_counts {
    unsigned n; // counters
    const char *names[OTTER_MAX_COUNTERS];
    // Events while threads executed each label: account.n_labels numbers for each counter in turn.
    // NULL: no counters.
    uint64_t *of_labels;
    uint64_t *n_samples; // of each label
    uint64_t n_unplaced; // samples of threads without a line, which may be of any label
    bool is_complete;    // no sample or count was lost or is in a damaged file
    double period;       // seconds of processor time that a sample stands for; 0: unknown
    uint32_t n_labels;
};

// Reads all counts of the completed `analysis`; without an archive, there are none. The caller
// finishes *counts in any case. Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_counts_read(struct otter_counts *counts,
                                    const struct otter_analysis *analysis);
void otter_counts_finish(struct otter_counts *counts);

// Returns the index of the counter with this name, or counts->n if there is none.
unsigned otter_counts_find(const struct otter_counts *counts, const char *name);

// Returns the events of counter `i` while threads executed a label.
static inline uint64_t otter_counts_of(const struct otter_counts *counts, unsigned i,
                                       uint32_t label)
{
    return label < counts->n_labels ? counts->of_labels[(size_t)i * counts->n_labels + label] : 0;
}
