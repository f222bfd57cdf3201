// Makes the tables of Kokkos' costs, sorted for printing.
#include "report/table/kokkos_tables.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"

enum { MAX_GROUPS = 1000 }; // further names share the last group; intact archives have a few

static bool is_of(enum otter_kokkos_table table, enum otter_construct construct)
{
    switch (table) {
    case OTTER_KOKKOS_KERNELS:
        return construct == OTTER_CONSTRUCT_KOKKOS_FOR ||
               construct == OTTER_CONSTRUCT_KOKKOS_REDUCE ||
               construct == OTTER_CONSTRUCT_KOKKOS_SCAN;
    case OTTER_KOKKOS_REGIONS: return construct == OTTER_CONSTRUCT_KOKKOS_REGION;
    case OTTER_KOKKOS_COPIES: return construct == OTTER_CONSTRUCT_KOKKOS_COPY;
    case OTTER_KOKKOS_FENCES: return construct == OTTER_CONSTRUCT_KOKKOS_FENCE;
    case OTTER_KOKKOS_SECTIONS: return construct == OTTER_CONSTRUCT_KOKKOS_SECTION;
    case OTTER_KOKKOS_EVENTS: return construct == OTTER_CONSTRUCT_KOKKOS_EVENT;
    case OTTER_KOKKOS_SYNCS: return construct == OTTER_CONSTRUCT_KOKKOS_DUAL_VIEW_SYNC;
    case OTTER_KOKKOS_MODIFIES: return construct == OTTER_CONSTRUCT_KOKKOS_DUAL_VIEW_MODIFY;
    }
    return false;
}

// ---- rows

struct row {
    uint64_t first, second; // keys; large keys are sorted to the front
    uint32_t region;
};

static int compare_rows(const void *a, const void *b)
{
    const struct row *left = a, *right = b;
    return otter_order(OTTER_BY_2(right, left, first, second), OTTER_BY_1(left, right, region));
}

uint32_t *otter_kokkos_rows(const struct otter_kokkos *kokkos, enum otter_kokkos_table table,
                            size_t *n)
{
    size_t n_regions = kokkos->definitions->n_regions;
    struct row *rows = malloc((n_regions + 1) * sizeof *rows);
    uint32_t *regions = malloc((n_regions + 1) * sizeof *regions);
    *n = 0;
    for (size_t i = 0; rows && i < n_regions; i++) {
        const struct otter_kokkos_cost *cost = &kokkos->costs[i];
        if ((cost->n > 0 || cost->n_ended > 0) &&
            is_of(table, kokkos->definitions->regions[i].construct)) {
            uint64_t key = table == OTTER_KOKKOS_EVENTS ? ~cost->first : cost->total;
            rows[(*n)++] = (struct row){key, cost->n, (uint32_t)i};
        }
    }
    if (!rows || !regions) {
        free(rows);
        free(regions);
        return NULL;
    }
    qsort(rows, *n, sizeof *rows, compare_rows);
    for (size_t i = 0; i < *n; i++) {
        regions[i] = rows[i].region;
    }
    free(rows);
    return regions;
}

// ---- groups

// Returns the index of the group, or `n` if there is no such group.
static size_t find_group(const struct otter_kokkos_group *groups, size_t n, const char *name,
                         size_t length)
{
    size_t i = 0;
    while (i < n && (groups[i].length != length || strncmp(groups[i].name, name, length) != 0)) {
        i++;
    }
    return i;
}

static int compare_groups(const void *a, const void *b)
{
    const struct otter_kokkos_group *left = a, *right = b;
    return OTTER_BY_2(right, left, total, n);
}

struct otter_kokkos_group *otter_kokkos_groups(const struct otter_kokkos *kokkos,
                                               enum otter_kokkos_table table, size_t *n)
{
    size_t n_rows;
    uint32_t *rows = otter_kokkos_rows(kokkos, table, &n_rows);
    struct otter_kokkos_group *groups = rows ? calloc(n_rows + 1, sizeof *groups) : NULL;
    *n = 0;
    for (size_t i = 0; groups && i < n_rows; i++) {
        const struct otter_kokkos_cost *cost = &kokkos->costs[rows[i]];
        const char *name = otter_kokkos_where(&kokkos->definitions->regions[rows[i]]);
        size_t length = table == OTTER_KOKKOS_FENCES ? strcspn(name, ",") : strlen(name);
        size_t place = find_group(groups, *n, name, length);
        if (place == MAX_GROUPS) {
            place--;
        }
        *n += place == *n;
        groups[place].name = name;
        groups[place].length = length;
        groups[place].n += cost->n;
        groups[place].total += cost->total;
        groups[place].bytes += cost->bytes;
    }
    free(rows);
    if (groups) {
        qsort(groups, *n, sizeof *groups, compare_groups);
    }
    return groups;
}

// ---- spaces

static struct otter_kokkos_space *space_called(struct otter_kokkos_space *spaces, size_t *n,
                                               const char *name)
{
    for (size_t i = 0; i < *n; i++) {
        if (strcmp(spaces[i].name, name) == 0) {
            return &spaces[i];
        }
    }
    if (*n == MAX_GROUPS) {
        return &spaces[*n - 1];
    }
    spaces[*n].name = name;
    return &spaces[(*n)++];
}

static void add_blocks(struct otter_kokkos_space *spaces, size_t *n,
                       const struct otter_region *region, const struct otter_kokkos_cost *cost)
{
    bool is_allocation = region->construct == OTTER_CONSTRUCT_KOKKOS_ALLOCATE;
    if (cost->n == 0 ||
        (!is_allocation && region->construct != OTTER_CONSTRUCT_KOKKOS_DEALLOCATE)) {
        return;
    }
    struct otter_kokkos_space *space = space_called(spaces, n, otter_kokkos_where(region));
    *(is_allocation ? &space->n_allocated : &space->n_deallocated) += cost->n;
    *(is_allocation ? &space->bytes_allocated : &space->bytes_deallocated) += cost->bytes;
}

struct otter_kokkos_space *otter_kokkos_spaces(const struct otter_kokkos *kokkos, size_t *n)
{
    const struct otter_definitions *definitions = kokkos->definitions;
    size_t most = definitions->n_metrics + definitions->n_regions;
    struct otter_kokkos_space *spaces = calloc(most + 1, sizeof *spaces);
    *n = 0;
    for (size_t i = 0; spaces && i < definitions->n_metrics; i++) {
        if (kokkos->levels[i].n > 0) {
            space_called(spaces, n, definitions->metrics[i].space)->level = &kokkos->levels[i];
        }
    }
    for (size_t i = 0; spaces && i < definitions->n_regions; i++) {
        add_blocks(spaces, n, &definitions->regions[i], &kokkos->costs[i]);
    }
    return spaces;
}
