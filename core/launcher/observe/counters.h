// The counters that a user names: events of the kernel and the processor, by their names in perf.
//
// *Thread*: one at a time.
#pragma once

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "trace/schema.h"

struct otter_counter {
    char name[OTTER_COUNTER_SIZE];
    uint32_t type;     // enum perf_type_id
    uint64_t config;   // the event of this type
    bool is_of_kernel; // happens only in the kernel
};

struct otter_counters {
    struct otter_counter items[OTTER_MAX_COUNTERS];
    unsigned n;
};

enum { OTTER_COUNTERS_SIZE = OTTER_MAX_COUNTERS * OTTER_COUNTER_SIZE };

// Reads a list such as "page-faults,r01c2". For an event with several names, it stores the usual
// one. Warns of each unknown name, and leaves it out.
void otter_counters_parse(struct otter_counters *counters, const char *list);
// Returns whether all names of a list are known. Prints an error for the first one that is not.
bool otter_counters_check(const char *list);
// Writes the list of names.
void otter_counters_list(const struct otter_counters *counters, char list[OTTER_COUNTERS_SIZE]);

// Sets which event `attr` counts, and after how many events it stores a record. This number is
// fixed (sample_period), or in the record if the kernel adapts it to the rate.
void otter_counter_set(const struct otter_counter *counter, uint32_t rate,
                       struct perf_event_attr *attr);

// Removes counter `i`, and warns that it failed with `error`.
void otter_counters_remove(struct otter_counters *counters, unsigned i, int error);
