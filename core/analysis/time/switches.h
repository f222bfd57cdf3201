// When threads were not on a processor, according to the scheduler switches that the launcher
// recorded.
#pragma once

#include "analysis/time/timeline.h"

struct otter_switch {
    uint64_t time;
    // the kernel's number; of lost switches: their number; of a wait: microseconds
    uint64_t thread;
    uint32_t processor; // index of its location
    uint32_t kind;      // enum otter_switch_kind
};

struct otter_switches {
    const struct otter_definitions *definitions;
    uint64_t n, n_preempted,
        n_lost; // switches off a processor; preemptions among them; lost switches
    struct {
        OTTER_VECTOR(struct otter_switch);
    } all;
};

// A part of struct otter_analysis (README.md). Memory: 24 bytes per switch until
// otter_switches_end.
enum otter_status otter_switches_begin(struct otter_switches *switches,
                                       const struct otter_definitions *definitions);
// The signature matches otter_event_function. Returns false if out of memory.
bool otter_switches_add(void *switches, const struct otter_event *event);
// Fills `off` and `unknown` of each line, and has_switches. Call this after otter_timeline_end.
enum otter_status otter_switches_end(struct otter_switches *switches,
                                     struct otter_timeline *timeline);
void otter_switches_finish(struct otter_switches *switches);

// Returns a location's property as a number; 0 if the location does not have the property.
uint64_t otter_location_number(const struct otter_location *location, const char *name);

// Returns whether the location has switches of a processor.
bool otter_location_is_processor(const struct otter_location *location);
// Returns whether the event has the values of struct otter_switch.
bool otter_event_is_switch(const struct otter_definitions *definitions,
                           const struct otter_event *event);
