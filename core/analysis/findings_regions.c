// Findings on parallel regions: code outside of them, unequal members, the cost of forks.
#include "analysis/find.h"

static const double LEAST_IMBALANCE = 1.05; // of the busiest thread to the mean
enum { LEAST_SMALL = 100 };                 // executions of a region that counts as small
static const double LEAST_LATE = 50e-6;     // seconds; less is the cost of a fork

// Whether the label is code outside of OpenMP's parallel regions.
static bool is_serial(const struct otter_search *search, uint32_t label)
{
    enum otter_construct construct =
        otter_definitions_construct(search->analysis->definitions, label);
    return construct == OTTER_CONSTRUCT_INITIAL_TASK || otter_construct_is_kernel(construct) ||
           construct == OTTER_CONSTRUCT_KOKKOS_REGION;
}

static void find_serial(struct otter_search *search)
{
    const struct otter_account *account = &search->analysis->account;
    uint64_t cost = otter_search_unexplained_outside(search);
    uint32_t most = OTTER_NONE;
    for (uint32_t i = 0; i + 1 < account->n_labels; i++) {
        if (is_serial(search, i) && account->alone[i] > 0 &&
            (most == OTTER_NONE || account->alone[i] > account->alone[most])) {
            most = i;
        }
    }
    if (account->n_threads > 1) {
        otter_search_add(search, (struct otter_finding){OTTER_FINDING_SERIAL, cost, most, 0,
                                                        (double)cost / account->n_threads});
    }
}

// Whether forks and joins limit the executions of the region, whatever else happens in them.
static bool is_small(const struct otter_analysis *analysis, const struct otter_region_use *use)
{
    bool is_kernel =
        otter_construct_is_kernel(otter_definitions_construct(analysis->definitions, use->label));
    double mean = (double)use->executing / (double)use->n_members;
    return !is_kernel && use->n >= LEAST_SMALL && mean * analysis->tick < LEAST_LATE;
}

// Idle time of others while nested regions of this label had one thread.
static uint64_t idle_beside(const struct otter_analysis *analysis, uint32_t label)
{
    const struct otter_account *account = &analysis->account;
    double idle = 0;
    for (uint32_t i = 0; i + 1 < account->n_labels; i++) {
        if (analysis->regions.around[i] == label && account->executed[i] > 0) {
            idle += account->blame[i] * (double)analysis->regions.in_alone[i] /
                    (double)account->executed[i];
        }
    }
    return (uint64_t)idle;
}

static void find_alone(struct otter_search *search)
{
    const struct otter_region_uses *uses = &search->analysis->regions;
    for (uint32_t i = 0; i < uses->n && search->analysis->account.n_threads > 1; i++) {
        const struct otter_region_use *use = &uses->items[i];
        uint64_t cost = use->n_alone * 2 >= use->n ? idle_beside(search->analysis, use->label) : 0;
        uint64_t inside = otter_search_unexplained(search);
        uint64_t most = inside + otter_search_unexplained_outside(search);
        cost = cost < most ? cost : most;
        if (otter_search_is_worth(search, cost)) {
            otter_search_add(search, (struct otter_finding){OTTER_FINDING_ALONE, cost, use->label,
                                                            use->n_alone, 0});
            search->explained += cost < inside ? cost : inside;
            search->explained_outside += cost < inside ? 0 : cost - inside;
        }
    }
}

// Returns the label inside the region that others waited for most.
static uint32_t blamed_label(const struct otter_analysis *analysis, uint32_t region)
{
    uint32_t most = region;
    enum otter_construct construct = otter_definitions_construct(analysis->definitions, region);
    for (uint32_t i = 0; i + 1 < analysis->account.n_labels; i++) {
        if (!otter_construct_is_kernel(construct) && analysis->regions.around[i] == region &&
            analysis->account.blame[i] > analysis->account.blame[most]) {
            most = i;
        }
    }
    return most;
}

// Whether the members begin so late that it is no cost of the fork.
static bool is_late(const struct otter_analysis *analysis, const struct otter_region_use *use)
{
    double n = (double)(use->n_members - use->n);
    return n > 0 && (double)use->late / n * analysis->tick >= LEAST_LATE &&
           !is_small(analysis, use);
}

