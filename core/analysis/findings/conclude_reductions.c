// Finds what reductions cost: threads set up and add up their copies of variables, and wait for
// each other to do so.
#include <stdlib.h>
#include <string.h>

#include "analysis/findings/conclude.h"
#include "analysis/time/states.h"
#include "trace/schema.h"

// ---- reductions in a lock

static const char *where_of(const struct otter_region *region)
{
    const char *at = strrchr(region->name, '@');
    return region->source ? region->source->where : at ? at : "";
}

static bool is_at(const struct otter_definitions *definitions, uint32_t region, uint32_t other)
{
    const char *where = where_of(&definitions->regions[region]);
    return *where != '\0' && strcmp(where, where_of(&definitions->regions[other])) == 0;
}

// Returns whether a region or loop is at the same place.
static bool has_place_of_team(const struct otter_definitions *definitions, uint32_t lock)
{
    bool is_found = false;
    for (uint32_t i = 0; i < definitions->n_regions && !is_found; i++) {
        enum otter_construct construct = definitions->regions[i].construct;
        is_found = (construct == OTTER_CONSTRUCT_PARALLEL || construct == OTTER_CONSTRUCT_LOOP) &&
                   is_at(definitions, lock, i);
    }
    return is_found;
}

// Counts the waits for each lock. Returns the number of waits in barriers.
static uint64_t count_waits(const struct otter_timeline *timeline, uint64_t *n_of_locks)
{
    uint64_t n_barriers = 0;
    for (uint32_t i = 0; i < timeline->n_lines; i++) {
        for (uint32_t k = 0; k < timeline->lines[i].intervals.n; k++) {
            const struct otter_interval *interval = &timeline->lines[i].intervals.items[k];
            bool is_lock = interval->state == OTTER_STATE_LOCK &&
                           interval->region < timeline->definitions->n_regions;
            n_of_locks[is_lock ? interval->region : timeline->definitions->n_regions] += is_lock;
            enum otter_construct construct =
                otter_definitions_construct(timeline->definitions, interval->region);
            n_barriers +=
                interval->state == OTTER_STATE_WAITING && otter_construct_is_barrier(construct);
        }
    }
    return n_barriers;
}

// Runtimes add up reductions in a lock: LLVM's in a critical region at the place of the region or
// loop, GCC's code in an atomic. Each member acquires that lock once before a barrier.
static bool find_reductions(const struct otter_analysis *analysis, struct otter_losses *losses)
{
    const struct otter_definitions *definitions = analysis->definitions;
    if (analysis->account.lock == 0) {
        return true;
    }
    uint64_t *n = calloc(definitions->n_regions + 1, sizeof *n);
    if (!n) {
        return false;
    }
    uint64_t n_barriers = count_waits(&analysis->timeline, n);
    for (uint32_t i = 0; i < definitions->n_regions; i++) {
        if (n[i] == 0) {
            continue;
        }
        enum otter_construct construct = definitions->regions[i].construct;
        bool is_reduction =
            (construct == OTTER_CONSTRUCT_ATOMIC && n[i] <= n_barriers) ||
            (construct == OTTER_CONSTRUCT_CRITICAL && has_place_of_team(definitions, i));
        if (is_reduction) {
            otter_losses_move(losses, OTTER_FINDING_LOCK, i, OTTER_FINDING_REDUCTION, i,
                              (double)UINT64_MAX);
        }
    }
    free(n);
    return true;
}

// ---- reductions in the code around a loop

// What threads execute at a place to set up and to add up their copies.
struct copies {
    double set_up, added; // ticks
    uint64_t n_added;     // parts of threads
};

// In up to four threads, LLVM adds up the copies with atomic operations, which it does not report.
// They take place between the end of a loop and its own barrier, where no code of the program is.
// If region and loop are one construct, so does the code before the loop, which sets up the copies.
static void find_copies(const struct otter_analysis *analysis, const struct otter_thread_line *line,
                        uint32_t i, struct copies *copies)
{
    const struct otter_definitions *definitions = analysis->definitions;
    const struct otter_interval *items = line->intervals.items, *own = &items[i];
    uint32_t before = items[i - 1].region, after = items[i + 1].region;
    if (own->state != OTTER_STATE_EXECUTING ||
        otter_definitions_construct(definitions, own->region) != OTTER_CONSTRUCT_PARALLEL) {
        return;
    }
    uint64_t begin = own->begin, end = items[i + 1].begin;
    double ticks = (double)(end - begin - otter_ticks_preempted(line, begin, end));
    bool is_added = otter_definitions_construct(definitions, before) == OTTER_CONSTRUCT_LOOP &&
                    otter_construct_is_barrier(otter_definitions_construct(definitions, after)) &&
                    is_at(definitions, before, after);
    bool is_set_up = otter_definitions_construct(definitions, after) == OTTER_CONSTRUCT_LOOP &&
                     is_at(definitions, own->region, after);
    copies += otter_account_label(&analysis->account, own->label);
    copies->set_up += is_set_up ? ticks : 0;
    copies->added += is_added ? ticks : 0;
    copies->n_added += is_added;
}

// Copies that are set up without being added up belong to no reduction.
static void conclude_copies(const struct otter_analysis *analysis, struct otter_losses *losses,
                            const struct copies *copies, uint32_t label, uint64_t *avoidable)
{
    const double least = 10e-6, share = 0.1; // seconds of a part; of the copies' time
    double added = copies->added, all = added + copies->set_up;
    double executed = (double)analysis->account.executed[label];
    double most = (double)(analysis->account.executing - *avoidable);
    if (copies->n_added == 0 || added * analysis->tick < least * (double)copies->n_added ||
        added < share * all) {
        return;
    }
    double of_label = executed > all ? all / executed : 1;
    uint64_t cost = (uint64_t)(all < most ? all : most);
    otter_losses_move(losses, OTTER_FINDING_IMBALANCE, label, OTTER_FINDING_REDUCTION, label,
                      of_label * otter_losses_at(losses, OTTER_FINDING_IMBALANCE, label));
    otter_losses_add(losses, OTTER_FINDING_REDUCTION, label, (double)cost);
    *avoidable += cost;
}

enum otter_status otter_conclude_reductions(const struct otter_analysis *analysis,
                                            struct otter_losses *losses, uint64_t *avoidable)
{
    const struct otter_timeline *timeline = &analysis->timeline;
    struct copies *copies = calloc(losses->n_labels + (size_t)1, sizeof *copies);
    bool is_good = copies && find_reductions(analysis, losses);
    for (uint32_t i = 0; i < timeline->n_lines && is_good; i++) {
        const struct otter_thread_line *line = &timeline->lines[i];
        for (uint32_t k = 1; k + 1 < line->intervals.n; k++) {
            find_copies(analysis, line, k, copies);
        }
    }
    for (uint32_t i = 0; i < analysis->definitions->n_regions && is_good; i++) {
        conclude_copies(analysis, losses, &copies[i], i, avoidable);
    }
    free(copies);
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}
