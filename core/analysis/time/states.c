// Adds up the intervals of a thread.
#include "analysis/time/states.h"

#include "base/order.h"

const char *otter_state_name(enum otter_state state)
{
    static const char *const names[] = {
        [OTTER_STATE_OUTSIDE] = "outside", [OTTER_STATE_EXECUTING] = "executing",
        [OTTER_STATE_WAITING] = "waiting", [OTTER_STATE_LOCK] = "lock",
        [OTTER_STATE_FORKING] = "forking", [OTTER_STATE_MPI] = "mpi",
        [OTTER_STATE_PAUSED] = "paused",   [OTTER_STATE_LOST] = "lost",
        [OTTER_STATE_UNUSED] = "unused",
    };
    _Static_assert(sizeof names / sizeof *names == OTTER_N_STATES, "a state lacks its name");
    return names[state];
}

// Positions at which the last searches of some threads ended: first among intervals, then among
// periods off a processor. Callers walk along a thread, so the next search ends nearby. Any value
// is valid, since it only decides where a search starts.
enum { N_RECENT = 64, MAX_STEPS = 4 };
static _Thread_local uint32_t recent[2 * N_RECENT];

static uint32_t *recent_of(const struct otter_thread_line *line)
{
    return &recent[(uintptr_t)line / sizeof *line % N_RECENT];
}

// Narrows [low, high), which initially contains all items, to a part around `time`. Searches from
// `from` with steps of doubling size.
static void narrow(const struct otter_interval *items, uint64_t time, uint32_t from, uint32_t *low,
                   uint32_t *high)
{
    if (items[from].begin <= time) {
        uint32_t step = 1;
        while (*high - from > step && items[from + step].begin <= time) {
            from += step;
            step *= 2;
        }
        *low = from;
        *high = *high - from > step ? from + step : *high;
        return;
    }
    for (uint32_t step = 1; from > 0 && items[from].begin > time; step *= 2) {
        *high = from;
        from = from > step ? from - step : 0;
    }
    *low = from;
}

// Returns whether the interval at `time` is number `*i` or one of the next ones; sets *i to it.
static bool is_near(const struct otter_thread_line *line, uint32_t *i, uint64_t time)
{
    const struct otter_interval *items = line->intervals.items;
    uint32_t n = line->intervals.n, at = *i;
    for (unsigned k = 0; k < MAX_STEPS && at < n && items[at].begin <= time; k++, at++) {
        if (at + 1 == n || items[at + 1].begin > time) {
            *i = at;
            return true;
        }
    }
    return false;
}

uint32_t otter_interval_at(const struct otter_thread_line *line, uint64_t time)
{
    uint32_t low = 0, high = line->intervals.n, *last = recent_of(line);
    if (is_near(line, last, time)) {
        return *last;
    }
    if (*last < high) {
        narrow(line->intervals.items, time, *last, &low, &high);
    }
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (line->intervals.items[middle].begin <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    *last = low;
    return low;
}

uint64_t otter_ticks_in_state(const struct otter_timeline *timeline,
                              const struct otter_thread_line *line, enum otter_state state,
                              uint64_t begin, uint64_t end)
{
    uint64_t ticks = 0;
    for (uint32_t i = otter_interval_at(line, begin); i < line->intervals.n && begin < end; i++) {
        uint64_t next = otter_interval_end(timeline, line, i);
        next = next < end ? next : end;
        if (next > begin) {
            ticks += line->intervals.items[i].state == state ? next - begin : 0;
            begin = next;
        }
    }
    return ticks;
}

static bool is_off_after(const struct otter_thread_line *line, uint32_t i, uint64_t time)
{
    const struct otter_off *off = line->off.items;
    return i <= line->off.n && (i == 0 || off[i - 1].end <= time) &&
           (i == line->off.n || off[i].end > time);
}

uint32_t otter_off_after(const struct otter_thread_line *line, uint64_t time)
{
    uint32_t low = 0, high = line->off.n, *last = recent_of(line) + N_RECENT;
    if (is_off_after(line, *last, time) || is_off_after(line, ++*last, time)) {
        return *last;
    }
    OTTER_SEARCH(low, high, middle, line->off.items[middle].end <= time)
    *last = low;
    return low;
}

uint64_t otter_off_within(const struct otter_off *off, uint64_t begin, uint64_t end)
{
    uint64_t from = off->begin > begin ? off->begin : begin;
    uint64_t to = off->end < end ? off->end : end;
    return to > from ? to - from : 0;
}

struct otter_off_ticks otter_ticks_off(const struct otter_thread_line *line, uint64_t begin,
                                       uint64_t end, bool is_crowded)
{
    struct otter_off_ticks sum = {0};
    for (uint32_t i = line->off.n > 0 ? otter_off_after(line, begin) : 0;
         i < line->off.n && line->off.items[i].begin < end; i++) {
        const struct otter_off *off = &line->off.items[i];
        double *ticks = !off->is_preempted          ? &sum.asleep
                        : off->by_own && is_crowded ? &sum.by_own
                                                    : &sum.by_others;
        *ticks += (double)otter_off_within(off, begin, end);
    }
    return sum;
}

uint64_t otter_ticks_preempted(const struct otter_thread_line *line, uint64_t begin, uint64_t end)
{
    return (uint64_t)otter_ticks_off(line, begin, end, false).by_others;
}
