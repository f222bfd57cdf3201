// Attributes lost time to causes that only all executions of a region together reveal.
#include "analysis/findings/bounds.h"
#include "analysis/findings/conclude.h"
#include "trace/schema.h"

static const double MIN_LATE =
    50e-6; // seconds; a member that begins this soon after the first is a cost of the fork

// Members that begin shortly after the first are a cost of the fork.
static void find_forks(const struct otter_analysis *analysis, struct otter_losses *losses)
{
    for (uint32_t i = 0; i < analysis->regions.n; i++) {
        const struct otter_region_use *use = &analysis->regions.items[i];
        uint64_t n = use->n_members - use->n;
        if (n == 0 || (double)use->late_on / (double)n * analysis->tick < MIN_LATE) {
            otter_losses_move(losses, OTTER_FINDING_LATE, use->label, OTTER_FINDING_FORKING,
                              use->label, (double)UINT64_MAX);
        }
    }
}

static bool is_in(const struct otter_analysis *analysis, uint32_t label, uint32_t region)
{
    return label == region ||
           (label < analysis->definitions->n_regions && analysis->regions.around[label] == region);
}

// A barrier causes waiting because the members' parts between two barriers are unequal.
static void find_barrier(const struct otter_analysis *analysis, struct otter_losses *losses,
                         const struct otter_barrier_use *use)
{
    double all = 0;
    for (uint32_t i = 0; i + 1 < losses->n_labels; i++) {
        all += is_in(analysis, i, use->around) ? otter_losses_at(losses, OTTER_FINDING_IMBALANCE, i)
                                               : 0;
    }
    double share = all > (double)use->gain ? (double)use->gain / all : 1;
    for (uint32_t i = 0; i + 1 < losses->n_labels; i++) {
        if (is_in(analysis, i, use->around)) {
            double ticks = share * otter_losses_at(losses, OTTER_FINDING_IMBALANCE, i);
            otter_losses_move(losses, OTTER_FINDING_IMBALANCE, i, OTTER_FINDING_BARRIER, use->label,
                              ticks);
        }
    }
}

// Returns the lock for which threads wait longest in total, or OTTER_NONE.
static uint32_t worst_lock(const struct otter_losses *losses)
{
    uint32_t worst = OTTER_NONE;
    for (uint32_t i = 0; i + 1 < losses->n_labels; i++) {
        double ticks = otter_losses_at(losses, OTTER_FINDING_LOCK, i);
        bool is_more =
            worst == OTTER_NONE || ticks > otter_losses_at(losses, OTTER_FINDING_LOCK, worst);
        worst = ticks > 0 && is_more ? i : worst;
    }
    return worst;
}

// Moves a share of the imbalance of a region, at most `most` ticks, to another cause.
static double move_imbalance(const struct otter_analysis *analysis, struct otter_losses *losses,
                             uint32_t region, double ticks, enum otter_finding_kind kind,
                             uint32_t place, double most)
{
    double moved = 0;
    ticks = ticks < most ? ticks : most;
    for (uint32_t i = 0; i + 1 < losses->n_labels && moved < ticks; i++) {
        if (is_in(analysis, i, region)) {
            moved +=
                otter_losses_move(losses, OTTER_FINDING_IMBALANCE, i, kind, place, ticks - moved);
        }
    }
    return moved;
}

// The ticks in which threads have no processor, or continue late for other reasons.
struct lateness {
    double by_own, by_others, wake_up;
};

// `most_wake_up`: upper bound on the cost of slow wake-ups.
static struct lateness find_lateness(const struct otter_analysis *analysis, double most_wake_up)
{
    const struct otter_timeline *timeline = &analysis->timeline;
    const struct otter_account *account = &analysis->account;
    double by_own = (double)otter_timeline_off(timeline, true, true);
    double by_others = (double)otter_timeline_off(timeline, true, false);
    double all = most_wake_up / analysis->timeline.n_lines;
    double wake_up = all > by_own + by_others ? all - by_own - by_others : 0;
    return account->is_crowded
               ? (struct lateness){by_own, by_others, wake_up}
               : (struct lateness){.by_others = by_own + by_others, .wake_up = wake_up};
}

// Others wait for a member that begins or ends late although it executes no more than they do.
static void move_late(const struct otter_analysis *analysis, struct otter_losses *losses,
                      uint32_t region, double ticks, const struct lateness *lateness)
{
    double n = analysis->timeline.n_lines;
    double all = lateness->by_own + lateness->by_others + lateness->wake_up;
    double own = all > 0 ? ticks * lateness->by_own / all : 0;
    double others = all > 0 ? ticks * lateness->by_others / all : 0;
    double most = n * lateness->by_own - otter_losses_of(losses, OTTER_FINDING_CROWDED);
    ticks -= move_imbalance(analysis, losses, region, own, OTTER_FINDING_CROWDED, OTTER_NONE, most);
    most = n * lateness->by_others - otter_losses_of(losses, OTTER_FINDING_NOISE);
    ticks -=
        move_imbalance(analysis, losses, region, others, OTTER_FINDING_NOISE, OTTER_NONE, most);
    move_imbalance(analysis, losses, region, ticks, OTTER_FINDING_WAKE_UP, region, ticks);
}

