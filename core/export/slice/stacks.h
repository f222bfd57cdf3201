// The slices of each lane as one stack: the state of the thread inside its open constructs.
#pragma once

#include "view/lane/lanes.h"

enum otter_category {
    OTTER_CATEGORY_CONSTRUCT = 0, // an open construct, with states inside
    OTTER_CATEGORY_EXECUTING,
    OTTER_CATEGORY_WAITING,
    OTTER_CATEGORY_LOCK,
    OTTER_CATEGORY_FORKING,
    OTTER_CATEGORY_MPI,
    OTTER_CATEGORY_PAUSED,
    OTTER_CATEGORY_LOST,
    OTTER_N_CATEGORIES
};

// "construct", "busy", ...; never NULL.
const char *otter_category_name(enum otter_category category);
// Returns the category of a state; for a state without its own category, executing.
enum otter_category otter_category_of(enum otter_state state);

// Returns ticks as nanoseconds, rounded down; at most INT64_MAX, for times of a damaged clock.
uint64_t otter_view_ns(const struct otter_view *view, uint64_t ticks);

// A slice that is cut at a start or end of a construct is several stack slices.
struct otter_stack_slice {
    uint32_t lane;
    uint64_t begin, end; // nanoseconds since the view's start; begin < end
    uint32_t label;      // index in the page's labels; for a waiting thread, of the construct
    uint32_t task, node; // OTTER_NONE: unknown, none
    enum otter_category category;
};

// `close` gets the slices in the reverse order of `open` and may be NULL. The times of a lane never
// decrease over all calls.
struct otter_stack_sink {
    void (*open)(void *user, const struct otter_stack_slice *slice);
    void (*close)(void *user, const struct otter_stack_slice *slice);
    void *user;
};

// Passes all lanes to the sink, lane after lane. Time outside of all regions has no slice, and
// slices without a whole nanosecond are left out.
void otter_stacks_each(const struct otter_view *view, const struct otter_stack_sink *sink);
