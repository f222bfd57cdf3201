// Collects acquisitions of locks from events, and adds them up by construct.
#include "analysis/detail/locks.h"

#include <stdlib.h>

#include "base/free.h"
#include "base/order.h"
#include "analysis/detail/events.h"
#include "analysis/time/quantile.h"
#include "graph/numbers.h"
#include "trace/schema.h"

struct acquisition {
    uint64_t begin, acquired, released;
    uint64_t waited;     // ticks in failed tests of the lock, and in the wait that ends with it
    uint64_t next_begin; // start of the earliest later wait for the same lock; UINT64_MAX: none
    uint32_t lock, order;
    uint32_t region, location;
    bool has_waited; // another thread held the lock
};

// A lock may be released by a thread other than the one that acquired it.
struct release {
    uint64_t time;
    uint32_t lock, order;
};

struct frame {
    uint64_t begin;
    uint32_t region;
    bool has_lock;
};

struct otter_lock_walk {
    const struct otter_definitions *definitions;
    struct {
        OTTER_VECTOR(struct acquisition);
    } acquisitions;
    struct {
        OTTER_VECTOR(struct release);
    } releases;
    struct {
        OTTER_VECTOR(struct frame);
    } frames;
    // failed tests (omp_test_lock) at one place since the thread's previous acquisition of any lock
    struct acquisition failed;
    uint32_t location;
    bool is_short_of_memory;
};

// ---- events

static void enter(struct otter_lock_walk *walk, const struct otter_event *event)
{
    walk->is_short_of_memory |= !OTTER_VECTOR_ADD(
        &walk->frames, (struct frame){.begin = event->time, .region = event->region});
}

// Returns the innermost open construct that waits for a lock; NULL in a damaged archive.
static struct frame *find_wait(const struct otter_lock_walk *walk)
{
    for (uint32_t i = walk->frames.n; i-- > 0;) {
        if (otter_construct_locks(
                otter_definitions_construct(walk->definitions, walk->frames.items[i].region))) {
            return &walk->frames.items[i];
        }
    }
    return NULL;
}

static void add(struct otter_lock_walk *walk, struct acquisition acquisition)
{
    acquisition.waited = acquisition.acquired - acquisition.begin;
    if (walk->failed.waited > 0 && walk->failed.region == acquisition.region) {
        acquisition.waited += walk->failed.waited;
        acquisition.begin = walk->failed.begin;
    }
    walk->failed.waited = 0;
    walk->is_short_of_memory |= !OTTER_VECTOR_ADD(&walk->acquisitions, acquisition);
}

static void acquire(struct otter_lock_walk *walk, const struct otter_event *event)
{
    struct frame *wait = find_wait(walk);
    if (wait) {
        wait->has_lock = true;
        add(walk, (struct acquisition){.begin = wait->begin,
                                       .acquired = event->time,
                                       .released = UINT64_MAX,
                                       .lock = event->lock.id,
                                       .order = event->lock.order,
                                       .region = wait->region,
                                       .location = event->location});
    }
}

static void fail(struct otter_lock_walk *walk, const struct frame *frame, uint64_t time)
{
    struct acquisition *failed = &walk->failed;
    if (failed->waited == 0 || failed->region != frame->region) {
        *failed = (struct acquisition){.begin = frame->begin, .region = frame->region};
    }
    failed->waited += time - frame->begin;
}

// A wait for an iteration of a doacross loop has no lock.
static void leave(struct otter_lock_walk *walk, const struct otter_event *event)
{
    if (walk->frames.n == 0) {
        return;
    }
    const struct frame *frame = &walk->frames.items[--walk->frames.n];
    enum otter_construct construct = otter_definitions_construct(walk->definitions, frame->region);
    if (!frame->has_lock && construct == OTTER_CONSTRUCT_ORDERED) {
        add(walk, (struct acquisition){.begin = frame->begin,
                                       .acquired = event->time,
                                       .released = event->time,
                                       .region = frame->region,
                                       .location = event->location});
    } else if (!frame->has_lock && otter_construct_locks(construct)) {
        fail(walk, frame, event->time);
    }
}

