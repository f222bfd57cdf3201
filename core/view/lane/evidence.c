// Finds for each finding the slices to look at.
#include "view/lane/evidence.h"

#include <stdlib.h>

#include "base/free.h"
#include "base/order.h"

// The slices that a finding is about.
struct rule {
    enum otter_state state;
    bool has_region; // the finding's region is the label or the construct of the slice
    bool is_typical; // shows spans from the middle of the matches, not the longest ones
};

static struct rule rule_of(const struct otter_finding *finding)
{
    const struct otter_finding_facts *facts = otter_finding_facts_of(finding->kind);
    return (struct rule){facts->state, facts->is_of_region && finding->region != OTTER_NONE,
                         facts->is_typical};
}

struct search {
    const struct otter_view *view;
    struct rule *rules;              // one for each finding
    struct otter_evidence *evidence; // one for each finding
    uint64_t *n_matches;             // one for each finding, counted in the first pass
    // one for each finding: the number of matches so far, in the second pass
    uint64_t *at;
    uint32_t *shortest; // one for each finding: the shortest of its spans
    bool is_second;
};

static bool matches(const struct otter_finding *finding, struct rule rule,
                    const struct otter_slice *slice)
{
    return slice->row == 0 && slice->state == rule.state &&
           (!rule.has_region || slice->label == finding->region ||
            slice->construct == finding->region);
}

static uint64_t duration(const struct otter_lane_span *span)
{
    return span->end - span->begin;
}

static uint32_t shortest_of(const struct otter_evidence *evidence)
{
    const struct otter_lane_span *spans = evidence->spans;
    uint32_t shortest = 0;
    for (uint32_t i = 1; i < evidence->n; i++) {
        shortest = duration(&spans[i]) < duration(&spans[shortest]) ? i : shortest;
    }
    return shortest;
}

// A full list replaces its shortest span by a longer one.
static void add_span(struct otter_evidence *evidence, uint32_t *shortest,
                     const struct otter_slice *slice)
{
    struct otter_lane_span span = {slice->lane, slice->begin, slice->end};
    if (evidence->n < OTTER_MAX_SPANS) {
        evidence->spans[evidence->n++] = span;
    } else if (duration(&span) > duration(&evidence->spans[*shortest])) {
        evidence->spans[*shortest] = span;
    } else {
        return;
    }
    *shortest = shortest_of(evidence);
}

static void look_at(void *user, const struct otter_slice *slice)
{
    struct search *search = user;
    for (uint32_t i = 0; i < search->view->findings.n; i++) {
        const struct otter_finding *finding = &search->view->findings.items[i];
        struct rule rule = search->rules[i];
        if (!matches(finding, rule, slice)) {
            continue;
        }
        if (!search->is_second) {
            search->n_matches[i]++;
            continue;
        }
        uint64_t at = search->at[i]++, middle = search->n_matches[i] / 2;
        bool is_typical = at >= middle && at < middle + OTTER_MAX_SPANS;
        if (!rule.is_typical || is_typical) {
            add_span(&search->evidence[i], &search->shortest[i], slice);
        }
    }
}

static int compare(const void *a, const void *b)
{
    const struct otter_lane_span *x = a, *y = b;
    return OTTER_BY_2(x, y, lane, begin);
}

// Sets the time to show. It covers the longest span with a margin; for typical spans, all spans on
// the first lane.
static void conclude(const struct search *search, uint32_t index)
{
    const struct otter_view *view = search->view;
    const struct otter_finding *finding = &view->findings.items[index];
    struct otter_evidence *evidence = &search->evidence[index];
    uint64_t length = view->end - view->begin;
    evidence->label = otter_view_label(view, finding->region);
    evidence->end = length;
    if (evidence->n == 0) {
        return;
    }
    qsort(evidence->spans, evidence->n, sizeof *evidence->spans, compare);
    struct otter_lane_span shown = evidence->spans[0];
    bool is_typical = search->rules[index].is_typical;
    for (uint32_t i = 1; i < evidence->n; i++) {
        const struct otter_lane_span *span = &evidence->spans[i];
        if (is_typical && span->lane == shown.lane) {
            shown.end = span->end;
        } else if (!is_typical && duration(span) > duration(&shown)) {
            shown = *span;
        }
    }
    uint64_t around = duration(&shown) / 2;
    evidence->begin = shown.begin > around ? shown.begin - around : 0;
    evidence->end = shown.end + around < length ? shown.end + around : length;
}

// Findings on a region that has no slices of its own get the slices of all regions.
static void relax_rules(struct search *search)
{
    for (uint32_t i = 0; i < search->view->findings.n; i++) {
        bool has_matches = search->n_matches[i] > 0;
        search->rules[i].has_region &= has_matches;
        search->rules[i].is_typical &= has_matches;
    }
}

struct otter_evidence *otter_evidence_create(const struct otter_view *view)
{
    uint32_t n = view->findings.n;
    struct search search = {.view = view,
                            .rules = calloc(n + 1, sizeof *search.rules),
                            .evidence = calloc(n + 1, sizeof *search.evidence),
                            .n_matches = calloc(n + 1, sizeof *search.n_matches),
                            .at = calloc(n + 1, sizeof *search.at),
                            .shortest = calloc(n + 1, sizeof *search.shortest)};
    for (uint32_t i = 0; i < n; i++) {
        search.rules[i] = rule_of(&view->findings.items[i]);
    }
    otter_slices_each(view, look_at, &search);
    relax_rules(&search);
    search.is_second = true;
    otter_slices_each(view, look_at, &search);
    for (uint32_t i = 0; i < n; i++) {
        conclude(&search, i);
    }
    OTTER_FREE(search.rules, search.n_matches, search.at, search.shortest);
    return search.evidence;
}
