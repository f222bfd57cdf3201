// Finds how long threads take turns because there are more of them than processors.
#include "analysis/time/turns.h"

#include "base/order.h"

// The numbers of threads that begin (or end, if negative) to execute and to wait for a processor.
struct change {
    uint64_t time;
    int runs, waits, own; // own: of `waits`, threads of OpenMP
};

struct changes {
    OTTER_VECTOR(struct change);
    bool is_short_of_memory;
};

static int by_time(const void *a, const void *b)
{
    const struct change *x = a, *y = b;
    return OTTER_BY_2(x, y, time, runs);
}

static void add(struct changes *changes, uint64_t begin, uint64_t end, struct change change)
{
    struct change back = {end, -change.runs, -change.waits, -change.own};
    change.time = begin;
    changes->is_short_of_memory |=
        begin < end && !(OTTER_VECTOR_ADD(changes, change) && OTTER_VECTOR_ADD(changes, back));
}

// Returns when the thread begins: at its first event, or earlier if it had to wait for a processor
// before.
static uint64_t begin_of(const struct otter_timeline *timeline,
                         const struct otter_thread_line *line)
{
    uint64_t first = line->intervals.n > 1 ? line->intervals.items[1].begin : timeline->begin;
    const struct otter_off *off = line->off.n > 0 ? &line->off.items[0] : NULL;
    return off && off->is_preempted && off->begin < first ? off->begin : first;
}

// Adds the time between two switches in which the thread certainly executed. `*next`: the first
// unknown stretch that may end after `begin`.
static void add_known(struct changes *changes, const struct otter_stretches *unknown,
                      uint32_t *next, uint64_t begin, uint64_t end)
{
    const struct change runs = {.runs = 1};
    for (; *next < unknown->n && unknown->items[*next].begin < end; ++*next) {
        const struct otter_stretch *stretch = &unknown->items[*next];
        add(changes, begin, stretch->begin, runs);
        begin = stretch->end > begin ? stretch->end : begin;
        if (stretch->end > end) {
            break;
        }
    }
    add(changes, begin, end, runs);
}

static void add_line(struct changes *changes, const struct otter_timeline *timeline,
                     const struct otter_thread_line *line, bool is_other, uint64_t at)
{
    uint32_t unknown = 0;
    for (uint32_t i = 0; i < line->off.n; i++) {
        const struct otter_off *off = &line->off.items[i];
        add_known(changes, &line->unknown, &unknown, at, off->begin);
        at = off->end > at ? off->end : at;
        add(changes, off->begin, off->end,
            (struct change){.waits = off->is_preempted, .own = off->is_preempted && !is_other});
    }
    add_known(changes, &line->unknown, &unknown, at, timeline->end);
}

// While other processes have processors, the program makes less progress, so this time counts for
// less.
static double add_up(const struct changes *changes, uint32_t n_processors)
{
    double ticks = 0;
    int runs = 0, waits = 0, own = 0, n = (int)n_processors;
    for (uint32_t i = 0; i < changes->n; i++) {
        const struct change *change = &changes->items[i];
        int excess = runs + waits - n;
        double passed = i > 0 ? (double)(change->time - changes->items[i - 1].time) : 0;
        ticks += waits > 0 && excess > 0
                     ? passed * excess * own / waits * (runs < n ? (double)runs / n : 1)
                     : 0;
        runs += change->runs;
        waits += change->waits;
        own += change->own;
    }
    return ticks;
}

enum otter_status otter_turns_find(const struct otter_timeline *timeline, uint32_t n_processors,
                                   uint64_t *ticks)
{
    struct changes changes = {0};
    for (uint32_t i = 0; i < timeline->n_lines; i++) {
        const struct otter_thread_line *line = &timeline->lines[i];
        add_line(&changes, timeline, line, false, begin_of(timeline, line));
    }
    for (uint32_t i = 0; i < timeline->n_others; i++) {
        if (otter_timeline_is_busy(timeline, &timeline->others[i])) {
            add_line(&changes, timeline, &timeline->others[i], true, timeline->begin);
        }
    }
    OTTER_SORT(&changes, by_time);
    *ticks = (uint64_t)add_up(&changes, n_processors);
    free(changes.items);
    return changes.is_short_of_memory ? OTTER_NO_MEMORY : OTTER_OK;
}
