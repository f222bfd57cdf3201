// Findings on Kokkos: small kernels, fences, deep copies, allocation in a loop, the high water.
#include "analysis/find.h"

#include <stdlib.h>
#include <string.h>

enum {
    LEAST_BLOCKS = 100,          // of a label that is allocated and freed again and again
    LEAST_HIGH_WATER = 64 << 20, // bytes
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

// ---- kernels

static void find_small_kernels(struct otter_search *search)
{
    const struct otter_kernel_uses *kernels = &search->analysis->kernels;
    uint64_t n_threads = search->analysis->account.n_threads;
    for (uint32_t i = 0; i < kernels->n; i++) {
        const struct otter_kernel_use *use = &kernels->items[i];
        if (!otter_kernel_is_small(use)) {
            continue;
        }
        uint64_t all = cost_of_all(search, use->cost->total, use->cost->alone);
        uint64_t cost = all > use->teams->executing ? all - use->teams->executing : 0;
        uint64_t launches = use->launch * use->cost->n_forked;
        otter_search_add(search,
                         (struct otter_finding){OTTER_FINDING_SMALL_KERNELS, cost, use->region,
                                                use->cost->n_forked, (double)use->launch});
        search->explained += use->teams->waiting;
        search->explained_forking += launches;
        search->explained_outside += launches * (n_threads - 1);
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
            otter_search_add(search,
                             (struct otter_finding){OTTER_FINDING_COPY,
                                                    cost_of_all(search, cost->total, cost->alone),
                                                    i, cost->n, 0});
            search->explained_outside += (uint64_t)search->analysis->account.alone[i];
        }
    }
}

// ---- memory

// Whether the kernel initialises or destroys the view of this label: "Kokkos::View::... [label] ...".
static bool is_of_view(const char *kernel, const char *label)
{
    static const char prefix[] = "Kokkos::View::";
    size_t length = strlen(label);
    const char *begin =
        strncmp(kernel, prefix, sizeof prefix - 1) == 0 ? strchr(kernel, '[') : NULL;
    return begin && strncmp(begin + 1, label, length) == 0 && begin[1 + length] == ']';
}

// The time of Kokkos' kernels for views of this label.
static uint64_t time_of_views(const struct otter_search *search, const char *label)
{
    const struct otter_kernel_uses *kernels = &search->analysis->kernels;
    uint64_t ticks = 0;
    for (uint32_t i = 0; i < kernels->n; i++) {
        const char *name =
            search->analysis->definitions->regions[kernels->items[i].region].canonical_name;
        ticks += is_of_view(name, label) ? cost_of_all(search, kernels->items[i].cost->total,
                                                       kernels->items[i].cost->alone)
                                         : 0;
    }
    return ticks;
}

static void find_allocations(struct otter_search *search)
{
    const struct otter_memory_uses *memory = &search->analysis->memory;
    for (uint32_t i = 0; i < memory->n; i++) {
        const struct otter_memory_use *use = &memory->items[i];
        uint64_t n_freed = use->n_freed - use->n_unknown;
        if (use->n_allocated < LEAST_BLOCKS || n_freed < LEAST_BLOCKS) {
            continue;
        }
        const char *label = search->analysis->definitions->regions[use->region].canonical_name;
        uint64_t calls = cost_of_all(search, use->calls, use->calls_alone);
        otter_search_add(search, (struct otter_finding){
                                     OTTER_FINDING_ALLOCATION, calls + time_of_views(search, label),
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
    if (search->analysis->has_kokkos) {
        find_small_kernels(search);
        find_fences(search);
        find_copies(search);
        find_allocations(search);
        find_high_water(search);
    }
}
