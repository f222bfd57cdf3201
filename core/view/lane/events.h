// Collects open constructs, profile sections and memory in use, which the analysis does not store.
#pragma once

#include "base/vector.h"
#include "trace/read/reader.h"

enum {
    OTTER_MAX_BARS = 64, // nested constructs; deeper ones are left out
    OTTER_BAR_OF_PROCESS = UINT16_MAX,
};

// A construct that was open on a location, except tasks and waits; or a section.
struct otter_bar {
    uint64_t begin, end; // ticks
    uint32_t region;
    uint16_t location; // OTTER_BAR_OF_PROCESS for a section
    uint16_t row;      // from 1, the outermost
};

struct otter_section_change {
    uint64_t time; // ticks
    uint32_t region;
    bool is_start;
};

struct otter_memory_sample {
    uint64_t time;   // ticks
    uint64_t in_use; // bytes
    uint32_t metric;
};

struct otter_view_events {
    const struct otter_definitions *definitions;
    struct {
        OTTER_VECTOR(struct otter_bar);
    } bars;                 // location by location, sorted by start; the sections after all others
    uint32_t first_section; // index of the first section in `bars`
    struct {
        OTTER_VECTOR(struct otter_section_change);
    } changes; // location by location
    struct {
        OTTER_VECTOR(struct otter_memory_sample);
    } samples;
    uint64_t n_too_deep; // bars left out because they are nested too deeply
    uint64_t end;        // ticks: the last event of any location

    // of the current location
    uint32_t location;
    uint64_t last_time; // never decreases, even in a damaged archive
    struct {
        OTTER_VECTOR(uint32_t);
    } open; // indexes of bars; OTTER_NONE: left out
};

void otter_view_events_init(struct otter_view_events *events,
                            const struct otter_definitions *definitions);
// Adds an event; locations come one after the other. The signature matches otter_event_function.
bool otter_view_events_add(void *events, const struct otter_event *event);
// Call after the last event, and then otter_sections_add().
void otter_view_events_end(struct otter_view_events *events);
void otter_view_events_finish(struct otter_view_events *events);
