// Samples of a recording, as records in its file of switches (switch_log.h).
//
// A sample is a record OTTER_SWITCH_SAMPLE, which has the number of its addresses instead of a
// processor. Records OTTER_SWITCH_ADDRESSES follow, with two addresses each: the first in `time`,
// 48 bits of the second in `thread` and `processor`. A count is a record OTTER_SWITCH_COUNT, which
// has the number of its counter instead of a processor; its only address is the value.
#pragma once

#include "recording/switch_log.h"
#include "trace/schema.h"

struct otter_logged_sample {
    uint64_t time; // ticks
    uint32_t thread;
    uint32_t n_lost;  // lost samples and counts of all threads; if not 0, only `time` is valid too
    uint32_t counter; // 0: a sample; otherwise addresses[0] counts events of this counter, from 1
    uint32_t n;       // at least 1
    uint64_t addresses[OTTER_MAX_SAMPLE_DEPTH]; // the innermost frame first
};

enum { OTTER_SAMPLE_RECORDS = 1 + (OTTER_MAX_SAMPLE_DEPTH + 1) / 2 };

// Stores the records of a sample. Returns their number.
size_t otter_sample_pack(const struct otter_logged_sample *sample,
                         struct otter_switch_record records[OTTER_SAMPLE_RECORDS]);

// Calls `visit` for each complete sample or count, and for each number of lost ones, in the order
// of the first `n` records, until it returns false.
// *Returns* false if a record could not be read, or `visit` returned false.
bool otter_sample_log_visit(int file, uint64_t n,
                            bool (*visit)(void *user, const struct otter_logged_sample *sample),
                            void *user);
