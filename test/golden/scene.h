// A text of events, made for people (README.md has its words), as definitions and events.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "trace/read/reader.h"

enum {
    MAX_THREADS = 16,
    MAX_COMMS = 32,
    MAX_REGIONS = 64,
    MAX_EVENTS = 2048,
    MAX_ADDRESSES = 32,
    MAX_OPEN = 32,
};

// What a region is called in the text: "task@a.c:7,untied".
struct region_text {
    char token[64];
    char name[96];
    char description[64];
};

struct scene {
    struct otter_definitions definitions;
    struct otter_location locations[MAX_THREADS];
    struct otter_comm comms[MAX_COMMS];
    uint32_t members[MAX_COMMS][MAX_THREADS];
    struct otter_region regions[MAX_REGIONS];
    struct region_text texts[MAX_REGIONS];
    struct otter_parameter_definition parameters[OTTER_N_PARAMETERS];
    struct otter_event events[MAX_EVENTS]; // as they stand in the text
    size_t n_events;

    // while it is read
    const char *path;
    unsigned line;
    uint64_t time;
    uint64_t last_time[MAX_THREADS];
    uint32_t open[MAX_THREADS][MAX_OPEN]; // regions, for a `leave` that names none
    size_t n_open[MAX_THREADS];
    char addresses[MAX_ADDRESSES][16];
    size_t n_addresses;
};

// Reads `file`, which is called `path` in messages. A mistake in it is told, and is the end. `scene` must stay where it is.
void scene_read(struct scene *scene, const char *path, FILE *file);

// What the end is: whoever reads defines it.
_Noreturn void scene_give_up(void);

// "task@a.c:7,untied"; "?" for OTTER_NONE.
const char *scene_region(const struct scene *scene, uint32_t region);
