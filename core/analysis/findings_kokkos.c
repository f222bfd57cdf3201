// Findings on Kokkos: small kernels, fences, deep copies, allocation in a loop, the high water.
#include "analysis/find.h"
#include "analysis/scaled.h"

#include <stdlib.h>
#include <string.h>

enum {
    LEAST_BLOCKS = 100,          // of a label that is allocated and freed again and again
    LEAST_HIGH_WATER = 64 << 20, // bytes
};

enum use_bit { // of a kernel: a finding contains its launches
    USE_SMALL = 1 << 0,
    USE_OF_VIEW = 1 << 1, // initialises or destroys a view that is allocated again and again
    USE_COUNTED = 1 << 2,
};

// A construct that a thread calls outside of parallel regions costs the time of all threads.
static uint64_t cost_of_all(const struct otter_search *search, uint64_t total, uint64_t alone)
{
    return total + alone * (search->analysis->account.n_threads - 1);
}

static uint32_t n_regions(const struct otter_search *search)
{
    return (uint32_t)search->analysis->definitions->n_regions;
}

// ---- constructs inside each other

static bool has_finding(const struct otter_search *search, uint32_t region)
{
    enum otter_construct construct =
        otter_definitions_construct(search->analysis->definitions, region);
    return construct == OTTER_CONSTRUCT_KOKKOS_FENCE || construct == OTTER_CONSTRUCT_KOKKOS_COPY ||
           otter_search_contains_kernel(search, region);
}

// The time of a construct inside another counts for the inner one.
static void find_inner(const struct otter_search *search)
{
    const struct otter_kokkos_paths *paths = &search->analysis->kokkos.paths;
    for (uint32_t i = OTTER_KOKKOS_ROOT + 1; i < paths->n; i++) {
        uint32_t around = paths->items[i].parent;
        while (around != OTTER_KOKKOS_ROOT && !has_finding(search, paths->items[around].region)) {
            around = paths->items[around].parent;
        }
        if (around != OTTER_KOKKOS_ROOT && has_finding(search, paths->items[i].region)) {
            search->inner[paths->items[around].region] += paths->items[i].inclusive;
        }
    }
}

// The time of all threads in the construct, without constructs inside that have a finding.
static uint64_t own_cost(const struct otter_search *search, uint32_t region)
{
    const struct otter_kokkos_cost *cost = &search->analysis->kokkos.costs[region];
    uint64_t inner = search->inner[region];
    uint64_t own = cost->total > inner ? cost->total - inner : 0;
    double share = cost->total > 0 ? (double)own / (double)cost->total : 0;
    return cost_of_all(search, own, otter_scaled(cost->alone, share));
}

// ---- kernels

// All states of the threads in the launches of a kernel.
static void explain_launches(struct otter_search *search, const struct otter_kernel_use *use)
{
    const struct otter_account *account = &search->analysis->account;
    const struct otter_wait_account *waits = &account->regions[use->region];
    uint64_t wall = use->teams ? use->teams->wall : 0;
    uint64_t in_teams = use->teams ? use->teams->thread_time : 0;
    uint64_t outside = use->cost->alone * (account->n_threads - 1) + wall;
    search->explained += waits->no_work;
    search->explained_delay += waits->delay;
    search->explained_forking += use->cost->total > wall ? use->cost->total - wall : 0;
    search->explained_outside += outside > in_teams ? outside - in_teams : 0;
}

static void find_small_kernels(struct otter_search *search)
{
    const struct otter_kernel_uses *kernels = &search->analysis->kernels;
    for (uint32_t i = 0; i < kernels->n; i++) {
        const struct otter_kernel_use *use = &kernels->items[i];
        if (search->kernels[use->region] != USE_SMALL) {
            continue;
        }
        uint64_t all = own_cost(search, use->region);
        uint64_t cost = all > use->teams->executing ? all - use->teams->executing : 0;
        otter_search_add(search,
                         (struct otter_finding){OTTER_FINDING_SMALL_KERNELS, cost, use->region,
                                                use->cost->n_forked, (double)use->launch});
        explain_launches(search, use);
    }
}

// ---- fences and copies

static void find_fences(struct otter_search *search)
{
    const struct otter_kokkos *kokkos = &search->analysis->kokkos;
    uint32_t most = OTTER_NONE;
    uint64_t n = 0, total = 0, alone = 0;
    for (uint32_t i = 0; i < n_regions(search); i++) {
        const struct otter_kokkos_cost *cost = &kokkos->costs[i];
        if (cost->n > 0 &&
            kokkos->definitions->regions[i].construct == OTTER_CONSTRUCT_KOKKOS_FENCE) {
            n += cost->n;
            total += cost->total;
            alone += cost->alone;
            most = most == OTTER_NONE || cost->total > kokkos->costs[most].total ? i : most;
        }
    }
    otter_search_add(search,
                     (struct otter_finding){OTTER_FINDING_FENCE, cost_of_all(search, total, alone),
                                            most, n, (double)total});
    const struct otter_wait_account *wait =
        &search->analysis->account.waits[OTTER_CONSTRUCT_KOKKOS_FENCE];
    search->explained += wait->no_work;
    search->explained_delay += wait->delay;
    search->explained_outside += cost_of_all(search, 0, alone);
}

static void find_copies(struct otter_search *search)
{
    const struct otter_kokkos *kokkos = &search->analysis->kokkos;
    for (uint32_t i = 0; i < n_regions(search); i++) {
        const struct otter_kokkos_cost *cost = &kokkos->costs[i];
        if (cost->n > 0 &&
            kokkos->definitions->regions[i].construct == OTTER_CONSTRUCT_KOKKOS_COPY) {
            otter_search_add(search, (struct otter_finding){OTTER_FINDING_COPY, own_cost(search, i),
                                                            i, cost->n, 0});
            search->explained_outside += (uint64_t)search->analysis->account.alone[i];
        }
    }
}

