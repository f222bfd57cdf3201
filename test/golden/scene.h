// Reads a text of events as definitions and events. README.md lists its words.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "trace/read/reader.h"

enum {
    MAX_THREADS = 16,
    MAX_COMMS = 32,
    MAX_REGIONS = 64,
    MAX_EVENTS = 16384,
    MAX_ADDRESSES = 32,
    MAX_OPEN = 32,
    MAX_SPACES = 4,
    MAX_PROPERTIES = 4,
    MAX_CONTEXTS = 32,
};

// A region as the text names it: "task@a.c:7,untied".
struct region_text {
    char token[192];
    char name[224];
    char description[128];
};

struct scene {
    struct otter_definitions definitions;
    struct otter_location locations[MAX_THREADS];
    struct otter_comm comms[MAX_COMMS];
    uint32_t members[MAX_COMMS][MAX_THREADS];
    uint64_t ranks[MAX_COMMS][MAX_THREADS];
    struct otter_region regions[MAX_REGIONS];
    struct region_text texts[MAX_REGIONS];
    struct otter_parameter_definition parameters[OTTER_N_PARAMETERS];
    struct otter_property properties[MAX_PROPERTIES];
    char property_texts[MAX_PROPERTIES][2][64];
    struct otter_metric metrics[MAX_SPACES + 1]; // of spaces and counters, or of switches
    struct otter_property location_properties[MAX_THREADS];
    char location_texts[MAX_THREADS][16];
    char spaces[MAX_SPACES][32]; // and counters, by the number of their metric
    struct otter_calling_context contexts[MAX_CONTEXTS];
    struct otter_event events[MAX_EVENTS]; // in the order of the text
    size_t n_events;

    // only while reading
    const char *path;
    unsigned line;
    uint64_t time;
    uint64_t last_time[MAX_THREADS];
    uint32_t open[MAX_THREADS][MAX_OPEN]; // open regions, for `leave` without a name
    size_t n_open[MAX_THREADS];
    char addresses[MAX_ADDRESSES][16];
    size_t n_addresses;
};

// Reads `file`; messages call it `path`. After a mistake, prints a message and calls
// scene_give_up(). `scene` contains pointers into itself, so it must not move.
void scene_read(struct scene *scene, const char *path, FILE *file);

// Ends the reading after a mistake. Each program defines this function.
_Noreturn void scene_give_up(void);

// Returns a region as "task@a.c:7,untied"; "?" for OTTER_NONE.
const char *scene_region(const struct scene *scene, uint32_t region);