// Returns the waiting of the members for those that began late.
static uint64_t waiting_for_late(const struct otter_analysis *analysis,
                                 const struct otter_region_use *use)
{
    uint64_t least = use->late < use->imbalance ? use->late : use->imbalance;
    return is_late(analysis, use) ? least : 0;
}

// Waiting for late members, or that one-thread regions explain, is no imbalance. Nor is delay.
static uint64_t imbalance_of(const struct otter_search *search, const struct otter_region_use *use)
{
    uint64_t most = otter_search_unexplained(search);
    uint64_t no_work = search->analysis->account.regions[use->label].no_work;
    uint64_t imbalance = use->imbalance - waiting_for_late(search->analysis, use);
    most = no_work < most ? no_work : most;
    return imbalance > most ? most : imbalance;
}

static void find_imbalance(struct otter_search *search)
{
    const struct otter_region_uses *uses = &search->analysis->regions;
    for (uint32_t i = 0; i < uses->n; i++) {
        const struct otter_region_use *use = &uses->items[i];
        if (use->n_with_tasks * 2 > use->n || use->executing == 0 ||
            otter_search_contains_kernel(search, use->label) || is_small(search->analysis, use)) {
            continue;
        }
        double mean = (double)use->executing / (double)use->n_members;
        double busiest = (double)use->max_executing / (double)use->n / mean;
        uint64_t cost = imbalance_of(search, use);
        if (busiest >= LEAST_IMBALANCE) {
            otter_search_add(search,
                             (struct otter_finding){OTTER_FINDING_IMBALANCE, cost,
                                                    blamed_label(search->analysis, use->label),
                                                    use->n, busiest});
            search->explained += cost;
        }
    }
}

// One finding for all regions, since the cause is the machine. Short delays are the cost of forks.
// Threads are outside of regions meanwhile.
static uint64_t find_late(struct otter_search *search)
{
    const struct otter_region_uses *uses = &search->analysis->regions;
    struct otter_finding finding = {OTTER_FINDING_LATE, 0, OTTER_NONE, 0, 0};
    uint64_t short_delays = 0, late = 0, most = 0;
    for (uint32_t i = 0; i < uses->n; i++) {
        const struct otter_region_use *use = &uses->items[i];
        if (otter_search_contains_kernel(search, use->label)) {
            continue;
        }
        if (!is_late(search->analysis, use)) {
            short_delays += use->late;
            continue;
        }
        uint64_t waiting = waiting_for_late(search->analysis, use);
        finding.cost += use->late + waiting;
        finding.n += use->n_members - use->n;
        finding.region = use->late > most ? use->label : finding.region;
        most = use->late > most ? use->late : most;
        late += use->late;
        search->explained += waiting;
    }
    if (finding.n > 0) {
        finding.value = (double)late / (double)finding.n;
        otter_search_add(search, finding);
    }
    search->explained_outside += uses->late;
    return short_delays;
}

// The waiting in small regions is part of the cost of their forks.
static void find_forking(struct otter_search *search, uint64_t short_delays)
{
    const struct otter_analysis *analysis = search->analysis;
    const struct otter_region_use *most = NULL;
    uint64_t waiting = 0;
    for (uint32_t i = 0; i < analysis->regions.n; i++) {
        const struct otter_region_use *use = &analysis->regions.items[i];
        bool is_kernel = otter_search_contains_kernel(search, use->label);
        most = !is_kernel && (!most || use->n > most->n) ? use : most;
        waiting += is_small(analysis, use) ? use->waiting : 0;
    }
    uint64_t forking = analysis->account.forking;
    forking -= search->explained_forking < forking ? search->explained_forking : forking;
    if (most) {
        otter_search_add(search, (struct otter_finding){
                                     OTTER_FINDING_FORKING, forking + short_delays + waiting,
                                     most->label, most->n, (double)most->wall / (double)most->n});
        search->explained += waiting;
        search->explained_delay += waiting;
    }
}

void otter_find_in_regions(struct otter_search *search)
{
    find_alone(search);
    find_imbalance(search);
    find_forking(search, find_late(search));
    find_serial(search);
}
