// Attributes the time in which threads wait for a lock to the threads that hold it during the wait.
// While the thread that has to continue lacks a processor, the cause is noise or oversubscription.
#include "analysis/findings/conclude.h"

#include <stdlib.h>

#include "analysis/time/states.h"
#include "base/free.h"
#include "base/order.h"

// A mark of a lock, and its thread. Marks of lock 0 are of different locks (doc/archive.md).
struct hold {
    uint64_t time;
    uint32_t lock, kind; // kind: enum otter_mark_kind
    uint32_t region, location;
    uint64_t previous; // of an acquisition: the time of the thread's previous one (any lock)
};

// The loss in waits at the label `from` while a thread holds the lock that it acquired at the label
// `to`.
struct pair {
    uint32_t from, to;
    double ticks;
};

// A wait for an earlier iteration of an ordered or doacross loop. `lack`: of the thread that has to
// continue, which may itself wait for another thread.
struct order_wait {
    uint64_t begin, end;
    struct otter_off_ticks lack;
};

struct order_waits {
    OTTER_VECTOR(struct order_wait);
};

// The end of one iteration's part, and the end of another iteration's wait for it.
struct order {
    uint64_t begin, end;
    uint32_t from, to; // locations
};

struct holds {
    const struct otter_analysis *analysis;
    struct otter_losses *losses;
    OTTER_VECTOR(struct hold);
    struct {
        OTTER_VECTOR(struct order);
    } orders;
    struct order_waits *order_waits; // of each location
    struct {
        OTTER_VECTOR(struct pair);
    } pairs;
    bool is_short_of_memory;
    // by label of a wait: its ticks, the loss per tick, the loss that is not yet charged, and the
    // part of this loss in which the lock was free
    double *waited, *times, *left, *free;
    double *unowned;             // by label of a wait: the loss before a lock had any owner
    double *paired;              // by label of a wait: the loss while locks were held
    double *held;                // by label of a holder: the loss that is charged to it
    struct otter_off_ticks lack; // the loss that is charged to the lack of a processor
};

// ---- the marks of all threads

// A thread may acquire a lock at the time when another thread releases it.
static int by_lock(const void *a, const void *b)
{
    const struct hold *x = a, *y = b;
    int order = OTTER_BY_2(x, y, lock, time);
    return order ? order : otter_order(OTTER_BY_1(y, x, kind), OTTER_BY_1(x, y, location));
}

// The runtime reports a release when another thread may already have acquired the lock. Such a hold
// ends at that acquisition.
static void drop_late_releases(struct holds *holds)
{
    uint32_t n = 0, n_open = 0, owner = OTTER_NONE, lock = 0;
    for (uint32_t i = 0; i < holds->n; i++) {
        const struct hold *hold = &holds->items[i];
        bool is_acquired = hold->kind == OTTER_MARK_ACQUIRE;
        n_open = hold->lock == lock ? n_open : 0;
        lock = hold->lock;
        owner = is_acquired ? hold->location : owner;
        bool is_late = !is_acquired && n_open > 1 && hold->location != owner;
        n_open = is_acquired ? n_open + 1 : n_open - (n_open > 0);
        if (!is_late) {
            holds->items[n++] = *hold;
        }
    }
    holds->n = n;
}

static bool gather(struct holds *holds)
{
    const struct otter_timeline *timeline = &holds->analysis->timeline;
    for (uint32_t i = 0; i < timeline->n_lines; i++) {
        uint32_t location = timeline->lines[i].location;
        const struct otter_location_marks *marks = &holds->analysis->marks.locations[location];
        uint64_t previous = 0;
        for (uint32_t k = 0; k < marks->n; k++) {
            const struct otter_mark *mark = &marks->items[k];
            struct hold hold = {mark->time,   mark->value, mark->kind,
                                mark->region, location,    previous};
            bool is_acquired = mark->kind == OTTER_MARK_ACQUIRE;
            bool is_of_lock = mark->value > 0 && (is_acquired || mark->kind == OTTER_MARK_RELEASE);
            if (is_of_lock && !OTTER_VECTOR_ADD(holds, hold)) {
                return false;
            }
            previous = is_acquired ? mark->time : previous;
        }
    }
    OTTER_SORT(holds, by_lock);
    drop_late_releases(holds);
    return true;
}

