// Measures how long threads wait for a busy lock, and how long they take to acquire a free one.
#include <math.h>
#include <stdlib.h>

#include "analysis/replay/replay_plan.h"
#include "base/free.h"

// The acquisitions and releases of a thread that have not been visited yet.
struct cursor {
    const struct otter_location_marks *marks;
    const struct otter_timeline *timeline;
    const struct otter_thread_line *line;
    uint32_t mark, interval;
};

struct mean {
    uint64_t sum, n;
};

struct lock {
    uint64_t free_since; // the last release
    bool is_held;        // acquired and not yet released
};

struct of_region {
    struct mean hand_over; // from a free lock to its acquisition
    struct mean wait;      // for a release
    uint64_t n;            // acquisitions
};

struct measuring {
    struct otter_replay *replay;
    struct cursor *cursors; // a heap, the earliest mark first
    uint32_t n_cursors;
    struct lock *locks;
    struct of_region *regions;
};

static const struct otter_mark *mark_of(const struct cursor *cursor)
{
    return &cursor->marks->items[cursor->mark];
}

// Returns false after the last mark.
static bool find_lock(struct cursor *cursor)
{
    while (cursor->mark < cursor->marks->n && mark_of(cursor)->kind != OTTER_MARK_ACQUIRE &&
           mark_of(cursor)->kind != OTTER_MARK_RELEASE) {
        cursor->mark++;
    }
    return cursor->mark < cursor->marks->n;
}

// A release precedes an acquisition at the same time.
static bool precedes(const struct cursor *cursor, const struct cursor *other)
{
    const struct otter_mark *a = mark_of(cursor), *b = mark_of(other);
    return a->time != b->time ? a->time < b->time : a->kind > b->kind;
}

static void sift(struct measuring *measuring, uint32_t i)
{
    struct cursor *items = measuring->cursors;
    for (uint32_t least = i;; i = least) {
        for (uint32_t child = 2 * i + 1; child <= 2 * i + 2 && child < measuring->n_cursors;
             child++) {
            least = precedes(&items[child], &items[least]) ? child : least;
        }
        if (least == i) {
            return;
        }
        struct cursor moved = items[i];
        items[i] = items[least];
        items[least] = moved;
    }
}

// Returns when the thread began to wait for the lock that it acquires.
static uint64_t asked(struct cursor *cursor, uint64_t acquired)
{
    const struct otter_thread_line *line = cursor->line;
    while (cursor->interval < line->intervals.n &&
           otter_interval_end(cursor->timeline, line, cursor->interval) < acquired) {
        cursor->interval++;
    }
    const struct otter_interval *wait = &line->intervals.items[cursor->interval];
    bool has_waited = cursor->interval < line->intervals.n && wait->state == OTTER_STATE_LOCK &&
                      wait->begin < acquired;
    return has_waited ? wait->begin : acquired;
}

static void add(struct mean *mean, uint64_t ticks)
{
    mean->sum += ticks;
    mean->n++;
}

// A release is recorded after it has happened, so the next acquisition may be recorded earlier.
static void visit_acquisition(struct measuring *measuring, const struct lock *lock,
                              struct of_region *region, struct cursor *cursor)
{
    uint64_t acquired = mark_of(cursor)->time, from = asked(cursor, acquired);
    bool has_waited = from < acquired && (lock->is_held || lock->free_since > from);
    region->n++;
    if (has_waited) {
        add(&region->wait, acquired - from);
    }
    from = lock->free_since > from ? lock->free_since : from;
    if (acquired - from <= measuring->replay->latencies.most) {
        add(&region->hand_over, acquired - from);
    }
}

static void visit(struct measuring *measuring, struct cursor *cursor)
{
    const struct otter_replay *replay = measuring->replay;
    const struct otter_mark *mark = mark_of(cursor);
    uint32_t index = otter_replay_index_of(&replay->locks, mark->value);
    if (index == OTTER_NONE || mark->value == 0) { // number 0 stands for many locks
        return;
    }
    struct lock *lock = &measuring->locks[index];
    bool is_acquired = mark->kind == OTTER_MARK_ACQUIRE;
    if (!is_acquired) {
        lock->free_since = mark->time;
    } else if (mark->region < replay->analysis->definitions->n_regions) {
        visit_acquisition(measuring, lock, &measuring->regions[mark->region], cursor);
    }
    lock->is_held = is_acquired;
}

static void begin(struct measuring *measuring)
{
    const struct otter_analysis *analysis = measuring->replay->analysis;
    for (uint32_t i = 0; i < analysis->timeline.n_lines; i++) {
        const struct otter_thread_line *line = &analysis->timeline.lines[i];
        struct cursor cursor = {.marks = &analysis->marks.locations[line->location],
                                .timeline = &analysis->timeline,
                                .line = line};
        if (find_lock(&cursor)) {
            measuring->cursors[measuring->n_cursors++] = cursor;
        }
    }
    for (uint32_t i = measuring->n_cursors; i-- > 0;) {
        sift(measuring, i);
    }
}

static void visit_all(struct measuring *measuring)
{
    struct cursor *first = measuring->cursors;
    while (measuring->n_cursors > 0) {
        visit(measuring, first);
        first->mark++;
        if (!find_lock(first)) {
            *first = measuring->cursors[--measuring->n_cursors];
        }
        sift(measuring, 0);
    }
}

static void store(struct measuring *measuring, uint32_t n_regions)
{
    for (uint32_t i = 0; i < n_regions; i++) {
        const struct of_region *region = &measuring->regions[i];
        const struct mean *hand_over = &region->hand_over, *wait = &region->wait;
        struct otter_lock_times *times = &measuring->replay->lock_times[i];
        times->hand_over = hand_over->n > 0 ? (uint32_t)(hand_over->sum / hand_over->n) : 0;
        times->wait = region->n == 0 ? INFINITY
                      : wait->n == 0 ? 0
                                     : (double)wait->sum / (double)wait->n;
    }
}

enum otter_status otter_replay_measure_locks(struct otter_replay *replay)
{
    uint32_t n_regions = (uint32_t)replay->analysis->definitions->n_regions;
    size_t n_lines = replay->analysis->timeline.n_lines;
    replay->lock_times = calloc(n_regions + (size_t)1, sizeof *replay->lock_times);
    if (!replay->lock_times || !otter_replay_list_locks(replay)) {
        return OTTER_NO_MEMORY;
    }
    struct measuring measuring = {
        .replay = replay,
        .cursors = calloc(n_lines + 1, sizeof *measuring.cursors),
        .locks = calloc(replay->locks.n + (size_t)1, sizeof *measuring.locks),
        .regions = calloc(n_regions + (size_t)1, sizeof *measuring.regions),
    };
    bool is_good = measuring.cursors && measuring.locks && measuring.regions;
    if (is_good && replay->locks.n > 0) {
        begin(&measuring);
        visit_all(&measuring);
    }
    if (is_good) {
        store(&measuring, n_regions);
    }
    OTTER_FREE(measuring.cursors, measuring.locks, measuring.regions);
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}

double otter_replay_lock_wait(const struct otter_replay *replay, uint32_t region)
{
    bool is_known = region < replay->analysis->definitions->n_regions;
    return is_known ? replay->lock_times[region].wait : INFINITY;
}
