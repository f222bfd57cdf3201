// Labels the code between MPI calls.
#include "analysis/time/between.h"

#include <stdio.h>

#include "base/order.h"
#include "trace/schema.h"

// Intervals of a thread between two calls, without the intervals of the calls.
struct gap {
    uint32_t first, end;
    struct otter_between calls;
};

static bool is_call(const struct otter_timeline *timeline, const struct otter_interval *interval)
{
    return otter_construct_is_mpi(
        otter_definitions_construct(timeline->definitions, interval->region));
}

static bool is_code(const struct otter_interval *interval)
{
    return interval->state == OTTER_STATE_EXECUTING && interval->label == OTTER_INTERVAL_NO_LABEL;
}

// Moves to the next gap with unlabelled code. Before the first call, all members of `gap` except
// `after` must be zero.
static bool next_gap(const struct otter_timeline *timeline, const struct otter_thread_line *line,
                     struct gap *gap)
{
    bool has_code = false;
    while (!has_code && gap->end < line->intervals.n) {
        uint32_t i = gap->end;
        if (is_call(timeline, &line->intervals.items[i])) {
            gap->calls.after = line->intervals.items[i++].region;
        }
        gap->first = i;
        while (i < line->intervals.n && !is_call(timeline, &line->intervals.items[i])) {
            has_code |= is_code(&line->intervals.items[i++]);
        }
        gap->end = i;
        gap->calls.before = i < line->intervals.n ? line->intervals.items[i].region : OTTER_NONE;
        has_code &= gap->calls.after != OTTER_NONE || gap->calls.before != OTTER_NONE;
    }
    return has_code;
}

static int compare(const void *a, const void *b)
{
    const struct otter_between *x = a, *y = b;
    return OTTER_BY_2(x, y, after, before);
}

// Lists the pair of each gap.
static enum otter_status list(struct otter_timeline *timeline)
{
    for (uint32_t i = 0; i < timeline->n_lines; i++) {
        struct gap gap = {.calls.after = OTTER_NONE};
        while (next_gap(timeline, &timeline->lines[i], &gap)) {
            if (!OTTER_VECTOR_ADD(&timeline->betweens, gap.calls)) {
                return OTTER_NO_MEMORY;
            }
        }
    }
    return OTTER_OK;
}

static void sort(struct otter_betweens *betweens)
{
    uint32_t n = 0;
    OTTER_SORT(betweens, compare);
    for (uint32_t i = 0; i < betweens->n; i++) {
        if (n == 0 || compare(&betweens->items[n - 1], &betweens->items[i]) != 0) {
            betweens->items[n++] = betweens->items[i];
        }
    }
    betweens->n = n;
}

static void label_gap(const struct otter_timeline *timeline, const struct gap *gap,
                      struct otter_thread_line *line)
{
    uint32_t label = (uint32_t)timeline->definitions->n_regions +
                     OTTER_SORTED_BEFORE(&timeline->betweens, &gap->calls, compare);
    for (uint32_t i = gap->first; i < gap->end; i++) {
        struct otter_interval *interval = &line->intervals.items[i];
        if (is_code(interval)) {
            interval->label = label & OTTER_INTERVAL_NO_LABEL;
        }
    }
}

enum otter_status otter_betweens_find(struct otter_timeline *timeline)
{
    enum otter_status status = list(timeline);
    sort(&timeline->betweens);
    if (timeline->definitions->n_regions + timeline->betweens.n >= OTTER_INTERVAL_NO_LABEL) {
        timeline->betweens.n = 0; // more than an interval can refer to
    }
    for (uint32_t i = 0; i < timeline->n_lines && timeline->betweens.n > 0 && !status; i++) {
        struct gap gap = {.calls.after = OTTER_NONE};
        while (next_gap(timeline, &timeline->lines[i], &gap)) {
            label_gap(timeline, &gap, &timeline->lines[i]);
        }
    }
    return status;
}

enum otter_status otter_betweens_name(const struct otter_timeline *timeline,
                                      struct otter_labels *labels)
{
    enum { MAX_NAME = 200 };
    char what[MAX_NAME], where[MAX_NAME];
    enum otter_status status = OTTER_OK;
    for (uint32_t i = 0; i < timeline->betweens.n && !status; i++) {
        const struct otter_between *calls = &timeline->betweens.items[i];
        bool is_first = calls->after == OTTER_NONE, is_last = calls->before == OTTER_NONE;
        snprintf(what, sizeof what, "%s%s", is_first ? "" : "from ",
                 is_first ? "" : otter_label_of(labels, calls->after)->what);
        snprintf(where, sizeof where, "%s%s", is_last ? "" : "to ",
                 is_last ? "" : otter_label_of(labels, calls->before)->what);
        status = otter_labels_add(labels, what, where);
    }
    return status;
}