static uint32_t place_of(const struct holds *holds, uint32_t region)
{
    return otter_account_label(&holds->analysis->account, region);
}

// The loss of a wait includes the time of threads that wait for the waiting thread.
static void add_up_waits(struct holds *holds)
{
    const struct otter_timeline *timeline = &holds->analysis->timeline;
    for (uint32_t i = 0; i < timeline->n_lines; i++) {
        const struct otter_thread_line *line = &timeline->lines[i];
        for (uint32_t k = 0; k < line->intervals.n; k++) {
            const struct otter_interval *interval = &line->intervals.items[k];
            if (interval->state == OTTER_STATE_LOCK) {
                holds->waited[place_of(holds, interval->region)] +=
                    (double)(otter_interval_end(timeline, line, k) - interval->begin);
            }
        }
    }
    for (uint32_t i = 0; i < holds->losses->n_labels; i++) {
        double loss = otter_losses_at(holds->losses, OTTER_FINDING_LOCK, i);
        holds->times[i] = holds->waited[i] > 0 ? loss / holds->waited[i] : 0;
        holds->left[i] = loss;
    }
}

// ---- holders

static const struct otter_thread_line *line_at(const struct holds *holds, uint32_t location)
{
    const struct otter_timeline *timeline = &holds->analysis->timeline;
    return &timeline->lines[timeline->line_of[location]];
}

// Returns for how long the thread of a location has no processor in [begin, end).
static struct otter_off_ticks lack_of(const struct holds *holds, uint32_t location, uint64_t begin,
                                      uint64_t end)
{
    return otter_ticks_off(line_at(holds, location), begin, end,
                           holds->analysis->account.is_crowded);
}

// Charges the part of a wait in which the thread that has to continue has no processor. Returns the
// loss in the rest of the wait, which is not yet charged.
static double charge_lack(struct holds *holds, uint32_t from, struct otter_off_ticks lack,
                          uint64_t ticks)
{
    double times = holds->times[from], all = (double)ticks * times;
    all = all < holds->left[from] ? all : holds->left[from];
    double by_others = lack.by_others * times, by_own = lack.by_own * times;
    by_others = by_others < all ? by_others : all;
    by_own = by_own < all - by_others ? by_own : all - by_others;
    holds->lack.by_others += by_others;
    holds->lack.by_own += by_own;
    holds->left[from] -= by_others + by_own;
    return all - by_others - by_own;
}

// A program has few pairs, since few of its constructs lock.
static void add_to_pair(struct holds *holds, uint32_t from, uint32_t to, double ticks)
{
    for (uint32_t i = 0; i < holds->pairs.n; i++) {
        struct pair *pair = &holds->pairs.items[i];
        if (pair->from == from && pair->to == to) {
            pair->ticks += ticks;
            return;
        }
    }
    holds->is_short_of_memory |= !OTTER_VECTOR_ADD(&holds->pairs, (struct pair){from, to, ticks});
}

// Charges a part of a wait to the thread that holds the lock.
static void charge(struct holds *holds, const struct otter_interval *wait,
                   const struct hold *holder, uint64_t begin, uint64_t end)
{
    uint32_t from = place_of(holds, wait->region), to = place_of(holds, holder->region);
    struct otter_off_ticks lack = lack_of(holds, holder->location, begin, end);
    double ticks = charge_lack(holds, from, lack, end - begin);
    holds->left[from] -= ticks;
    holds->held[to] += ticks;
    add_to_pair(holds, from, to, ticks);
}

