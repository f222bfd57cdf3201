// Tracks the Kokkos constructs open on a thread: starts, ends, and the teams that kernels fork.
#include "analysis/kokkos/kokkos_frames.h"

enum { MAX_DEPTH = 1 << 16 };

static bool is_kernel(const struct otter_kokkos *kokkos, uint32_t region)
{
    enum otter_construct construct = otter_definitions_construct(kokkos->definitions, region);
    return construct >= OTTER_CONSTRUCT_KOKKOS_FOR && construct <= OTTER_CONSTRUCT_KOKKOS_SCAN;
}

// Returns whether the construct has a duration and therefore a place in the tree.
static bool has_path(const struct otter_kokkos *kokkos, uint32_t region)
{
    enum otter_construct construct = kokkos->definitions->regions[region].construct;
    return is_kernel(kokkos, region) || construct == OTTER_CONSTRUCT_KOKKOS_REGION ||
           construct == OTTER_CONSTRUCT_KOKKOS_COPY || construct == OTTER_CONSTRUCT_KOKKOS_FENCE;
}

static struct otter_kokkos_frame *top(struct otter_kokkos *kokkos)
{
    return kokkos->open.n ? &kokkos->open.items[kokkos->open.n - 1] : NULL;
}

static void push(struct otter_kokkos *kokkos, uint32_t region, uint64_t time)
{
    const struct otter_kokkos_frame *around = top(kokkos);
    uint32_t path = around ? around->path : OTTER_KOKKOS_ROOT;
    if (has_path(kokkos, region)) {
        path = otter_kokkos_path(&kokkos->paths, path, region);
        if (path != OTTER_NONE) {
            kokkos->paths.items[path].n += kokkos->resumption != OTTER_KOKKOS_RESUMED;
        }
    }
    kokkos->open.items[kokkos->open.n++] =
        (struct otter_kokkos_frame){.begin = time - kokkos->paused,
                                    .region = region,
                                    .path = path,
                                    .is_outside = kokkos->n_teams == 0};
    kokkos->n_open[region]++;
    kokkos->n_open_kernels += is_kernel(kokkos, region);
    kokkos->has_launched |= is_kernel(kokkos, region);
    kokkos->entered = region;
}

void otter_kokkos_begin(struct otter_kokkos *kokkos, uint32_t region, uint64_t time)
{
    struct otter_kokkos_cost *cost = &kokkos->costs[region];
    *(kokkos->resumption == OTTER_KOKKOS_RESUMED ? &cost->n_continued : &cost->n) += 1;
    if (kokkos->open.n == MAX_DEPTH) {
        return; // it is counted, but not its time
    }
    if (!OTTER_VECTOR_RESERVE(&kokkos->open)) {
        kokkos->is_short_of_memory = true;
        return;
    }
    push(kokkos, region, time);
}

static void add_durations(struct otter_kokkos *kokkos, const struct otter_kokkos_frame *frame,
                          uint64_t duration)
{
    struct otter_kokkos_cost *cost = &kokkos->costs[frame->region];
    uint64_t launch = duration > frame->in_teams ? duration - frame->in_teams : 0;
    bool is_good = otter_quantiles_add(&cost->durations, duration) &&
                   (!frame->has_forked || otter_quantiles_add(&cost->launches, launch));
    kokkos->is_short_of_memory |= !is_good;
}

// Adds the duration of a frame just removed from the stack.
static void add_cost(struct otter_kokkos *kokkos, const struct otter_kokkos_frame *frame,
                     uint64_t time)
{
    struct otter_kokkos_cost *cost = &kokkos->costs[frame->region];
    uint64_t recorded = time - kokkos->paused;
    uint64_t duration = recorded > frame->begin ? recorded - frame->begin : 0;
    uint64_t exclusive = duration > frame->inside ? duration - frame->inside : 0;
    bool is_outermost = kokkos->n_open[frame->region] == 0;
    cost->min = cost->n_ended == 0 || duration < cost->min ? duration : cost->min;
    cost->max = duration > cost->max ? duration : cost->max;
    cost->total += is_outermost ? duration : 0;
    cost->outside += is_outermost && frame->is_outside ? duration : 0;
    cost->exclusive += exclusive;
    cost->n_ended++;
    if (is_kernel(kokkos, frame->region) && kokkos->n_open_kernels == 0) {
        kokkos->ticks_kernels += duration;
    }
    if (top(kokkos)) {
        top(kokkos)->inside += duration;
    }
    if (has_path(kokkos, frame->region)) {
        add_durations(kokkos, frame, duration);
        if (frame->path != OTTER_NONE) {
            kokkos->paths.items[frame->path].inclusive += duration;
            kokkos->paths.items[frame->path].exclusive += exclusive;
        }
    }
}

void otter_kokkos_end(struct otter_kokkos *kokkos, uint32_t region, uint64_t time)
{
    if (kokkos->n_open[region] == 0) {
        return; // its start is missing
    }
    struct otter_kokkos_frame frame;
    do { // regions inside that are still open have no end
        frame = kokkos->open.items[--kokkos->open.n];
        kokkos->n_open[frame.region]--;
        kokkos->n_open_kernels -= is_kernel(kokkos, frame.region);
    } while (frame.region != region);
    add_cost(kokkos, &frame, time);
}

// ---- the teams that kernels fork

// Returns the kernel whose team the thread is in, otherwise the innermost construct if it is a
// kernel, otherwise NULL.
static struct otter_kokkos_frame *launch(struct otter_kokkos *kokkos)
{
    struct otter_kokkos_frame *frame = top(kokkos);
    return frame && is_kernel(kokkos, frame->region) ? frame : NULL;
}

void otter_kokkos_begin_team(struct otter_kokkos *kokkos, uint64_t time)
{
    struct otter_kokkos_frame *kernel = launch(kokkos);
    kokkos->n_teams++;
    if (!kernel) {
        return;
    }
    uint64_t recorded = time - kokkos->paused;
    if (!kernel->has_forked) {
        kernel->has_forked = true;
        kokkos->costs[kernel->region].n_forked++;
        kokkos->costs[kernel->region].latency +=
            recorded > kernel->begin ? recorded - kernel->begin : 0;
    }
    if (kernel->n_teams++ == 0) {
        kernel->team_begin = recorded;
        kernel->is_new_team = true;
    }
}

static void add_parallel_region(struct otter_kokkos_cost *cost, uint32_t region)
{
    for (uint32_t i = 0; i < cost->n_regions && i < OTTER_KERNEL_LINES; i++) {
        if (cost->regions[i] == region) {
            return;
        }
    }
    if (cost->n_regions < OTTER_KERNEL_LINES) {
        cost->regions[cost->n_regions] = region;
    }
    cost->n_regions += cost->n_regions <= OTTER_KERNEL_LINES;
}

void otter_kokkos_enter_other(struct otter_kokkos *kokkos, uint32_t region)
{
    struct otter_kokkos_frame *kernel = launch(kokkos);
    if (kernel && kernel->is_new_team && region < kokkos->definitions->n_regions) {
        kernel->is_new_team = false;
        add_parallel_region(&kokkos->costs[kernel->region], region);
    }
}

void otter_kokkos_end_team(struct otter_kokkos *kokkos, uint64_t time)
{
    struct otter_kokkos_frame *kernel = launch(kokkos);
    uint64_t recorded = time - kokkos->paused;
    kokkos->n_teams -= kokkos->n_teams > 0;
    if (kernel && kernel->n_teams > 0 && --kernel->n_teams == 0) {
        kernel->in_teams += recorded > kernel->team_begin ? recorded - kernel->team_begin : 0;
    }
}
