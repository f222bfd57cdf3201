// Finds how much of the code between two regions the runtime needs to fork them.
#include "analysis/findings/gaps.h"

#include <stdlib.h>

#include "analysis/path/costs.h"

enum { MIN_GAPS = 10 }; // fewest gaps that give a quantile

struct gaps {
    const struct otter_analysis *analysis;
    struct otter_losses *losses;
    // indexed by the label of the region after the gap
    struct otter_quantiles *forks, *between; // ticks of the thread that forks
    uint64_t *costs, *executed;
};

// The intervals of a thread between two of its parts in regions.
struct gap {
    const struct otter_thread_line *line;
    uint32_t begin, end; // range of the thread's intervals
    uint32_t label;      // the region after the gap
};

static bool is_serial(const struct gaps *gaps, const struct otter_interval *interval)
{
    const struct otter_definitions *definitions = gaps->analysis->definitions;
    return interval->state == OTTER_STATE_EXECUTING &&
           !otter_construct_is_kernel(otter_definitions_construct(definitions, interval->label));
}

static uint64_t ticks_of(const struct gaps *gaps, const struct gap *gap, uint32_t i)
{
    return otter_interval_end(&gaps->analysis->timeline, gap->line, i) -
           gap->line->intervals.items[i].begin;
}

static bool sample(struct gaps *gaps, const struct gap *gap)
{
    uint64_t forking = 0, serial = 0;
    for (uint32_t i = gap->begin; i < gap->end; i++) {
        const struct otter_interval *interval = &gap->line->intervals.items[i];
        forking += interval->state == OTTER_STATE_FORKING ? ticks_of(gaps, gap, i) : 0;
        serial += is_serial(gaps, interval) ? ticks_of(gaps, gap, i) : 0;
    }
    return forking == 0 || (otter_quantiles_add(&gaps->forks[gap->label], forking) &&
                            otter_quantiles_add(&gaps->between[gap->label], serial));
}

static enum otter_finding_kind kind_of(const struct gaps *gaps, uint32_t label)
{
    bool is_small = otter_kernel_uses_small(&gaps->analysis->kernels, label);
    return is_small ? OTTER_FINDING_SMALL_KERNELS : OTTER_FINDING_FORKING;
}

// If the region is removed, the runtime's code before its fork disappears as well.
static bool attribute(struct gaps *gaps, const struct gap *gap)
{
    uint64_t rest = gaps->costs[gap->label];
    uint32_t n_others = gaps->analysis->account.n_threads - 1;
    enum otter_finding_kind kind = kind_of(gaps, gap->label);
    for (uint32_t i = gap->begin; i < gap->end && rest > 0; i++) {
        const struct otter_interval *interval = &gap->line->intervals.items[i];
        uint64_t ticks = is_serial(gaps, interval) ? ticks_of(gaps, gap, i) : 0;
        ticks = ticks < rest ? ticks : rest;
        rest -= ticks;
        otter_losses_move(gaps->losses, OTTER_FINDING_SERIAL, interval->label, kind, gap->label,
                          (double)ticks * n_others);
        gaps->executed[gap->label] += ticks;
    }
    return true;
}

static bool each_of_line(struct gaps *gaps, const struct otter_thread_line *line,
                         bool (*use)(struct gaps *, const struct gap *))
{
    uint32_t begin = OTTER_NONE; // no region yet
    bool is_good = true;
    for (uint32_t i = 0; i < line->memberships.n && is_good; i++) {
        const struct otter_membership *part = &line->memberships.items[i];
        struct gap gap = {line, begin, part->first_interval, part->label};
        if (part->outer == OTTER_NONE) {
            bool is_used =
                begin != OTTER_NONE && part->label < gaps->analysis->definitions->n_regions;
            is_good = !is_used || use(gaps, &gap);
            begin = part->end_interval;
        }
    }
    return is_good;
}

static bool each(struct gaps *gaps, bool (*use)(struct gaps *, const struct gap *))
{
    const struct otter_timeline *timeline = &gaps->analysis->timeline;
    bool is_good = true;
    for (uint32_t i = 0; i < timeline->n_lines && is_good; i++) {
        is_good = each_of_line(gaps, &timeline->lines[i], use);
    }
    return is_good;
}

// No event separates the start of a fork from the program's code. So the unrecorded part of a fork
// is assumed to be at most as long as the recorded part.
static uint64_t cost_of(const struct gaps *gaps, uint32_t label)
{
    uint64_t fork = otter_quantiles_at(&gaps->forks[label], 10);
    uint64_t between = otter_quantiles_at(&gaps->between[label], 10);
    uint64_t cost = fork < between ? fork : between;
    bool is_known = gaps->forks[label].n >= MIN_GAPS &&
                    cost <= gaps->analysis->definitions->clock.resolution / OTTER_MAX_COST;
    return is_known ? cost : 0;
}

static void add_execution(struct gaps *gaps, uint32_t label, uint64_t *avoidable)
{
    uint64_t most = gaps->analysis->account.executing - *avoidable;
    uint64_t executed = gaps->executed[label] < most ? gaps->executed[label] : most;
    otter_losses_add(gaps->losses, kind_of(gaps, label), label, (double)executed);
    *avoidable += executed;
}

enum otter_status otter_gaps_conclude(const struct otter_analysis *analysis,
                                      struct otter_losses *losses, uint64_t *avoidable)
{
    size_t n = analysis->definitions->n_regions + (size_t)1;
    struct otter_quantiles *quantiles = calloc(2 * n, sizeof *quantiles);
    uint64_t *ticks = calloc(2 * n, sizeof *ticks);
    struct gaps gaps = {analysis, losses, quantiles, quantiles + n, ticks, ticks + n};
    bool is_good = quantiles && ticks && each(&gaps, sample);
    for (uint32_t i = 0; i + 1 < n && is_good; i++) {
        gaps.costs[i] = cost_of(&gaps, i);
    }
    if (is_good) {
        each(&gaps, attribute);
    }
    for (uint32_t i = 0; i + 1 < n && is_good; i++) {
        add_execution(&gaps, i, avoidable);
    }
    for (size_t i = 0; i < 2 * n && quantiles; i++) {
        otter_quantiles_finish(&quantiles[i]);
    }
    free(quantiles);
    free(ticks);
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}
