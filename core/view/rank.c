// Ranks slices: first the window, then the paths, then evidence, then the others by duration.
#include "view/rank.h"

#include <stdlib.h>

#include "base/order.h"

enum { CLASS_OTHER = 0, CLASS_EVIDENCE, CLASS_PATH, CLASS_WINDOW };

static uint32_t number_of_duration(uint64_t ticks)
{
    if (ticks < 8) {
        return (uint32_t)ticks;
    }
    uint32_t top = 63 - (uint32_t)__builtin_clzll(ticks);
    return (top - 2) * 8 + ((uint32_t)(ticks >> (top - 3)) & 7);
}

uint64_t otter_rank_duration(uint32_t rank)
{
    uint32_t number = (rank + OTTER_N_PARTS - 1) / OTTER_N_PARTS;
    return number < 8 ? number : (uint64_t)(8 + (number & 7)) << ((number >> 3) - 1);
}

static void mark_paths(struct otter_ranking *ranking)
{
    const struct otter_analysis *analysis = &ranking->view->analysis;
    for (uint32_t i = 0; i < analysis->span.n_path; i++) {
        ranking->is_on_path[analysis->span.path[i]] = true;
    }
    for (uint32_t i = 0; i < analysis->realised.steps.n; i++) {
        uint32_t node = analysis->realised.steps.items[i].node;
        if (node != OTTER_NONE) {
            ranking->is_on_path[node] = true;
        }
    }
}

static int compare_spans(const void *a, const void *b)
{
    const struct otter_lane_span *x = a, *y = b;
    return OTTER_BY_2(x, y, lane, begin);
}

static void gather_spans(struct otter_ranking *ranking, const struct otter_evidence *evidence)
{
    uint32_t n = 0, n_merged = 0;
    struct otter_lane_span *spans = ranking->spans;
    for (uint32_t i = 0; i < ranking->view->findings.n; i++) {
        for (uint32_t k = 0; k < evidence[i].n; k++) {
            spans[n++] = evidence[i].spans[k];
        }
    }
    qsort(spans, n, sizeof *spans, compare_spans);
    for (uint32_t i = 0; i < n; i++) {
        struct otter_lane_span *last = n_merged ? &spans[n_merged - 1] : NULL;
        if (last && last->lane == spans[i].lane && last->end >= spans[i].begin) {
            last->end = spans[i].end > last->end ? spans[i].end : last->end;
        } else {
            spans[n_merged++] = spans[i];
        }
    }
    ranking->n_spans = n_merged;
}

void otter_ranking_init(struct otter_ranking *ranking, const struct otter_view *view,
                        const struct otter_evidence *evidence)
{
    *ranking = (struct otter_ranking){.view = view};
    ranking->is_on_path = calloc(view->analysis.graph->n_nodes + 1, sizeof *ranking->is_on_path);
    ranking->spans =
        malloc(((size_t)view->findings.n * OTTER_MAX_SPANS + 1) * sizeof *ranking->spans);
    mark_paths(ranking);
    gather_spans(ranking, evidence);
}

void otter_ranking_finish(struct otter_ranking *ranking)
{
    free(ranking->is_on_path);
    free(ranking->spans);
    *ranking = (struct otter_ranking){0};
}

static bool is_evidence(const struct otter_ranking *ranking, const struct otter_slice *slice)
{
    uint32_t low = 0, high = ranking->n_spans;
    // the first span that begins after the slice
    OTTER_SEARCH(low, high, middle,
                 ranking->spans[middle].lane < slice->lane ||
                     (ranking->spans[middle].lane == slice->lane &&
                      ranking->spans[middle].begin < slice->end))
    const struct otter_lane_span *last = low > 0 ? &ranking->spans[low - 1] : NULL;
    return last && last->lane == slice->lane && last->end > slice->begin;
}

uint16_t otter_slice_rank(const struct otter_ranking *ranking, const struct otter_slice *slice)
{
    unsigned class = CLASS_OTHER;
    if (ranking->has_window && slice->begin < ranking->end && slice->end > ranking->begin) {
        class = CLASS_WINDOW;
    } else if (slice->node != OTTER_NONE && ranking->is_on_path[slice->node]) {
        class = CLASS_PATH;
    } else if (is_evidence(ranking, slice)) {
        class = CLASS_EVIDENCE;
    }
    double length = (double)(ranking->view->end - ranking->view->begin);
    uint32_t part = (uint32_t)((double)slice->begin / length * OTTER_N_PARTS);
    uint32_t duration = number_of_duration(slice->end - slice->begin);
    return (uint16_t)((class * OTTER_N_DURATIONS + duration) * OTTER_N_PARTS + OTTER_N_PARTS - 1 -
                      (part < OTTER_N_PARTS ? part : OTTER_N_PARTS - 1));
}
