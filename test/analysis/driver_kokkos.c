// Prints the numbers of an analysis that belong to Kokkos' labels.
#include "driver_kokkos.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void driver_read_blocks(struct otter_analysis *analysis, const struct scene *scene, bool is_reverse)
{
    size_t n = scene->definitions.n_locations;
    for (size_t i = 0; i < n && analysis->has_kokkos; i++) {
        size_t location = is_reverse ? n - 1 - i : i;
        bool goes_on = analysis->kokkos.has_samples[location];
        for (size_t e = 0; e < scene->n_events && goes_on; e++) {
            if (scene->events[e].location == location) {
                goes_on = otter_memory_uses_add(&analysis->memory, &scene->events[e]);
            }
        }
    }
    if (analysis->has_kokkos) {
        otter_memory_uses_end(&analysis->memory);
    }
}

static void print_kernels(const struct scene *scene, const struct otter_kernel_uses *kernels)
{
    for (uint32_t i = 0; i < kernels->n; i++) {
        const struct otter_kernel_use *use = &kernels->items[i];
        const struct otter_kokkos_cost *cost = use->cost;
        printf("kernel %s: n %" PRIu64 ", total %" PRIu64 ", exclusive %" PRIu64 ", %" PRIu64
               " to %" PRIu64 ", median %" PRIu64 ", p99 %" PRIu64 "\n",
               scene_region(scene, use->region), cost->n, cost->total, cost->exclusive, cost->min,
               cost->max, otter_kokkos_duration(cost, 50), otter_kokkos_duration(cost, 99));
        if (use->teams) {
            printf("  teams %" PRIu64 " of %" PRIu64 " members, waiting %" PRIu64
                   ", imbalance %" PRIu64 ", latency %" PRIu64 ", launch %" PRIu64 "\n",
                   use->teams->n, use->teams->n_members, use->teams->waiting, use->teams->imbalance,
                   cost->latency, use->launch);
        }
    }
    if (kernels->n > 0) {
        printf("inside kernels %" PRIu64 ", outside %" PRIu64 "\n", kernels->inside,
               kernels->outside);
    }
}

static void print_path(const struct scene *scene, const struct otter_kokkos_paths *paths,
                       uint32_t path)
{
    if (path != OTTER_KOKKOS_ROOT) {
        print_path(scene, paths, paths->items[path].parent);
        printf(" > %s", scene_region(scene, paths->items[path].region));
    }
}

static void print_paths(const struct scene *scene, const struct otter_kokkos_paths *paths)
{
    uint32_t n, *order = otter_kokkos_paths_order(paths, &n);
    for (uint32_t i = 0; i < n && order; i++) {
        const struct otter_kokkos_path *path = &paths->items[order[i]];
        printf("path");
        print_path(scene, paths, order[i]);
        printf(": n %" PRIu64 ", inclusive %" PRIu64 ", exclusive %" PRIu64 "\n", path->n,
               path->inclusive, path->exclusive);
    }
    free(order);
}

static void print_copies(const struct scene *scene, const struct otter_kokkos *kokkos)
{
    for (uint32_t i = 0; i < scene->definitions.n_regions; i++) {
        const struct otter_kokkos_cost *cost = &kokkos->costs[i];
        enum otter_construct construct = scene->definitions.regions[i].construct;
        if (cost->n > 0 && (construct == OTTER_CONSTRUCT_KOKKOS_COPY ||
                            construct == OTTER_CONSTRUCT_KOKKOS_FENCE)) {
            printf("%s: n %" PRIu64 ", bytes %" PRIu64 ", total %" PRIu64 ", alone %" PRIu64 "\n",
                   scene_region(scene, i), cost->n, cost->bytes, cost->total, cost->outside);
        }
    }
}

static void print_memory(const struct scene *scene, const struct otter_analysis *analysis)
{
    for (uint32_t i = 0; i < analysis->memory.n; i++) {
        const struct otter_memory_use *use = &analysis->memory.items[i];
        printf("memory %s in %s: allocated %" PRIu64 " of %" PRIu64 " bytes, freed %" PRIu64
               " of %" PRIu64 "\n",
               scene->definitions.regions[use->region].name, use->space, use->n_allocated,
               use->bytes_allocated, use->n_freed, use->bytes_freed);
        printf("  at the high water %" PRIu64 " of %" PRIu64 ", left %" PRIu64 " of %" PRIu64
               ", mean %.2f\n",
               use->n_high, use->bytes_high, use->n_left, use->bytes_left, use->mean);
    }
    for (size_t i = 0; i < scene->definitions.n_metrics; i++) {
        const struct otter_kokkos_level *level = &analysis->kokkos.levels[i];
        printf("space %s: high water %" PRIu64 " at %" PRIu64 ", in use %" PRIu64 "\n",
               scene->definitions.metrics[i].space, level->high_water, level->most_time,
               level->in_use);
    }
}

void driver_print_kokkos(const struct scene *scene, const struct otter_analysis *analysis)
{
    if (analysis->has_kokkos) {
        print_kernels(scene, &analysis->kernels);
        print_paths(scene, &analysis->kokkos.paths);
        print_copies(scene, &analysis->kokkos);
        print_memory(scene, analysis);
    }
}