// Returns the wait that ends with this acquisition; NULL if there is none.
static const struct otter_interval *wait_of(const struct holds *holds, const struct hold *hold)
{
    const struct otter_thread_line *line = line_at(holds, hold->location);
    const struct otter_interval *items = line->intervals.items;
    uint32_t at = otter_interval_at(line, hold->time);
    bool is_wait = hold->kind == OTTER_MARK_ACQUIRE && at > 0 && items[at].begin == hold->time &&
                   items[at - 1].state == OTTER_STATE_LOCK;
    return is_wait ? &items[at - 1] : NULL;
}

// While the lock is free, the thread that has to continue is its next owner if that already waits,
// otherwise the waiting thread itself (`own`). Returns the loss while the thread that has to
// continue has a processor.
static double pass_free(struct holds *holds, uint32_t from, const struct hold *own,
                        const struct hold *next, uint64_t begin, uint64_t end)
{
    const struct otter_interval *wait = next == own ? NULL : wait_of(holds, next);
    uint64_t since = next == own ? begin : wait ? wait->begin : next->time;
    since = since < begin ? begin : since < end ? since : end;
    struct otter_off_ticks before = lack_of(holds, own->location, begin, since);
    struct otter_off_ticks after = lack_of(holds, next->location, since, end);
    struct otter_off_ticks lack = {.by_others = before.by_others + after.by_others,
                                   .by_own = before.by_own + after.by_own};
    return charge_lack(holds, from, lack, end - begin);
}

// Divides a wait before the acquisition `own` among the threads that hold the lock, each from its
// acquisition until its release. `*before`: index of the first mark that is not before the end of
// the wait; becomes the corresponding index for the start of the wait.
static void divide(struct holds *holds, uint32_t *before, const struct hold *own,
                   const struct otter_interval *wait)
{
    uint64_t end = wait[1].begin;
    for (; end > wait->begin; (*before)--) {
        const struct hold *next = &holds->items[*before], *hold = *before > 0 ? next - 1 : NULL;
        bool is_held_before = hold && hold->lock == own->lock;
        uint64_t time = is_held_before && hold->time > wait->begin ? hold->time : wait->begin;
        time = time < end ? time : end;
        if (is_held_before && hold->kind == OTTER_MARK_ACQUIRE) {
            charge(holds, wait, hold, time, end);
        } else {
            uint32_t from = place_of(holds, wait->region);
            double rest = pass_free(holds, from, own, next, time, end);
            double *free = is_held_before ? holds->free : holds->unowned;
            free[from] += wait[1].begin == own->time ? rest : 0; // failed tests: of another lock
        }
        end = time;
        if (time == wait->begin) {
            return; // the thread that holds the lock may also hold it during an earlier wait
        }
    }
}

// The wait for a lock ends at its acquisition. Before this wait, and after its previous acquisition
// of any lock, the thread may have failed to acquire the lock at the same place (omp_test_lock).
static void divide_waits(struct holds *holds, uint32_t acquired, const struct otter_interval *wait)
{
    const struct hold *hold = &holds->items[acquired];
    const struct otter_interval *items = line_at(holds, hold->location)->intervals.items;
    uint32_t region = wait->region, before = acquired;
    divide(holds, &before, hold, wait);
    while (wait > items && wait[-1].begin >= hold->previous) {
        wait--;
        if (wait->state == OTTER_STATE_LOCK && wait->region == region) {
            divide(holds, &before, hold, wait);
        }
    }
}

static void divide_all(struct holds *holds)
{
    for (uint32_t i = 0; i < holds->n; i++) {
        const struct otter_interval *wait = wait_of(holds, &holds->items[i]);
        if (wait) {
            divide_waits(holds, i, wait);
        }
    }
}

// ---- ordered and doacross loops

static int by_end(const void *a, const void *b)
{
    const struct order *x = a, *y = b;
    int order = OTTER_BY_2(x, y, end, to);
    return order ? order : otter_order(OTTER_BY_1(x, y, begin), OTTER_BY_1(x, y, from));
}

