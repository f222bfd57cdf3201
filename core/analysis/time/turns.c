// Divides the processors among the threads of a program as if no other process had used them.
#include "analysis/time/turns.h"

#include <stdlib.h>

#include "base/free.h"
#include "base/order.h"

// The execution of a thread between two periods of sleep.
struct turn {
    uint64_t ready, ticks;
    uint32_t location; // OTTER_NONE: of a thread without OpenMP
};

struct turns {
    OTTER_VECTOR(struct turn);
    bool is_short_of_memory;
};

static int by_ready(const void *a, const void *b)
{
    const struct turn *x = a, *y = b;
    return OTTER_BY_2(x, y, ready, location);
}

static void add(struct turns *turns, struct turn turn)
{
    turns->is_short_of_memory |= turn.ticks > 0 && !OTTER_VECTOR_ADD(turns, turn);
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

// Returns the ticks between two times in which the thread certainly executed. `*next`: the first
// unknown stretch that may end after `begin`.
static uint64_t known_ticks(const struct otter_stretches *unknown, uint32_t *next, uint64_t begin,
                            uint64_t end)
{
    uint64_t ticks = end > begin ? end - begin : 0;
    for (; *next < unknown->n && unknown->items[*next].begin < end; ++*next) {
        const struct otter_stretch *stretch = &unknown->items[*next];
        uint64_t from = stretch->begin > begin ? stretch->begin : begin;
        uint64_t to = stretch->end < end ? stretch->end : end;
        ticks -= to > from ? to - from : 0;
        if (stretch->end > end) {
            break;
        }
    }
    return ticks;
}

static void add_line(struct turns *turns, const struct otter_timeline *timeline,
                     const struct otter_thread_line *line, uint32_t location, uint64_t at)
{
    struct turn turn = {.ready = at, .location = location};
    uint32_t unknown = 0;
    for (uint32_t i = 0; i < line->off.n; i++) {
        const struct otter_off *off = &line->off.items[i];
        turn.ticks += known_ticks(&line->unknown, &unknown, at, off->begin);
        at = off->end > at ? off->end : at;
        if (!off->is_preempted) {
            add(turns, turn);
            turn = (struct turn){.ready = at, .location = location};
        }
    }
    turn.ticks += known_ticks(&line->unknown, &unknown, at, timeline->end);
    add(turns, turn);
}

struct end {
    double executed; // ticks that each thread must have executed
    bool is_other;
};

// The turns that are not yet over. All get the same share of the processors, so they end in the
// order of `executed`. The last to end comes first.
struct active {
    struct end *ends;
    uint32_t n, n_others;
    double executed;     // by each thread
    double time, waited; // ticks
};

static void begin(struct active *active, const struct turn *turn)
{
    double end = active->executed + (double)turn->ticks;
    uint32_t i = active->n++;
    for (; i > 0 && active->ends[i - 1].executed < end; i--) {
        active->ends[i] = active->ends[i - 1];
    }
    active->ends[i] = (struct end){end, turn->location == OTTER_NONE};
    active->n_others += active->ends[i].is_other;
}

// Advances to `time`, and ends the turns that are over by then.
static void pass(struct active *active, uint32_t n_processors, double time)
{
    while (active->n > 0 && active->time < time) {
        uint32_t n_waiting = active->n > n_processors ? active->n - n_processors : 0;
        double share = n_waiting > 0 ? (double)n_processors / active->n : 1;
        const struct end *first = &active->ends[active->n - 1];
        double left = first->executed - active->executed;
        double passed = left / share < time - active->time ? left / share : time - active->time;
        active->waited += passed * n_waiting * (active->n - active->n_others) / (double)active->n;
        if (passed >= left / share) {
            active->n_others -= first->is_other;
            active->n--;
        }
        active->executed += passed * share;
        active->time += passed;
    }
    active->time = time;
}

enum otter_status otter_turns_find(const struct otter_timeline *timeline, uint32_t n_processors,
                                   uint64_t *ticks)
{
    struct turns turns = {0};
    for (uint32_t i = 0; i < timeline->n_lines; i++) {
        const struct otter_thread_line *line = &timeline->lines[i];
        add_line(&turns, timeline, line, line->location, begin_of(timeline, line));
    }
    for (uint32_t i = 0; i < timeline->n_others; i++) {
        if (otter_timeline_is_busy(timeline, &timeline->others[i])) {
            add_line(&turns, timeline, &timeline->others[i], OTTER_NONE, timeline->begin);
        }
    }
    struct active active = {.ends = malloc((turns.n + (size_t)1) * sizeof *active.ends)};
    bool is_good = active.ends && !turns.is_short_of_memory;
    OTTER_SORT(&turns, by_ready);
    for (uint32_t i = 0; i < turns.n && is_good; i++) {
        pass(&active, n_processors, (double)(turns.items[i].ready - timeline->begin));
        begin(&active, &turns.items[i]);
    }
    pass(&active, n_processors, (double)UINT64_MAX);
    *ticks = (uint64_t)active.waited;
    OTTER_FREE(turns.items, active.ends);
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}
