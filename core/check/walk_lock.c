// Checks locks: each acquisition has a release by the same thread.
//
// If one thread acquires a lock and another releases it, the program is at fault. Such pairs are
// matched after all locations have been read.
#include <inttypes.h>
#include <stdlib.h>

#include "check/walk.h"

#include "base/order.h"

static void store(struct otter_event_checker *checker, struct otter_walk_odd_lock odd)
{
    odd.location = checker->location;
    OTTER_VECTOR_APPEND(&checker->odd_locks, odd);
}

// Returns the index of a lock among the held locks, or their number when the lock is not held.
static uint32_t find(const struct otter_event_checker *checker, uint32_t lock)
{
    const struct otter_walk_held_lock *locks = checker->locks.items;
    uint32_t i = 0;
    while (i < checker->locks.n && locks[i].lock != lock) {
        i++;
    }
    return i;
}

void otter_walk_acquire_lock(struct otter_event_checker *checker, const struct otter_event *event)
{
    checker->options.report->results[OTTER_CHECK_LOCKS].n_tested++;
    struct otter_walk_held_lock held = {event->lock.id, event->lock.order, event->time};
    uint32_t i = find(checker, event->lock.id);
    if (i == checker->locks.n) {
        OTTER_VECTOR_APPEND(&checker->locks, held);
    } else {
        store(checker, (struct otter_walk_odd_lock){.lock = event->lock.id,
                                                    .order = checker->locks.items[i].order,
                                                    .time = event->time,
                                                    .was_acquired_again = true});
        checker->locks.items[i] = held;
    }
}

void otter_walk_release_lock(struct otter_event_checker *checker, const struct otter_event *event)
{
    struct otter_walk_held_lock *locks = checker->locks.items;
    uint32_t i = find(checker, event->lock.id);
    if (i == checker->locks.n) {
        enum otter_quirk quirk = checker->has_untied ? OTTER_QUIRK_UNTIED : checker->options.lost;
        store(checker, (struct otter_walk_odd_lock){.lock = event->lock.id,
                                                    .order = event->lock.order,
                                                    .time = event->time,
                                                    .is_release = true,
                                                    .quirk = quirk});
        return;
    }
    if (locks[i].order != event->lock.order) {
        otter_walk_error(checker, OTTER_CHECK_LOCKS, event->time,
                         "releases lock %" PRIu32 " as number %" PRIu32 ", acquired it as %" PRIu32,
                         event->lock.id, event->lock.order, locks[i].order);
    }
    locks[i] = locks[--checker->locks.n];
}

void otter_walk_end_locks(struct otter_event_checker *checker)
{
    enum otter_quirk quirk = checker->has_untied ? OTTER_QUIRK_UNTIED : checker->options.excuse;
    for (uint32_t i = 0; i < checker->locks.n; i++) {
        const struct otter_walk_held_lock *held = &checker->locks.items[i];
        store(checker,
              (struct otter_walk_odd_lock){
                  .lock = held->lock, .order = held->order, .time = held->time, .quirk = quirk});
    }
}

// ---- the verdict

// Sorts by lock, then in the order of acquisition.
static int compare(const void *a, const void *b)
{
    const struct otter_walk_odd_lock *left = a, *right = b;
    return otter_order(OTTER_BY_2(left, right, lock, order), left->is_release - right->is_release);
}

static void judge_alone(struct otter_event_checker *checker, const struct otter_walk_odd_lock *odd)
{
    struct otter_deviation where = {.location = odd->location, .time = odd->time};
    enum otter_quirk quirk = odd->quirk;
    if (!quirk && checker->options.has_repairs) {
        quirk = odd->is_release ? OTTER_QUIRK_UNBEGUN : OTTER_QUIRK_REPAIRED;
    }
    if (!quirk && !odd->is_release && !odd->was_acquired_again) {
        quirk = OTTER_QUIRK_KEPT_LOCK;
    }
    otter_deviate(checker->options.report, OTTER_CHECK_LOCKS, quirk, where,
                  odd->is_release           ? "releases lock %" PRIu32 ", which it does not hold"
                  : odd->was_acquired_again ? "acquires lock %" PRIu32 ", which it holds"
                                            : "acquires lock %" PRIu32 ", and never releases it",
                  odd->lock);
}

// An acquisition and a release on two locations are one deviation, the fault of the program. If
// only one location is involved, its thread acquired or released the lock once too often.
static void judge_pair(struct otter_event_checker *checker,
                       const struct otter_walk_odd_lock *acquisition,
                       const struct otter_walk_odd_lock *release)
{
    if (acquisition->location == release->location) {
        judge_alone(checker, acquisition);
        if (!acquisition->was_acquired_again) {
            judge_alone(checker, release);
        }
        return;
    }
    enum otter_quirk quirk = release->quirk ? release->quirk : acquisition->quirk;
    otter_deviate(checker->options.report, OTTER_CHECK_LOCKS,
                  quirk ? quirk : OTTER_QUIRK_FOREIGN_RELEASE,
                  (struct otter_deviation){.location = release->location, .time = release->time},
                  "releases lock %" PRIu32 ", which location %" PRIu32 " acquired", release->lock,
                  acquisition->location);
}

// Pairs the acquisitions and releases of one lock in order. No pair is excluded, because the order
// number of a release by another thread is inexact.
static void judge_lock(struct otter_event_checker *checker, struct otter_walk_odd_lock *odd,
                       size_t n)
{
    size_t acquisition = 0, release = 0;
    for (;;) {
        while (acquisition < n && odd[acquisition].is_release) {
            acquisition++;
        }
        while (release < n && !odd[release].is_release) {
            release++;
        }
        if (acquisition == n || release == n) {
            break;
        }
        judge_pair(checker, &odd[acquisition++], &odd[release++]);
    }
    for (size_t i = 0; i < n; i++) {
        if (i >= (odd[i].is_release ? release : acquisition)) {
            judge_alone(checker, &odd[i]);
        }
    }
}

void otter_walk_judge_locks(struct otter_event_checker *checker)
{
    struct otter_walk_odd_lock *odd = checker->odd_locks.items;
    size_t n = checker->odd_locks.n;
    if (n > 1) {
        qsort(odd, n, sizeof *odd, compare);
    }
    for (size_t first = 0, i = 1; first < n; i++) {
        if (i == n || odd[i].lock != odd[first].lock) {
            judge_lock(checker, odd + first, i - first);
            first = i;
        }
    }
}
