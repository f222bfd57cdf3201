// Joins the launches of each kernel to the teams that they forked.
#include "analysis/kokkos/kernels.h"

#include <stdlib.h>

#include "base/order.h"
#include "graph/kernel.h"

enum {
    MIN_LAUNCHES = 10, // launches that give a quantile
    MANY_LAUNCHES = 100,
};

// In most launches nothing disturbs the leader, so a low quantile is the cost of an undisturbed
// launch.
static uint64_t cost_of_launch(const struct otter_kokkos_cost *cost,
                               const struct otter_region_use *teams)
{
    bool is_known = teams && cost->n_forked >= MIN_LAUNCHES;
    return is_known ? otter_quantiles_at(&cost->launches, 10) : 0;
}

// On a busy machine, threads wait for a processor in most launches. If this explains the median,
// the duration is the cost of a launch plus the members' mean execution. `preempted`: ticks of all
// threads in the whole run.
static uint64_t duration_of(const struct otter_kernel_use *use, uint64_t preempted)
{
    uint64_t median = otter_kokkos_duration(use->cost, 50), n = use->cost->n_forked;
    uint64_t executed = use->teams && n > 0 ? use->teams->executed / n : median;
    uint64_t rest = use->launch + executed;
    return rest < median && 2 * preempted / n >= median - rest ? rest : median;
}

// Returns whether a launch costs an eighth of the kernel's duration or more, in many launches.
static bool is_small(const struct otter_kernel_use *use)
{
    return use->cost->n_forked >= MANY_LAUNCHES && 8 * use->launch >= use->duration;
}

static int by_total(const void *a, const void *b)
{
    const struct otter_kernel_use *x = a, *y = b;
    return otter_order(OTTER_COMPARE(y->cost->total, x->cost->total), OTTER_BY_1(x, y, region));
}

static bool is_kernel(const struct otter_definitions *definitions, uint32_t region)
{
    enum otter_construct construct = otter_definitions_construct(definitions, region);
    return construct >= OTTER_CONSTRUCT_KOKKOS_FOR && construct <= OTTER_CONSTRUCT_KOKKOS_SCAN;
}

enum otter_status otter_kernel_uses_init(struct otter_kernel_uses *uses,
                                         const struct otter_kokkos *kokkos,
                                         const struct otter_region_uses *regions,
                                         const struct otter_timeline *timeline)
{
    *uses = (struct otter_kernel_uses){.inside = kokkos->ticks_kernels};
    uint64_t launching = (timeline->end - timeline->begin) * kokkos->n_launching;
    uses->outside = launching > uses->inside ? launching - uses->inside : 0;
    size_t n_regions = kokkos->definitions->n_regions;
    uses->items = calloc(n_regions + 1, sizeof *uses->items);
    const struct otter_region_use **teams = calloc(n_regions + 1, sizeof *teams);
    uses->item_of = malloc((n_regions + 1) * sizeof *uses->item_of);
    uses->n_regions = (uint32_t)n_regions;
    if (!uses->items || !uses->item_of || !teams) {
        free(teams);
        otter_kernel_uses_finish(uses);
        return OTTER_NO_MEMORY;
    }
    for (uint32_t i = 0; i < regions->n; i++) {
        teams[regions->items[i].label] = &regions->items[i];
    }
    uint64_t preempted =
        otter_timeline_off(timeline, true, true) + otter_timeline_off(timeline, true, false);
    for (uint32_t i = 0; i < n_regions; i++) {
        const struct otter_kokkos_cost *cost = &kokkos->costs[i];
        if (cost->n > 0 && is_kernel(kokkos->definitions, i)) {
            struct otter_kernel_use *use = &uses->items[uses->n++];
            *use = (struct otter_kernel_use){.cost = cost,
                                             .teams = teams[i],
                                             .region = i,
                                             .launch = cost_of_launch(cost, teams[i])};
            use->duration = duration_of(use, preempted);
        }
    }
    free(teams);
    qsort(uses->items, uses->n, sizeof *uses->items, by_total);
    for (uint32_t i = 0; i < n_regions; i++) {
        uses->item_of[i] = OTTER_NONE;
    }
    for (uint32_t i = 0; i < uses->n; i++) {
        uses->item_of[uses->items[i].region] = i;
    }
    return OTTER_OK;
}

const struct otter_kernel_use *otter_kernel_use_of(const struct otter_kernel_uses *uses,
                                                   uint32_t label)
{
    bool is_kernel_label = label < uses->n_regions && uses->item_of[label] != OTTER_NONE;
    return is_kernel_label ? &uses->items[uses->item_of[label]] : NULL;
}

bool otter_kernel_uses_small(const struct otter_kernel_uses *uses, uint32_t label)
{
    const struct otter_kernel_use *use = otter_kernel_use_of(uses, label);
    return use && is_small(use);
}

void otter_kernel_uses_set_lines(const struct otter_kernel_uses *uses, struct otter_labels *labels)
{
    for (uint32_t i = 0; i < uses->n; i++) {
        const struct otter_kokkos_cost *cost = uses->items[i].cost;
        for (uint32_t k = 0; k < cost->n_regions && cost->n_regions <= OTTER_KERNEL_LINES; k++) {
            otter_kernel_add_line(labels, uses->items[i].region, cost->regions[k]);
        }
    }
    otter_kernels_end_lines(labels);
}

void otter_kernel_uses_finish(struct otter_kernel_uses *uses)
{
    free(uses->items);
    free(uses->item_of);
    *uses = (struct otter_kernel_uses){0};
}
