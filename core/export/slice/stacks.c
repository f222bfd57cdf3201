// Merges the constructs and states of each lane by time.
#include "export/slice/stacks.h"

struct merge {
    const struct otter_view *view;
    const struct otter_stack_sink *sink;
    uint32_t lane;                                 // OTTER_NONE: none so far
    uint32_t next;                                 // the lane's next bar
    struct otter_stack_slice open[OTTER_MAX_BARS]; // in ticks
    uint32_t n_open;
};

const char *otter_category_name(enum otter_category category)
{
    static const char *const names[OTTER_N_CATEGORIES] = {"construct", "busy", "waiting", "lock",
                                                          "forking",   "mpi",  "paused",  "lost"};
    return names[category];
}

uint64_t otter_view_ns(const struct otter_view *view, uint64_t ticks)
{
    const uint64_t second = 1000000000, most = INT64_MAX;
    uint64_t resolution = view->definitions->clock.resolution;
    resolution = resolution > 0 ? resolution : second;
    if (ticks / resolution >= most / second) {
        return most;
    }
    uint64_t part = ticks % resolution;
    return ticks / resolution * second +
           (resolution == second ? part
                                 : (uint64_t)((double)part * (double)second / (double)resolution));
}

enum otter_category otter_category_of(enum otter_state state)
{
    switch (state) {
    case OTTER_STATE_WAITING: return OTTER_CATEGORY_WAITING;
    case OTTER_STATE_LOCK: return OTTER_CATEGORY_LOCK;
    case OTTER_STATE_FORKING: return OTTER_CATEGORY_FORKING;
    case OTTER_STATE_MPI: return OTTER_CATEGORY_MPI;
    case OTTER_STATE_PAUSED: return OTTER_CATEGORY_PAUSED;
    case OTTER_STATE_LOST: return OTTER_CATEGORY_LOST;
    default: break;
    }
    return OTTER_CATEGORY_EXECUTING;
}

// Returns the slice in nanoseconds.
static struct otter_stack_slice in_ns(const struct merge *merge,
                                      const struct otter_stack_slice *slice)
{
    struct otter_stack_slice copy = *slice;
    copy.begin = otter_view_ns(merge->view, slice->begin);
    copy.end = otter_view_ns(merge->view, slice->end);
    return copy;
}

static void open_slice(const struct merge *merge, const struct otter_stack_slice *slice)
{
    struct otter_stack_slice copy = in_ns(merge, slice);
    if (copy.begin < copy.end) {
        merge->sink->open(merge->sink->user, &copy);
    }
}

static void close_slice(const struct merge *merge, const struct otter_stack_slice *slice)
{
    struct otter_stack_slice copy = in_ns(merge, slice);
    if (copy.begin < copy.end && merge->sink->close) {
        merge->sink->close(merge->sink->user, &copy);
    }
}

// Sets *slice to the next construct of the lane that has a duration. Returns false at the end.
static bool find_next(struct merge *merge, struct otter_stack_slice *slice)
{
    const struct otter_lane *lane = &merge->view->lanes.items[merge->lane];
    for (; merge->next < lane->end_bar; merge->next++) {
        const struct otter_bar *bar = &merge->view->events.bars.items[merge->next];
        uint64_t begin = otter_view_ticks(merge->view, bar->begin);
        uint64_t end = otter_view_ticks(merge->view, bar->end);
        if (begin < end) {
            *slice = (struct otter_stack_slice){.lane = merge->lane,
                                                .begin = begin,
                                                .end = end,
                                                .label = otter_view_label(merge->view, bar->region),
                                                .task = OTTER_NONE,
                                                .node = OTTER_NONE};
            return true;
        }
    }
    return false;
}

// Opens and closes the constructs up to `time`. Returns the time of the next begin or end.
static uint64_t advance(struct merge *merge, uint64_t time)
{
    for (;;) {
        struct otter_stack_slice next = {.begin = UINT64_MAX};
        uint64_t begin = find_next(merge, &next) ? next.begin : UINT64_MAX;
        uint64_t end = merge->n_open > 0 ? merge->open[merge->n_open - 1].end : UINT64_MAX;
        if ((end < begin ? end : begin) > time || (end == UINT64_MAX && begin == UINT64_MAX)) {
            return end < begin ? end : begin;
        }
        if (end <= begin) {
            close_slice(merge, &merge->open[--merge->n_open]);
            continue;
        }
        merge->next++;
        next.end = next.end < end ? next.end : end;
        if (merge->n_open < OTTER_MAX_BARS) {
            merge->open[merge->n_open++] = next;
            open_slice(merge, &next);
        }
    }
}

static void begin_lane(struct merge *merge, uint32_t lane)
{
    if (merge->lane != OTTER_NONE) {
        advance(merge, UINT64_MAX);
    }
    merge->lane = lane;
    if (lane != OTTER_NONE) {
        const struct otter_lane *next = &merge->view->lanes.items[lane];
        merge->next = next->kind == OTTER_LANE_SECTIONS ? next->end_bar : next->first_bar;
    }
}

// Cuts the state at each start and end of a construct.
static void add_state(void *user, const struct otter_slice *slice)
{
    struct merge *merge = user;
    if (slice->lane != merge->lane) {
        begin_lane(merge, slice->lane);
    }
    if (slice->row > 0 || otter_state_is_idle(slice->state)) {
        return;
    }
    bool is_executing = slice->state == OTTER_STATE_EXECUTING;
    struct otter_stack_slice part = {.lane = slice->lane,
                                     .begin = slice->begin,
                                     .label = is_executing ? slice->label : slice->construct,
                                     .task = slice->task,
                                     .node = slice->node,
                                     .category = otter_category_of(slice->state)};
    for (; part.begin < slice->end; part.begin = part.end) {
        uint64_t change = advance(merge, part.begin);
        part.end = change < slice->end ? change : slice->end;
        open_slice(merge, &part);
        close_slice(merge, &part);
    }
}

void otter_stacks_each(const struct otter_view *view, const struct otter_stack_sink *sink)
{
    struct merge merge = {.view = view, .sink = sink, .lane = OTTER_NONE};
    otter_slices_each(view, add_state, &merge);
    begin_lane(&merge, OTTER_NONE);
}
