// Adds up Kokkos allocations by label and space, and reads them again up to the high-water mark.
#include "analysis/kokkos/memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/free.h"
#include "base/order.h"
#include "graph/numbers.h"

enum { MAX_LABEL = 119 }; // bytes of a label that Kokkos 3 reports when a block is deallocated

struct block_region {
    const struct otter_region *region;
    uint32_t index;
};

static bool is_allocation(const struct otter_region *region)
{
    return region->construct == OTTER_CONSTRUCT_KOKKOS_ALLOCATE;
}

static bool is_of_blocks(const struct otter_region *region)
{
    return is_allocation(region) || region->construct == OTTER_CONSTRUCT_KOKKOS_DEALLOCATE;
}

static int compare_labels(const struct otter_region *a, const struct otter_region *b)
{
    int order = strcmp(otter_kokkos_where(a), otter_kokkos_where(b));
    return order ? order : strncmp(a->canonical_name, b->canonical_name, MAX_LABEL);
}

// Regions with the same label are adjacent, allocations first.
static int compare_regions(const void *a, const void *b)
{
    const struct block_region *x = a, *y = b;
    int order = compare_labels(x->region, y->region);
    order = order ? order : is_allocation(y->region) - is_allocation(x->region);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

static struct block_region *sorted_regions(const struct otter_kokkos *kokkos, size_t *n)
{
    const struct otter_definitions *definitions = kokkos->definitions;
    struct block_region *regions = malloc((definitions->n_regions + 1) * sizeof *regions);
    *n = 0;
    for (uint32_t i = 0; regions && i < definitions->n_regions; i++) {
        if (is_of_blocks(&definitions->regions[i]) && kokkos->costs[i].n > 0) {
            regions[(*n)++] = (struct block_region){&definitions->regions[i], i};
        }
    }
    if (*n > 0) {
        qsort(regions, *n, sizeof *regions, compare_regions);
    }
    return regions;
}

static void add_region(struct otter_memory_use *use, const struct otter_kokkos *kokkos,
                       const struct block_region *region)
{
    const struct otter_kokkos_cost *cost = &kokkos->costs[region->index];
    bool is_new = is_allocation(region->region);
    *(is_new ? &use->n_allocated : &use->n_freed) += cost->n;
    *(is_new ? &use->bytes_allocated : &use->bytes_freed) += cost->bytes;
    uint64_t gap = otter_quantiles_at(&cost->gaps, 10);
    use->calls += gap * cost->gaps.n;
    use->calls_outside += gap * (cost->gaps.n < cost->n_outside ? cost->gaps.n : cost->n_outside);
    use->n_unknown += cost->n_unknown;
    use->bytes_unknown += cost->bytes_unknown;
    use->mean += is_new ? -cost->byte_ticks : cost->byte_ticks;
}

// Adds the bytes of the blocks still in use, multiplied by the end time. Their bytes multiplied by
// their start times are already subtracted.
static void conclude(struct otter_memory_use *use, const struct otter_kokkos *kokkos)
{
    double end = (double)kokkos->last_time - (double)kokkos->definitions->clock.offset;
    double wall = (double)(kokkos->last_time - kokkos->first_time);
    uint64_t n_freed = use->n_freed - use->n_unknown;
    uint64_t freed = use->bytes_freed - use->bytes_unknown;
    double left = (double)use->bytes_allocated - (double)freed;
    use->mean = wall > 0 ? (left * end + use->mean) / wall : 0;
    use->mean = use->mean > 0 ? use->mean : 0;
    if (use->n_allocated > n_freed) {
        use->n_left = use->n_allocated - n_freed;
        use->bytes_left = left > 0 ? use->bytes_allocated - freed : 0;
    }
}

static void gather(struct otter_memory_uses *uses, const struct block_region *regions, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || compare_labels(regions[i - 1].region, regions[i].region) != 0) {
            uses->items[uses->n++] = (struct otter_memory_use){
                .region = regions[i].index, .space = otter_kokkos_where(regions[i].region)};
        }
        add_region(&uses->items[uses->n - 1], uses->kokkos, &regions[i]);
        uses->use_of[regions[i].index] = uses->n - 1;
    }
    for (uint32_t i = 0; i < uses->n; i++) {
        conclude(&uses->items[i], uses->kokkos);
    }
}

// Returns the time of the high-water mark; 0 for a space without a metric.
static uint64_t high_time(const struct otter_kokkos *kokkos, const char *space)
{
    for (size_t i = 0; i < kokkos->definitions->n_metrics; i++) {
        if (kokkos->levels[i].n > 0 && strcmp(kokkos->definitions->metrics[i].space, space) == 0) {
            return kokkos->levels[i].most_time;
        }
    }
    return 0;
}

