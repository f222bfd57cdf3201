// Attributes lost time to Kokkos: small kernels, deep copies, allocation in a loop.
#include "analysis/findings/conclude.h"

#include <stdlib.h>
#include <string.h>

enum {
    // fewest allocations of a label that counts as allocated and freed again and again
    MIN_BLOCKS = 100,
    MIN_HIGH_WATER = 64 << 20, // bytes
};

static const double ALL = (double)UINT64_MAX;

// Moves the losses that launches and teams cause at a place to another cause.
static void move_launches(struct otter_losses *losses, uint32_t label, enum otter_finding_kind kind,
                          uint32_t to)
{
    static const enum otter_finding_kind kinds[] = {
        OTTER_FINDING_SERIAL, OTTER_FINDING_IMBALANCE, OTTER_FINDING_LATE, OTTER_FINDING_FORKING,
        OTTER_FINDING_ALONE,  OTTER_FINDING_WAKE_UP,   OTTER_FINDING_DELAY};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        otter_losses_move(losses, kinds[i], label, kind, to, ALL);
    }
}

static const char *label_of(const struct otter_analysis *analysis, uint32_t region)
{
    return analysis->definitions->regions[region].canonical_name;
}

// ---- memory

// Returns whether the kernel initialises or destroys the view of this label:
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
    return use->n_allocated >= MIN_BLOCKS && use->n_freed - use->n_unknown >= MIN_BLOCKS;
}

// While one thread allocates, the others are outside of regions. Moves this time from serial code
// to the allocation.
static void move_calls(struct otter_losses *losses, const struct otter_memory_use *use,
                       uint32_t n_threads)
{
    double rest = (double)use->calls_outside * (n_threads - 1);
    for (uint32_t i = 0; i < losses->n_labels && rest > 0; i++) {
        rest -= otter_losses_move(losses, OTTER_FINDING_SERIAL, i, OTTER_FINDING_ALLOCATION,
                                  use->region, rest);
    }
}

// A kernel's time is attributed to the first label whose views it initialises.
static void find_allocation(const struct otter_analysis *analysis, struct otter_losses *losses,
                            const struct otter_memory_use *use, bool *is_taken, uint64_t *avoidable)
{
    const struct otter_kernel_uses *kernels = &analysis->kernels;
    const struct otter_account *account = &analysis->account;
    uint64_t executed = use->calls;
    for (uint32_t i = 0; i < kernels->n; i++) {
        uint32_t region = kernels->items[i].region;
        if (!is_taken[region] &&
            is_of_view(label_of(analysis, region), label_of(analysis, use->region))) {
            is_taken[region] = true;
            executed += account->executed[region];
            move_launches(losses, region, OTTER_FINDING_ALLOCATION, use->region);
        }
    }
    uint64_t most = account->executing - *avoidable;
    executed = executed < most ? executed : most;
    move_calls(losses, use, account->n_threads);
    otter_losses_add(losses, OTTER_FINDING_ALLOCATION, use->region, (double)executed);
    *avoidable += executed;
}

// ---- copies

// Avoiding the copy would also save its own execution.
static void find_copies(const struct otter_analysis *analysis, struct otter_losses *losses,
                        uint64_t *avoidable)
{
    const struct otter_account *account = &analysis->account;
    for (uint32_t i = 0; i < analysis->definitions->n_regions; i++) {
        if (otter_definitions_construct(analysis->definitions, i) == OTTER_CONSTRUCT_KOKKOS_COPY) {
            uint64_t most = account->executing - *avoidable;
            uint64_t executed = account->executed[i] < most ? account->executed[i] : most;
            move_launches(losses, i, OTTER_FINDING_COPY, i);
            otter_losses_add(losses, OTTER_FINDING_COPY, i, (double)executed);
            *avoidable += executed;
        }
    }
}

// The launch costs what the launching thread executes before and after the team, and the recorder's
// event in each member's part.
static void find_small(const struct otter_analysis *analysis, struct otter_losses *losses,
                       const struct otter_kernel_use *use, uint64_t *avoidable)
{
    if (!otter_kernel_uses_small(&analysis->kernels, use->region)) {
        return;
    }
    uint64_t all = analysis->account.executed[use->region], in_teams = use->teams->executing;
    uint64_t most = analysis->account.executing - *avoidable;
    uint64_t events = (uint64_t)(analysis->recording.event * (double)use->teams->n_members);
    uint64_t executed = all > in_teams ? all - in_teams : 0;
    executed += events < in_teams ? events : in_teams;
    executed = executed < most ? executed : most;
    move_launches(losses, use->region, OTTER_FINDING_SMALL_KERNELS, use->region);
    otter_losses_add(losses, OTTER_FINDING_SMALL_KERNELS, use->region, (double)executed);
    *avoidable += executed;
}

enum otter_status otter_conclude_kokkos(const struct otter_analysis *analysis,
                                        struct otter_losses *losses, uint64_t *avoidable)
{
    const struct otter_kernel_uses *kernels = &analysis->kernels;
    if (!analysis->has_kokkos) {
        return OTTER_OK;
    }
    bool *is_taken = calloc(analysis->definitions->n_regions + 1, sizeof *is_taken);
    if (!is_taken) {
        return OTTER_NO_MEMORY;
    }
    for (uint32_t i = 0; i < analysis->memory.n; i++) {
        if (is_allocated_often(&analysis->memory.items[i])) {
            find_allocation(analysis, losses, &analysis->memory.items[i], is_taken, avoidable);
        }
    }
    free(is_taken);
    find_copies(analysis, losses, avoidable);
    for (uint32_t i = 0; i < kernels->n; i++) {
        find_small(analysis, losses, &kernels->items[i], avoidable);
    }
    return OTTER_OK;
}

// ---- the high water

// Returns the index of the label whose blocks exceed their mean most; sets the mean of the space.
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

bool otter_high_water_find(const struct otter_analysis *analysis, size_t metric,
                           struct otter_finding *finding)
{
    const struct otter_kokkos *kokkos = &analysis->kokkos;
    const struct otter_kokkos_level *level = &kokkos->levels[metric];
    double mean, high = (double)level->high_water;
    uint32_t most =
        largest_excess(&analysis->memory, kokkos->definitions->metrics[metric].space, &mean);
    if (level->n == 0 || most == OTTER_NONE || level->high_water < MIN_HIGH_WATER ||
        high < 2 * mean) {
        return false;
    }
    const struct otter_memory_use *use = &analysis->memory.items[most];
    *finding = (struct otter_finding){.kind = OTTER_FINDING_HIGH_WATER,
                                      .region = use->region,
                                      .n = use->bytes_high,
                                      .value = high / (mean > 1 ? mean : 1)};
    return 2 * ((double)use->bytes_high - use->mean) >= high - mean;
}