static void release(struct otter_lock_walk *walk, const struct otter_event *event)
{
    walk->is_short_of_memory |= !OTTER_VECTOR_ADD(
        &walk->releases, (struct release){event->time, event->lock.id, event->lock.order});
}

bool otter_lock_walk_add(void *user, const struct otter_event *event)
{
    struct otter_lock_walk *walk = user;
    if (walk->location != event->location) {
        walk->location = event->location;
        walk->frames.n = 0;
        walk->failed.waited = 0;
    }
    switch (event->kind) {
    case OTTER_RECORD_ENTER: enter(walk, event); break;
    case OTTER_RECORD_LEAVE: leave(walk, event); break;
    case OTTER_RECORD_ACQUIRE_LOCK: acquire(walk, event); break;
    case OTTER_RECORD_RELEASE_LOCK: release(walk, event); break;
    default: break;
    }
    return !walk->is_short_of_memory;
}

// ---- what each acquisition waited for

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int by_order(const void *a, const void *b)
{
    const struct acquisition *x = a, *y = b;
    return OTTER_BY_2(x, y, lock, order);
}

static int releases_by_order(const void *a, const void *b)
{
    const struct release *x = a, *y = b;
    return OTTER_BY_2(x, y, lock, order);
}

static int by_region(const void *a, const void *b)
{
    const struct acquisition *x = a, *y = b;
    int order = compare(x->region, y->region);
    return order ? order : by_order(a, b);
}

// The runtime reports a release when another thread may already have acquired the lock. Such a hold
// ends at that acquisition, as in the finding (conclude_locks.c).
static void end_late_release(struct otter_lock_walk *walk, uint32_t i)
{
    struct acquisition *own = &walk->acquisitions.items[i], *next = own + 1;
    bool is_late = i + 1 < walk->acquisitions.n && own->lock > 0 && next->lock == own->lock &&
                   next->location != own->location && next->acquired >= own->acquired;
    own->released = is_late && next->acquired < own->released ? next->acquired : own->released;
}

static void match_releases(struct otter_lock_walk *walk, uint64_t end)
{
    for (uint32_t i = 0, k = 0; i < walk->acquisitions.n; i++) {
        struct acquisition *acquisition = &walk->acquisitions.items[i];
        acquisition->released = acquisition->released < end ? acquisition->released : end;
        struct release key = {.lock = acquisition->lock, .order = acquisition->order};
        while (k < walk->releases.n && releases_by_order(&walk->releases.items[k], &key) < 0) {
            k++;
        }
        if (k < walk->releases.n && releases_by_order(&walk->releases.items[k], &key) == 0 &&
            walk->releases.items[k].time >= acquisition->acquired) {
            acquisition->released = walk->releases.items[k].time;
        }
        end_late_release(walk, i);
    }
}

// The acquisitions of a lock are in order, so a waiting thread acquires it later. Number 0 stands
// for many locks, so their waits and holds do not show which threads waited for each other.
static void find_contention(struct otter_lock_walk *walk)
{
    struct acquisition *items = walk->acquisitions.items;
    for (uint32_t i = walk->acquisitions.n; i-- > 0;) {
        bool has_next =
            i + 1 < walk->acquisitions.n && items[i].lock > 0 && items[i + 1].lock == items[i].lock;
        bool is_other = has_next && items[i + 1].location != items[i].location;
        uint64_t next = has_next ? items[i + 1].next_begin : UINT64_MAX;
        items[i].next_begin = is_other && items[i + 1].begin < next ? items[i + 1].begin : next;
        if (is_other) {
            items[i + 1].has_waited = items[i + 1].begin < items[i].released;
        }
    }
}

// ---- sums