enum otter_status otter_memory_uses_init(struct otter_memory_uses *uses,
                                         const struct otter_kokkos *kokkos)
{
    size_t n, n_regions = kokkos->definitions->n_regions;
    struct block_region *regions = sorted_regions(kokkos, &n);
    *uses = (struct otter_memory_uses){.kokkos = kokkos, .entered = OTTER_NONE};
    uses->items = calloc(n + 1, sizeof *uses->items);
    uses->use_of = otter_numbers_create(n_regions);
    uses->high_times = calloc(n + 1, sizeof *uses->high_times);
    uses->n_at_high = calloc(n + 1, sizeof *uses->n_at_high);
    uses->bytes_at_high = calloc(n + 1, sizeof *uses->bytes_at_high);
    uses->last_samples = calloc(kokkos->definitions->n_metrics + 1, sizeof *uses->last_samples);
    if (!regions || !uses->items || !uses->use_of || !uses->high_times || !uses->n_at_high ||
        !uses->bytes_at_high || !uses->last_samples) {
        free(regions);
        otter_memory_uses_finish(uses);
        return OTTER_NO_MEMORY;
    }
    gather(uses, regions, n);
    free(regions);
    for (uint32_t i = 0; i < uses->n; i++) {
        uint64_t time = high_time(kokkos, uses->items[i].space);
        uses->high_times[i] = time;
        uses->last_high_time = time > uses->last_high_time ? time : uses->last_high_time;
    }
    return OTTER_OK;
}

// ---- the second reading

static void count(struct otter_memory_uses *uses, uint32_t use, int by)
{
    uses->n_at_high[use] += by;
    uses->bytes_at_high[use] += by * (int64_t)uses->bytes;
}

static void add_bytes(struct otter_memory_uses *uses, const struct otter_event *event)
{
    const struct otter_definitions *definitions = uses->kokkos->definitions;
    uint32_t use = uses->entered == OTTER_NONE ? OTTER_NONE : uses->use_of[uses->entered];
    if (use == OTTER_NONE || event->time > uses->high_times[use] ||
        event->parameter.definition >= definitions->n_parameters ||
        definitions->parameters[event->parameter.definition].kind != OTTER_PARAMETER_BYTES) {
        return;
    }
    uses->bytes = event->parameter.value;
    count(uses, use, is_allocation(&definitions->regions[uses->entered]) ? 1 : -1);
}

// Undoes the deallocation of an unknown block.
static void check_sample(struct otter_memory_uses *uses, const struct otter_event *event)
{
    const struct otter_definitions *definitions = uses->kokkos->definitions;
    if (event->metric.definition >= definitions->n_metrics || event->metric.n_values != 2) {
        return;
    }
    bool is_unknown =
        otter_kokkos_is_unknown_block(&uses->last_samples[event->metric.definition], event);
    uint32_t use = uses->entered == OTTER_NONE ? OTTER_NONE : uses->use_of[uses->entered];
    if (is_unknown && use != OTTER_NONE && event->time <= uses->high_times[use] &&
        !is_allocation(&definitions->regions[uses->entered])) {
        count(uses, use, 1);
    }
}

static void begin_location(struct otter_memory_uses *uses, uint32_t location)
{
    size_t n = uses->kokkos->definitions->n_metrics;
    memset(uses->last_samples, 0, n * sizeof *uses->last_samples);
    uses->location = location;
    uses->entered = OTTER_NONE;
}

bool otter_memory_uses_add(void *user, const struct otter_event *event)
{
    struct otter_memory_uses *uses = user;
    if (event->location != uses->location) {
        begin_location(uses, event->location);
    }
    if (event->kind == OTTER_RECORD_PARAMETER) {
        add_bytes(uses, event);
        return true;
    }
    if (event->kind == OTTER_RECORD_METRIC) {
        check_sample(uses, event);
        return true;
    }
    bool is_enter = event->kind == OTTER_RECORD_ENTER;
    bool is_known = is_enter && event->region < uses->kokkos->definitions->n_regions;
    uses->entered = is_known ? event->region : OTTER_NONE;
    return event->time <= uses->last_high_time;
}

static int by_high_water(const void *a, const void *b)
{
    const struct otter_memory_use *x = a, *y = b;
    return otter_order(OTTER_BY_2(y, x, bytes_high, bytes_allocated), OTTER_BY_1(x, y, region));
}

void otter_memory_uses_end(struct otter_memory_uses *uses)
{
    for (uint32_t i = 0; i < uses->n; i++) {
        bool is_in_use = uses->n_at_high[i] > 0 && uses->bytes_at_high[i] > 0;
        uses->items[i].n_high = is_in_use ? (uint64_t)uses->n_at_high[i] : 0;
        uses->items[i].bytes_high = is_in_use ? (uint64_t)uses->bytes_at_high[i] : 0;
    }
    if (uses->n > 1) {
        qsort(uses->items, uses->n, sizeof *uses->items, by_high_water);
    }
}

void otter_memory_uses_finish(struct otter_memory_uses *uses)
{
    OTTER_FREE(uses->items, uses->use_of, uses->high_times, uses->n_at_high, uses->bytes_at_high,
               uses->last_samples);
    *uses = (struct otter_memory_uses){0};
}