static bool gather_orders(struct holds *holds)
{
    const struct otter_graph *graph = holds->analysis->graph;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        for (uint32_t e = graph->first_edge[i]; e < graph->first_edge[i + 1]; e++) {
            const struct otter_node *from = &graph->nodes[i],
                                    *to = &graph->nodes[graph->edge_to[e]];
            const uint32_t *lines = holds->analysis->timeline.line_of;
            bool is_order = graph->edge_kind[e] == OTTER_EDGE_DOACROSS &&
                            lines[from->location] != OTTER_NONE &&
                            lines[to->location] != OTTER_NONE; // otherwise the thread did nothing
            struct order order = {from->end, to->start, from->location, to->location};
            if (is_order && !OTTER_VECTOR_ADD(&holds->orders, order)) {
                return false;
            }
        }
    }
    OTTER_SORT(&holds->orders, by_end);
    return true;
}

static void add_lack(struct otter_off_ticks *sum, struct otter_off_ticks lack, double share)
{
    sum->by_others += lack.by_others * share;
    sum->by_own += lack.by_own * share;
}

// Like lack_of, for a thread that may itself wait for earlier iterations. During such a wait,
// counts the lack of the thread that it waits for.
static struct otter_off_ticks lack_in_order(const struct holds *holds, uint32_t location,
                                            uint64_t begin, uint64_t end)
{
    const struct order_waits *waits = &holds->order_waits[location];
    struct otter_off_ticks sum = {0};
    for (uint32_t i = waits->n; i-- > 0 && waits->items[i].end > begin && begin < end;) {
        const struct order_wait *wait = &waits->items[i];
        uint64_t from = wait->begin > begin ? wait->begin : begin;
        if (from >= end) {
            continue;
        }
        uint64_t to = wait->end < end ? wait->end : end;
        add_lack(&sum, lack_of(holds, location, to, end), 1);
        add_lack(&sum, wait->lack, (double)(to - from) / (double)(wait->end - wait->begin));
        end = from;
    }
    add_lack(&sum, lack_of(holds, location, begin, end), 1);
    return sum;
}

// A thread waits for an earlier iteration until the part of that iteration is over. From then on,
// the waiting thread itself has to continue.
static bool charge_order(struct holds *holds, const struct order *order)
{
    const struct otter_timeline *timeline = &holds->analysis->timeline;
    const struct otter_thread_line *line = line_at(holds, order->to);
    uint32_t at = otter_interval_at(line, order->end);
    const struct otter_interval *items = line->intervals.items;
    at -= at > 0 && items[at].state != OTTER_STATE_LOCK && items[at].begin == order->end;
    if (items[at].state != OTTER_STATE_LOCK) {
        return true;
    }
    struct order_wait wait = {.begin = items[at].begin,
                              .end = otter_interval_end(timeline, line, at)};
    uint64_t over = order->begin > wait.begin ? order->begin : wait.begin;
    over = over < wait.end ? over : wait.end;
    wait.lack = lack_in_order(holds, order->from, wait.begin, over);
    add_lack(&wait.lack, lack_of(holds, order->to, over, wait.end), 1);
    uint32_t label = place_of(holds, items[at].region);
    charge_lack(holds, label, wait.lack, wait.end - wait.begin);
    return OTTER_VECTOR_ADD(&holds->order_waits[order->to], wait);
}

// If a thread waits for several iterations, only the one that was over last counts.
static bool charge_orders(struct holds *holds)
{
    size_t n = holds->analysis->definitions->n_locations;
    holds->order_waits = calloc(n + 1, sizeof *holds->order_waits);
    bool is_good = holds->order_waits && gather_orders(holds);
    for (uint32_t i = 0; i < holds->orders.n && is_good; i++) {
        const struct order *order = &holds->orders.items[i];
        bool is_last =
            i + 1 == holds->orders.n || order[1].to != order->to || order[1].end != order->end;
        is_good = !is_last || charge_order(holds, order);
    }
    for (size_t i = 0; holds->order_waits && i < n; i++) {
        free(holds->order_waits[i].items);
    }
    OTTER_FREE(holds->order_waits, holds->orders.items);
    return is_good;
}

