// Measures how long the runtime takes before each piece that could begin.
#include "analysis/path/latencies.h"

#include <stdlib.h>

#include "analysis/time/states.h"
#include "base/free.h"
#include "base/order.h"

struct mean {
    uint64_t sum, n; // of short latencies
    uint64_t least, n_all;
};

// A long latency that is_disturbed, until set_means.
#define DISTURBED UINT32_MAX

// A time in which some thread could have run, but had no processor.
struct disturbance {
    uint64_t begin, end;
    uint64_t before; // ticks of all earlier ones
};

struct disturbances {
    OTTER_VECTOR(struct disturbance); // in order, without overlap
};

struct measuring {
    struct otter_latencies *latencies;
    const struct otter_graph *graph;
    const struct otter_ready *ready;
    const struct otter_thread_line *line; // of the current thread; NULL: preemption is included
    struct mean *means;                   // one for each region and kind
    struct disturbances disturbances;     // empty if preemption counts
};

static int by_begin(const void *a, const void *b)
{
    const struct disturbance *x = a, *y = b;
    return OTTER_BY_2(x, y, begin, end);
}

static bool gather(struct disturbances *all, const struct otter_timeline *timeline)
{
    for (uint32_t i = 0; i < timeline->n_lines; i++) {
        const struct otter_thread_line *line = &timeline->lines[i];
        for (uint32_t k = 0; k < line->off.n; k++) {
            struct disturbance off = {.begin = line->off.items[k].begin,
                                      .end = line->off.items[k].end};
            if (line->off.items[k].is_preempted && !OTTER_VECTOR_ADD(all, off)) {
                return false;
            }
        }
    }
    return true;
}

static bool find_disturbances(struct disturbances *all, const struct otter_timeline *timeline)
{
    if (!gather(all, timeline)) {
        return false;
    }
    OTTER_SORT(all, by_begin);
    uint32_t n = 0;
    for (uint32_t i = 0; i < all->n; i++) {
        struct disturbance next = all->items[i], *last = n > 0 ? &all->items[n - 1] : NULL;
        if (last && next.begin <= last->end) {
            last->end = next.end > last->end ? next.end : last->end;
        } else {
            next.before = last ? last->before + (last->end - last->begin) : 0;
            all->items[n++] = next;
        }
    }
    all->n = n;
    return true;
}

// Returns the ticks before `time` in which some thread had no processor.
static uint64_t disturbed_before(const struct disturbances *all, uint64_t time)
{
    uint32_t low = 0, high = all->n;
    OTTER_SEARCH(low, high, middle, all->items[middle].begin < time)
    const struct disturbance *last = low > 0 ? &all->items[low - 1] : NULL;
    uint64_t end = last && last->end < time ? last->end : time;
    return last ? last->before + (end - last->begin) : 0;
}

// Returns whether some thread had no processor for half of the time or more.
static bool is_disturbed(const struct disturbances *all, uint64_t begin, uint64_t end)
{
    uint64_t ticks = disturbed_before(all, end) - disturbed_before(all, begin);
    return ticks > 0 && ticks >= (end - begin) / 2;
}

static uint64_t most_of(uint64_t resolution)
{
    uint64_t most = resolution / OTTER_MAX_COST;
    return most > 0 && most < UINT32_MAX ? most : UINT32_MAX;
}

static bool is_wait(const struct otter_graph *graph, uint32_t node)
{
    enum otter_construct construct =
        otter_definitions_construct(graph->definitions, graph->nodes[node].region);
    return graph->nodes[node].kind == OTTER_NODE_SYNC && construct >= OTTER_CONSTRUCT_BARRIER &&
           construct <= OTTER_CONSTRUCT_TASKGROUP;
}

// `before`: the previous piece of the same thread, or OTTER_NONE.
static enum otter_latency_kind kind_of(const struct measuring *measuring, uint32_t before,
                                       uint32_t node)
{
    const struct otter_graph *graph = measuring->graph;
    const struct otter_node *at = &graph->nodes[node];
    const struct otter_graph_task *task = &graph->tasks[at->task];
    uint32_t last = measuring->ready->last[node];
    if (otter_node_begins_task(graph, node)) {
        return OTTER_LATENCY_BEGIN;
    }
    if (last == OTTER_NONE || at->kind != OTTER_NODE_FRAGMENT) {
        return OTTER_LATENCY_NONE;
    }
    if (task->first_node == node) {
        return task->kind == OTTER_TASK_KIND_IMPLICIT ? OTTER_LATENCY_FORK : OTTER_LATENCY_NONE;
    }
    if (is_wait(graph, last)) {
        return OTTER_LATENCY_JOIN;
    }
    if (graph->nodes[last].kind == OTTER_NODE_END) {
        return OTTER_LATENCY_END;
    }
    bool is_same = before == last && graph->nodes[before].end == at->start;
    bool is_own = otter_node_is_piece(&graph->nodes[last]) && graph->nodes[last].task == at->task;
    return task->kind == OTTER_TASK_KIND_EXPLICIT && is_own && !is_same ? OTTER_LATENCY_CONTINUE
                                                                        : OTTER_LATENCY_NONE;
}

