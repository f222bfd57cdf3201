// Measures how long threads take to acquire free locks, and numbers the locks of a replay.
#include <stdlib.h>

#include "analysis/replay/replay_plan.h"
#include "base/free.h"

// ---- sets of locks

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void sort_ids(struct otter_replay_ids *ids)
{
    uint32_t n = 0;
    if (ids->n > 1) {
        qsort(ids->items, ids->n, sizeof *ids->items, compare);
    }
    for (uint32_t i = 0; i < ids->n; i++) {
        if (n == 0 || ids->items[n - 1] != ids->items[i]) {
            ids->items[n++] = ids->items[i];
        }
    }
    ids->n = n;
}

uint32_t otter_replay_index_of(const struct otter_replay_ids *ids, uint32_t lock)
{
    const uint32_t *found =
        ids->n ? bsearch(&lock, ids->items, ids->n, sizeof *ids->items, compare) : NULL;
    return found ? (uint32_t)(found - ids->items) : OTTER_NONE;
}

// Lists the locks of all acquisitions, or of those with a dropped label.
static bool list_locks(const struct otter_replay *replay, struct otter_replay_ids *ids,
                       bool is_of_dropped)
{
    const struct otter_marks *marks = &replay->analysis->marks;
    for (size_t i = 0; i < marks->definitions->n_locations; i++) {
        for (uint32_t k = 0; k < marks->locations[i].n; k++) {
            const struct otter_mark *mark = &marks->locations[i].items[k];
            bool is_listed = mark->kind == OTTER_MARK_ACQUIRE &&
                             (!is_of_dropped || otter_replay_drops(replay, mark->region));
            if (is_listed && (ids->n == 0 || ids->items[ids->n - 1] != mark->value) &&
                !OTTER_VECTOR_ADD(ids, mark->value)) {
                return false;
            }
        }
    }
    sort_ids(ids);
    return true;
}

// If any of a lock's acquisitions has a dropped label, the lock is always free.
bool otter_replay_list_dropped(const struct otter_replay *replay, struct otter_replay_ids *dropped)
{
    return !replay->has_drops || list_locks(replay, dropped, true);
}

void otter_replay_number_locks(struct otter_replay *replay)
{
    for (uint32_t i = 0; i < replay->actions.n; i++) {
        struct otter_action *action = &replay->actions.items[i];
        if (action->kind == OTTER_ACTION_ACQUIRE || action->kind == OTTER_ACTION_RELEASE) {
            action->value = otter_replay_index_of(&replay->locks, (uint32_t)action->value);
        }
    }
}

// ---- the time from a free lock to its acquisition

// The locks and releases of a thread that were not visited yet.
struct cursor {
    const struct otter_location_marks *marks;
    const struct otter_timeline *timeline;
    const struct otter_thread_line *line;
    uint32_t mark, interval;
};

struct mean {
    uint64_t sum, n;
};

struct measuring {
    struct otter_replay *replay;
    struct cursor *cursors; // a heap, the earliest mark first
    uint32_t n_cursors;
    uint64_t *free_since; // of each lock: its last release
    struct mean *means;   // of each region
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

static void visit(struct measuring *measuring, struct cursor *cursor)
{
    const struct otter_mark *mark = mark_of(cursor);
    uint32_t lock = otter_replay_index_of(&measuring->replay->locks, mark->value);
    if (lock == OTTER_NONE) {
        return;
    }
    uint64_t *free_since = &measuring->free_since[lock];
    if (mark->kind == OTTER_MARK_RELEASE) {
        *free_since = mark->time;
        return;
    }
    uint64_t from = asked(cursor, mark->time);
    from = *free_since > from ? *free_since : from;
    bool is_known = mark->region < measuring->replay->analysis->definitions->n_regions;
    if (is_known && mark->time - from <= measuring->replay->latencies.most) {
        measuring->means[mark->region].sum += mark->time - from;
        measuring->means[mark->region].n++;
    }
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

static void set_ticks(struct measuring *measuring, uint32_t n_regions)
{
    for (uint32_t i = 0; i < n_regions; i++) {
        const struct mean *mean = &measuring->means[i];
        measuring->replay->lock_ticks[i] = mean->n > 0 ? (uint32_t)(mean->sum / mean->n) : 0;
    }
}

enum otter_status otter_replay_measure_locks(struct otter_replay *replay)
{
    uint32_t n_regions = (uint32_t)replay->analysis->definitions->n_regions;
    replay->lock_ticks = calloc(n_regions + (size_t)1, sizeof *replay->lock_ticks);
    if (!replay->lock_ticks || !list_locks(replay, &replay->locks, false)) {
        return OTTER_NO_MEMORY;
    }
    if (replay->locks.n == 0) {
        return OTTER_OK;
    }
    size_t n_lines = replay->analysis->timeline.n_lines + (size_t)1;
    struct measuring measuring = {.replay = replay,
                                  .cursors = calloc(n_lines, sizeof *measuring.cursors),
                                  .free_since =
                                      calloc(replay->locks.n, sizeof *measuring.free_since),
                                  .means = calloc(n_regions + (size_t)1, sizeof *measuring.means)};
    bool is_good = measuring.cursors && measuring.free_since && measuring.means;
    if (is_good) {
        begin(&measuring);
        visit_all(&measuring);
        set_ticks(&measuring, n_regions);
    }
    OTTER_FREE(measuring.cursors, measuring.free_since, measuring.means);
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}