// ---- all

// While a lock is free, its next owner has not yet continued. Without the previous holders there
// would be no wait, so they are charged this time in proportion to the time in which they held the
// lock. If there are none, the place of the wait keeps it.
static void charge_free(struct holds *holds, struct otter_lock_wait *waits)
{
    for (uint32_t i = 0; i < holds->pairs.n; i++) {
        const struct pair *pair = &holds->pairs.items[i];
        holds->paired[pair->from] += pair->ticks;
        waits[pair->to].held += pair->ticks;
    }
    for (uint32_t i = 0; i < holds->losses->n_labels; i++) {
        double most = holds->left[i] > 0 ? holds->left[i] : 0;
        holds->free[i] = holds->free[i] < most ? holds->free[i] : most;
        holds->left[i] -= holds->paired[i] > 0 ? holds->free[i] : 0;
        waits[i].free = holds->unowned[i] + (holds->paired[i] > 0 ? 0 : holds->free[i]);
        waits[i].unknown = most - holds->free[i] - holds->unowned[i];
    }
    for (uint32_t i = 0; i < holds->pairs.n; i++) {
        struct pair *pair = &holds->pairs.items[i];
        double sum = holds->paired[pair->from];
        double ticks = sum > 0 ? holds->free[pair->from] * pair->ticks / sum : 0;
        holds->held[pair->to] += ticks;
        waits[pair->to].free += ticks;
        pair->ticks += ticks;
    }
}

static void move_all(struct holds *holds)
{
    const double rounding = 1e-3; // ticks; less is no loss
    struct otter_losses *losses = holds->losses;
    double *ticks = &losses->ticks[(size_t)OTTER_FINDING_LOCK * losses->n_labels];
    for (uint32_t i = 0; i < losses->n_labels; i++) {
        ticks[i] = holds->held[i] + (holds->left[i] > rounding ? holds->left[i] : 0);
    }
    otter_losses_add(losses, OTTER_FINDING_NOISE, OTTER_NONE, holds->lack.by_others);
    otter_losses_add(losses, OTTER_FINDING_CROWDED, OTTER_NONE, holds->lack.by_own);
}

// Finds where threads wait longest for locks that were acquired at each label.
static void find_waits(const struct holds *holds, struct otter_lock_wait *waits)
{
    for (uint32_t i = 0; i < holds->losses->n_labels; i++) {
        waits[i].region = i;
        waits[i].ticks = holds->left[i];
    }
    for (uint32_t i = 0; i < holds->pairs.n; i++) {
        const struct pair *pair = &holds->pairs.items[i];
        struct otter_lock_wait *wait = &waits[pair->to];
        double ticks = pair->ticks + (pair->from == pair->to ? holds->left[pair->to] : 0);
        if (ticks > wait->ticks) {
            wait->region = pair->from;
            wait->ticks = ticks;
        }
    }
}

enum otter_status otter_conclude_locks(const struct otter_analysis *analysis,
                                       struct otter_losses *losses, struct otter_lock_wait *waits)
{
    size_t n = losses->n_labels;
    double *sums = calloc(7 * n, sizeof *sums);
    struct holds holds = {.analysis = analysis,
                          .losses = losses,
                          .waited = sums,
                          .times = sums + n,
                          .left = sums + 2 * n,
                          .free = sums + 3 * n,
                          .paired = sums + 4 * n,
                          .held = sums + 5 * n,
                          .unowned = sums + 6 * n};
    bool is_good = sums && (analysis->account.lock == 0 || gather(&holds));
    if (is_good) {
        add_up_waits(&holds);
        divide_all(&holds);
        is_good = analysis->account.lock == 0 || charge_orders(&holds);
        charge_free(&holds, waits);
        move_all(&holds);
        find_waits(&holds, waits);
    }
    is_good = is_good && !holds.is_short_of_memory;
    OTTER_FREE(sums, holds.items, holds.pairs.items);
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}
