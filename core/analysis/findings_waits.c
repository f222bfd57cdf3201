// Findings on waits: processors, locks, MPI, barriers.
#include "analysis/find.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/scaled.h"

// The region in which threads waited longest in this state.
static uint32_t longest_wait(const struct otter_search *search, enum otter_state state,
                             enum otter_construct construct, uint64_t *sums, uint64_t *n)
{
    const struct otter_timeline *timeline = &search->analysis->timeline;
    uint32_t n_regions = (uint32_t)timeline->definitions->n_regions, most = OTTER_NONE;
    *n = 0;
    for (uint32_t i = 0; i < n_regions; i++) {
        sums[i] = 0;
    }
    for (uint32_t k = 0; k < timeline->n_lines; k++) {
        const struct otter_thread_line *line = &timeline->lines[k];
        for (uint32_t i = 0; i < line->intervals.n; i++) {
            const struct otter_interval *interval = &line->intervals.items[i];
            if (interval->state != state || interval->region >= n_regions ||
                (construct && otter_definitions_construct(search->analysis->definitions,
                                                          interval->region) != construct)) {
                continue;
            }
            sums[interval->region] += otter_interval_end(timeline, line, i) - interval->begin;
            (*n)++;
        }
    }
    for (uint32_t i = 0; i < n_regions; i++) {
        if (sums[i] > 0 && (most == OTTER_NONE || sums[i] > sums[most])) {
            most = i;
        }
    }
    return most;
}

static void find_locks(struct otter_search *search, uint64_t *sums)
{
    uint64_t n;
    uint32_t region = longest_wait(search, OTTER_STATE_LOCK, OTTER_CONSTRUCT_UNKNOWN, sums, &n);
    otter_search_add(search, (struct otter_finding){OTTER_FINDING_LOCK,
                                                    search->analysis->account.lock, region, n, 0});
}

static void find_mpi(struct otter_search *search, uint64_t *sums)
{
    const struct otter_analysis *analysis = search->analysis;
    uint64_t n, ticks = 0;
    if (!analysis->mpi.uses) {
        return;
    }
    longest_wait(search, OTTER_STATE_MPI, OTTER_CONSTRUCT_UNKNOWN, sums, &n);
    struct otter_finding job = {OTTER_FINDING_MPI_JOB, 0, OTTER_NONE, 0, 0};
    struct otter_finding exchange = {OTTER_FINDING_MPI, 0, OTTER_NONE, n, 0};
    for (uint32_t i = 0; i < analysis->definitions->n_regions; i++) {
        bool is_job = otter_mpi_is_of_job(analysis->definitions->regions[i].name);
        struct otter_finding *finding = is_job ? &job : &exchange;
        job.n += is_job ? analysis->mpi.uses[i].n : 0;
        ticks += is_job ? sums[i] : 0;
        if ((double)sums[i] > finding->value) {
            finding->value = (double)sums[i];
            finding->region = i;
        }
    }
    const struct otter_account *account = &analysis->account;
    double threads = account->mpi ? 1 + (double)account->beside_mpi / (double)account->mpi : 1;
    job.cost = otter_scaled(ticks, threads);
    exchange.cost = otter_scaled(account->mpi > ticks ? account->mpi - ticks : 0, threads);
    exchange.n = n > job.n ? n - job.n : 0;
    otter_search_add(search, job);
    otter_search_add(search, exchange);
}

// The threads above the number of processors wait for one, although they seem to execute.
static void find_oversubscription(struct otter_search *search)
{
    const struct otter_account *account = &search->analysis->account;
    otter_search_add(search,
                     (struct otter_finding){OTTER_FINDING_CROWDED, account->crowded, OTTER_NONE,
                                            account->most_running, account->n_processors});
}

// The waiting in small regions is part of the cost of their forks.
static void find_barriers(struct otter_search *search)
{
    const struct otter_barrier_uses *uses = &search->analysis->barriers;
    for (uint32_t i = 0; i < uses->n; i++) {
        const struct otter_barrier_use *use = &uses->items[i];
        uint64_t rest = otter_search_unexplained(search);
        uint64_t cost = use->gain < rest ? use->gain : rest;
        otter_search_add(
            search, (struct otter_finding){OTTER_FINDING_BARRIER, cost, use->label, use->n, 0});
        search->explained += cost;
    }
}

void otter_find_in_waits(struct otter_search *search)
{
    uint64_t *sums = calloc(search->analysis->account.n_labels, sizeof *sums);
    if (!sums) {
        search->is_short_of_memory = true;
        return;
    }
    find_oversubscription(search);
    find_locks(search, sums);
    find_mpi(search, sums);
    find_barriers(search);
    free(sums);
}