static uint64_t held_against(const struct acquisition *acquisition)
{
    uint64_t begin = acquisition->next_begin > acquisition->acquired ? acquisition->next_begin
                                                                     : acquisition->acquired;
    return begin < acquisition->released ? acquisition->released - begin : 0;
}

// The acquisitions are sorted by lock.
static void summarise(struct otter_lock_use *use, const struct acquisition *items, uint32_t n,
                      uint64_t *waits)
{
    *use = (struct otter_lock_use){.region = items[0].region, .n = n};
    for (uint32_t i = 0; i < n; i++) {
        waits[i] = items[i].waited;
        use->n_locks += i == 0 || items[i].lock != items[i - 1].lock;
        use->n_waited += items[i].has_waited;
        use->waited += waits[i];
        use->held += items[i].released - items[i].acquired;
        use->held_against += held_against(&items[i]);
    }
    otter_numbers_sort(waits, n);
    use->median = otter_quantile(waits, n, 50);
    use->p99 = otter_quantile(waits, n, 99);
    use->max = waits[n - 1];
}

static int by_wait(const void *a, const void *b)
{
    const struct otter_lock_use *x = a, *y = b;
    return otter_order(OTTER_BY_1(y, x, waited), OTTER_BY_1(x, y, region));
}

static void add_up(struct otter_locks *locks, struct otter_lock_walk *walk, uint64_t end_of_run,
                   uint64_t *waits)
{
    if (walk->acquisitions.n == 0) {
        return;
    }
    struct acquisition *items = walk->acquisitions.items;
    qsort(items, walk->acquisitions.n, sizeof *items, by_order);
    if (walk->releases.n > 0) {
        qsort(walk->releases.items, walk->releases.n, sizeof *walk->releases.items,
              releases_by_order);
    }
    match_releases(walk, end_of_run);
    find_contention(walk);
    qsort(items, walk->acquisitions.n, sizeof *items, by_region);
    for (uint32_t i = 0, end; i < walk->acquisitions.n; i = end) {
        end = i + 1;
        while (end < walk->acquisitions.n && items[end].region == items[i].region) {
            end++;
        }
        summarise(&locks->items[locks->n++], &items[i], end - i, waits);
    }
    qsort(locks->items, locks->n, sizeof *locks->items, by_wait);
}

// ---- all

static bool conclude(struct otter_locks *locks, struct otter_lock_walk *walk, uint64_t end)
{
    uint64_t *waits = malloc((walk->acquisitions.n + 1) * sizeof *waits);
    locks->items = calloc(walk->definitions->n_regions + 1, sizeof *locks->items);
    bool is_good = waits && locks->items;
    if (is_good) {
        add_up(locks, walk, end, waits);
    }
    free(waits);
    return is_good;
}

struct otter_lock_walk *otter_lock_walk_create(const struct otter_definitions *definitions)
{
    struct otter_lock_walk *walk =
        otter_events_have(definitions, otter_construct_locks) ? calloc(1, sizeof *walk) : NULL;
    if (walk) {
        walk->definitions = definitions;
        walk->location = OTTER_NONE;
    }
    return walk;
}

void otter_lock_walk_destroy(struct otter_lock_walk *walk)
{
    if (walk) {
        OTTER_FREE(walk->acquisitions.items, walk->releases.items, walk->frames.items);
        free(walk);
    }
}

enum otter_status otter_locks_read(struct otter_locks *locks, const struct otter_analysis *analysis,
                                   struct otter_lock_walk *walk)
{
    struct otter_lock_walk own = {.definitions = analysis->definitions, .location = OTTER_NONE};
    *locks = (struct otter_locks){0};
    bool is_good =
        walk || otter_events_read(analysis, otter_construct_locks, otter_lock_walk_add, &own);
    is_good = is_good && conclude(locks, walk ? walk : &own, analysis->timeline.end);
    OTTER_FREE(own.acquisitions.items, own.releases.items, own.frames.items);
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}

void otter_locks_finish(struct otter_locks *locks)
{
    free(locks->items);
    *locks = (struct otter_locks){0};
}