// ---- memory

// Whether the kernel initialises or destroys the view of this label:
// "Kokkos::View::... [label] ...".
static bool is_of_view(const char *kernel, const char *label)
{
    static const char prefix[] = "Kokkos::View::";
    size_t length = strlen(label);
    const char *begin =
        strncmp(kernel, prefix, sizeof prefix - 1) == 0 ? strchr(kernel, '[') : NULL;
    return begin && strncmp(begin + 1, label, length) == 0 && begin[1 + length] == ']';
}

static bool is_allocated_often(const struct otter_memory_use *use)
{
    return use->n_allocated >= LEAST_BLOCKS && use->n_freed - use->n_unknown >= LEAST_BLOCKS;
}

static const char *label_of(const struct otter_search *search, uint32_t region)
{
    return search->analysis->definitions->regions[region].canonical_name;
}

// The kernels that a finding contains as a whole.
static void mark_kernels(struct otter_search *search)
{
    const struct otter_kernel_uses *kernels = &search->analysis->kernels;
    const struct otter_memory_uses *memory = &search->analysis->memory;
    for (uint32_t i = 0; i < kernels->n; i++) {
        uint32_t region = kernels->items[i].region;
        search->kernels[region] = otter_kernel_uses_small(kernels, region) ? USE_SMALL : 0;
        for (uint32_t k = 0; k < memory->n; k++) {
            if (is_allocated_often(&memory->items[k]) &&
                is_of_view(label_of(search, region), label_of(search, memory->items[k].region))) {
                search->kernels[region] |= USE_OF_VIEW;
            }
        }
    }
}

// The time of Kokkos' kernels for views of this label. A label in several spaces has them once.
static uint64_t time_of_views(struct otter_search *search, const char *label)
{
    const struct otter_kernel_uses *kernels = &search->analysis->kernels;
    uint64_t ticks = 0;
    for (uint32_t i = 0; i < kernels->n; i++) {
        uint32_t region = kernels->items[i].region;
        bool is_new = !(search->kernels[region] & USE_COUNTED);
        if (is_new && is_of_view(label_of(search, region), label)) {
            search->kernels[region] |= USE_COUNTED;
            ticks += own_cost(search, region);
            explain_launches(search, &kernels->items[i]);
        }
    }
    return ticks;
}

static void find_allocations(struct otter_search *search)
{
    const struct otter_memory_uses *memory = &search->analysis->memory;
    for (uint32_t i = 0; i < memory->n; i++) {
        const struct otter_memory_use *use = &memory->items[i];
        if (!is_allocated_often(use)) {
            continue;
        }
        uint64_t calls = cost_of_all(search, use->calls, use->calls_alone);
        otter_search_add(search, (struct otter_finding){
                                     OTTER_FINDING_ALLOCATION,
                                     calls + time_of_views(search, label_of(search, use->region)),
                                     use->region, use->n_allocated, (double)use->bytes_allocated});
        search->explained_outside += cost_of_all(search, 0, use->calls_alone);
    }
}

// Returns the index of the label whose blocks exceed their mean most, and the mean of the space.
static uint32_t largest_excess(const struct otter_memory_uses *memory, const char *space,
                               double *mean)
{
    uint32_t most = OTTER_NONE;
    double excess = 0;
    *mean = 0;
    for (uint32_t i = 0; i < memory->n; i++) {
        const struct otter_memory_use *use = &memory->items[i];
        if (strcmp(use->space, space) != 0) {
            continue;
        }
        *mean += use->mean;
        if ((double)use->bytes_high - use->mean > excess) {
            excess = (double)use->bytes_high - use->mean;
            most = i;
        }
    }
    return most;
}

// The high water costs memory and no time: it stands behind the other findings.
static void find_high_water(struct otter_search *search)
{
    const struct otter_kokkos *kokkos = &search->analysis->kokkos;
    const struct otter_memory_uses *memory = &search->analysis->memory;
    for (size_t i = 0; i < kokkos->definitions->n_metrics; i++) {
        const struct otter_kokkos_level *level = &kokkos->levels[i];
        double mean, high = (double)level->high_water;
        uint32_t most = largest_excess(memory, kokkos->definitions->metrics[i].space, &mean);
        if (level->n == 0 || most == OTTER_NONE || level->high_water < LEAST_HIGH_WATER ||
            high < 2 * mean) {
            continue;
        }
        const struct otter_memory_use *use = &memory->items[most];
        if (2 * ((double)use->bytes_high - use->mean) >= high - mean) {
            otter_search_add_anyway(search, (struct otter_finding){OTTER_FINDING_HIGH_WATER, 0,
                                                                   use->region, use->bytes_high,
                                                                   high / (mean > 1 ? mean : 1)});
        }
    }
}

void otter_find_in_kokkos(struct otter_search *search)
{
    if (!search->analysis->has_kokkos) {
        return;
    }
    search->kernels = calloc(n_regions(search) + (size_t)1, 1);
    search->inner = calloc(n_regions(search) + (size_t)1, sizeof *search->inner);
    if (!search->kernels || !search->inner) {
        search->is_short_of_memory = true;
        return;
    }
    mark_kernels(search);
    find_inner(search);
    find_small_kernels(search);
    find_fences(search);
    find_copies(search);
    find_allocations(search);
    find_high_water(search);
}