static struct mean *mean_of(const struct measuring *measuring, uint32_t node)
{
    const struct otter_graph *graph = measuring->graph;
    enum otter_latency_kind kind = measuring->latencies->kinds[node];
    bool is_after = kind == OTTER_LATENCY_JOIN || kind == OTTER_LATENCY_END;
    uint32_t region = graph->nodes[is_after ? measuring->ready->last[node] : node].region;
    uint32_t n = graph->definitions->n_regions;
    return &measuring->means[(region < n ? region : n) * (size_t)OTTER_N_LATENCY_KINDS + kind];
}

static void measure(struct measuring *measuring, uint32_t before, uint32_t node)
{
    const struct otter_node *nodes = measuring->graph->nodes;
    struct otter_latencies *latencies = measuring->latencies;
    enum otter_latency_kind kind = kind_of(measuring, before, node);
    uint64_t from = measuring->ready->times[node];
    from = before != OTTER_NONE && nodes[before].end > from ? nodes[before].end : from;
    uint64_t ticks = nodes[node].start > from ? nodes[node].start - from : 0;
    ticks -= measuring->line ? otter_ticks_preempted(measuring->line, from, from + ticks) : 0;
    latencies->kinds[node] = (unsigned char)kind;
    latencies->ticks[node] = ticks < DISTURBED ? (uint32_t)ticks : DISTURBED - 1;
    if (kind == OTTER_LATENCY_NONE) {
        latencies->ticks[node] = 0;
        return;
    }
    struct mean *mean = mean_of(measuring, node);
    mean->least = mean->n_all++ == 0 || ticks < mean->least ? ticks : mean->least;
    if (ticks <= latencies->most) {
        mean->sum += ticks;
        mean->n++;
    } else if (is_disturbed(&measuring->disturbances, from, nodes[node].start)) {
        latencies->ticks[node] = DISTURBED;
    }
}

static void set_means(struct measuring *measuring)
{
    struct otter_latencies *latencies = measuring->latencies;
    for (uint32_t i = 0; i < measuring->graph->n_nodes; i++) {
        enum otter_latency_kind kind = latencies->kinds[i];
        bool is_disturbed = latencies->ticks[i] == DISTURBED;
        if (kind != OTTER_LATENCY_NONE &&
            (latencies->ticks[i] <= latencies->most || is_disturbed)) {
            const struct mean *mean = mean_of(measuring, i);
            uint64_t ticks = mean->n > 0 ? mean->sum / mean->n : mean->least;
            latencies->ticks[i] = ticks < DISTURBED ? (uint32_t)ticks : DISTURBED;
        }
        bool is_taking = kind == OTTER_LATENCY_BEGIN || kind == OTTER_LATENCY_CONTINUE;
        latencies->taking += is_taking ? latencies->ticks[i] : 0;
    }
}

enum otter_status otter_latencies_init(struct otter_latencies *latencies,
                                       const struct otter_graph *graph,
                                       const struct otter_pieces *pieces,
                                       const struct otter_ready *ready,
                                       const struct otter_timeline *timeline)
{
    size_t n = graph->n_nodes + (size_t)1, n_regions = graph->definitions->n_regions + (size_t)1;
    *latencies = (struct otter_latencies){.ticks = calloc(n, sizeof *latencies->ticks),
                                          .kinds = calloc(n, 1)};
    struct measuring measuring = {
        .latencies = latencies,
        .graph = graph,
        .ready = ready,
        .means = calloc(n_regions * OTTER_N_LATENCY_KINDS, sizeof *measuring.means)};
    latencies->most = most_of(graph->definitions->clock.resolution);
    if (!latencies->ticks || !latencies->kinds || !measuring.means ||
        (timeline && !find_disturbances(&measuring.disturbances, timeline))) {
        OTTER_FREE(measuring.means, measuring.disturbances.items);
        otter_latencies_finish(latencies);
        return OTTER_NO_MEMORY;
    }
    for (uint32_t i = 0; i < pieces->n_lines; i++) {
        const struct otter_thread_pieces *line = &pieces->lines[i];
        measuring.line = timeline ? &timeline->lines[i] : NULL;
        for (uint32_t k = 0; k < line->n; k++) {
            measure(&measuring, k > 0 ? line->nodes[k - 1] : OTTER_NONE, line->nodes[k]);
        }
    }
    set_means(&measuring);
    OTTER_FREE(measuring.means, measuring.disturbances.items);
    return OTTER_OK;
}

void otter_latencies_finish(struct otter_latencies *latencies)
{
    free(latencies->ticks);
    free(latencies->kinds);
    *latencies = (struct otter_latencies){0};
}