// Returns how many ticks less the members of the region around execute than the busiest of them.
// Excludes ticks that are charged to other regions in it.
static double unequal_around(const struct otter_analysis *analysis,
                             const struct otter_losses *losses, const struct otter_region_use *use)
{
    double unequal = 0;
    for (uint32_t i = 0; i < analysis->regions.n && use->outer != OTTER_NONE; i++) {
        const struct otter_region_use *other = &analysis->regions.items[i];
        unequal += other->label == use->outer && other != use ? (double)other->unequal : 0;
        unequal -= other->outer == use->outer && other != use
                       ? otter_losses_at(losses, OTTER_FINDING_ALONE, other->label)
                       : 0;
    }
    return unequal;
}

// Moves the time in which members of the region around wait for all members of this one. Returns
// the ticks that it moved.
static double move_to_small_team(const struct otter_analysis *analysis, struct otter_losses *losses,
                                 const struct otter_region_use *use, double ticks)
{
    return move_imbalance(analysis, losses, use->label, ticks, OTTER_FINDING_ALONE, use->label,
                          unequal_around(analysis, losses, use));
}

// A member that executes as much as the others but ends later has waited for a lock or a processor,
// or has left a barrier late.
static void limit_imbalance(const struct otter_analysis *analysis, struct otter_losses *losses,
                            const struct otter_region_use *use, const struct lateness *lateness)
{
    double all = 0;
    if (use->n_with_tasks > 0 || use->n_nested > 0) {
        return; // threads execute that are not members
    }
    for (uint32_t i = 0; i + 1 < losses->n_labels; i++) {
        all += is_in(analysis, i, use->label) ? otter_losses_at(losses, OTTER_FINDING_IMBALANCE, i)
                                              : 0;
    }
    double rest = all - (double)use->unequal;
    rest -= rest > 0 ? move_to_small_team(analysis, losses, use, rest) : 0;
    uint32_t lock = use->lock > 0 ? worst_lock(losses) : OTTER_NONE;
    if (rest > 0 && lock != OTTER_NONE) {
        double most = (double)analysis->account.lock * analysis->timeline.n_lines -
                      otter_losses_of(losses, OTTER_FINDING_LOCK);
        rest -= move_imbalance(analysis, losses, use->label, rest, OTTER_FINDING_LOCK, lock, most);
    }
    if (rest > 0) {
        move_late(analysis, losses, use->label, rest, lateness);
    }
}

// Threads continue late only after all tasks that their wait joins have ended. The rest is
// unexplained.
static void limit_wake_ups(struct otter_losses *losses, double most)
{
    double all = otter_losses_of(losses, OTTER_FINDING_WAKE_UP);
    if (all > most) {
        all -= otter_losses_move(losses, OTTER_FINDING_WAKE_UP, OTTER_NONE,
                                 OTTER_FINDING_UNEXPLAINED, OTTER_NONE, all - most);
    }
    for (uint32_t i = 0; i < losses->n_labels && all > most; i++) {
        otter_losses_move(losses, OTTER_FINDING_WAKE_UP, i, OTTER_FINDING_UNEXPLAINED, OTTER_NONE,
                          (1 - most / all) * otter_losses_at(losses, OTTER_FINDING_WAKE_UP, i));
    }
}

// Threads take turns for longer while other processes execute. The additional time is noise.
static void limit_crowding(const struct otter_analysis *analysis, struct otter_losses *losses)
{
    const struct otter_account *account = &analysis->account;
    double own = (double)otter_timeline_off(&analysis->timeline, true, true);
    if (account->has_switches && account->is_crowded && own > 0) {
        double turns = otter_losses_of(losses, OTTER_FINDING_CROWDED) - account->full;
        otter_losses_move(losses, OTTER_FINDING_CROWDED, OTTER_NONE, OTTER_FINDING_NOISE,
                          OTTER_NONE, (1 - (double)account->turns / own) * turns);
    }
}

// The time in which the runtime gives threads their chunks is part of the loop's execution.
void otter_conclude_chunks(const struct otter_analysis *analysis, struct otter_losses *losses,
                           uint64_t *avoidable)
{
    const double least = 0.1; // of the execution
    for (uint32_t i = 0; i < analysis->definitions->n_regions; i++) {
        double executed = (double)analysis->account.executed[i];
        double most = (double)(analysis->account.executing - *avoidable);
        double ticks = otter_marks_taking(&analysis->marks, i);
        ticks = ticks < executed ? ticks : executed;
        ticks = ticks < most ? ticks : most;
        if (ticks > least * executed) {
            uint64_t cost = (uint64_t)ticks;
            otter_losses_add(losses, OTTER_FINDING_SMALL_CHUNKS, i, (double)cost);
            *avoidable += cost;
        }
    }
}

void otter_conclude_regions(const struct otter_analysis *analysis, struct otter_losses *losses)
{
    find_forks(analysis, losses);
    for (uint32_t i = 0; i < analysis->barriers.n; i++) {
        find_barrier(analysis, losses, &analysis->barriers.items[i]);
    }
    double most_wake_up = otter_bounds_wake_up(analysis);
    struct lateness lateness = find_lateness(analysis, most_wake_up);
    for (uint32_t i = 0; i < analysis->regions.n; i++) {
        limit_imbalance(analysis, losses, &analysis->regions.items[i], &lateness);
    }
    limit_crowding(analysis, losses);
    limit_wake_ups(losses, most_wake_up);
}
