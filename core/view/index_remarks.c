// Writes the remarks beside the pictures as JSON: memory, pauses, losses, findings, omissions.
#include <stdio.h>

#include "report/form/json.h"
#include "base/text/number.h"
#include "view/index.h"

enum { MAX_PAUSES = 1000 };

static json_t *memory(const struct otter_page *page)
{
    json_t *object = json_object(), *spaces = json_array();
    for (uint32_t i = 0; i < page->memory.n_spaces; i++) {
        const struct otter_memory_space *space = &page->memory.spaces[i];
        json_t *entry = json_object();
        otter_json_set_text(entry, "name", page->view->definitions->metrics[space->metric].space);
        otter_json_set_number(entry, "high_water", space->high_water);
        json_array_append_new(spaces, entry);
    }
    otter_json_set_number(object, "step", page->memory.step);
    otter_json_set(object, "spaces", spaces);
    return object;
}

// Returns null if the page has no samples.
static json_t *samples(const struct otter_page *page)
{
    const struct otter_page_samples *samples = &page->samples;
    if (samples->functions.n == 0) {
        return json_null();
    }
    json_t *object = json_object(), *functions = json_array();
    for (uint32_t i = 0; i < samples->functions.n; i++) {
        const char *name = otter_calls_name(&samples->all, samples->functions.items[i]);
        json_array_append_new(functions, otter_json_text(name));
    }
    otter_json_set(object, "functions", functions);
    otter_json_set_number(object, "period_ns", (uint64_t)(samples->all.all.period * 1e9 + 0.5));
    otter_json_set_number(object, "every", samples->every);
    otter_json_set_number(object, "lost", samples->all.all.n_lost);
    return object;
}

static void add_pauses(json_t *array, const struct otter_view *view, uint32_t lane)
{
    const struct otter_timeline *timeline = &view->analysis.timeline;
    const struct otter_thread_line *line = &timeline->lines[view->lanes.items[lane].line];
    for (uint32_t i = 0; i < line->intervals.n && json_array_size(array) < MAX_PAUSES; i++) {
        if (line->intervals.items[i].state == OTTER_STATE_PAUSED) {
            uint64_t pause[] = {lane, otter_view_ticks(view, line->intervals.items[i].begin),
                                otter_view_ticks(view, otter_interval_end(timeline, line, i))};
            json_array_append_new(array, otter_json_numbers(pause, 3));
        }
    }
}

static json_t *pauses(const struct otter_view *view)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < view->analysis.timeline.n_lines; i++) {
        add_pauses(array, view, i);
    }
    return array;
}

// Returns a property that is a tick of the archive; null if it is missing.
static json_t *tick(const struct otter_view *view, const char *property)
{
    const char *value = otter_archive_property(view->archive, property);
    return value ? otter_json_number(
                       otter_view_ticks(view, otter_archive_number(view->archive, property)))
                 : NULL;
}

static json_t *losses(const struct otter_view *view)
{
    json_t *object = json_object();
    otter_json_set_number(object, "events", view->analysis.n_lost);
    otter_json_set(object, "cut_off", json_boolean(view->analysis.is_cut_off));
    otter_json_set(object, "damaged", json_boolean(view->analysis.n_damaged > 0));
    otter_json_set(object, "losing", tick(view, "OTTER::LOSING"));
    otter_json_set(object, "stopped", tick(view, "OTTER::STOPPED_AT"));
    return object;
}

static json_t *markers(const struct otter_view *view)
{
    json_t *array = json_array();
    for (size_t i = 0; i < view->definitions->n_markers; i++) {
        const struct otter_marker *marker = &view->definitions->markers[i];
        json_t *object = json_object();
        otter_json_set_number(object, "time", otter_view_ticks(view, marker->time));
        otter_json_set_text(object, "group", marker->group);
        otter_json_set_text(object, "category", marker->category);
        otter_json_set_text(object, "severity", otter_severity_name(marker->severity));
        otter_json_set_text(object, "text", marker->text);
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *findings(const struct otter_page *page)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < page->view->findings.n; i++) {
        const struct otter_evidence *evidence = &page->evidence[i];
        json_t *object = json_object(), *spans = json_array();
        for (uint32_t k = 0; k < evidence->n; k++) {
            uint64_t span[] = {evidence->spans[k].lane, evidence->spans[k].begin,
                               evidence->spans[k].end};
            json_array_append_new(spans, otter_json_numbers(span, 3));
        }
        otter_json_set_number(object, "label", evidence->label);
        otter_json_set_number(object, "begin", evidence->begin);
        otter_json_set_number(object, "end", evidence->end);
        otter_json_set(object, "spans", spans);
        json_array_append_new(array, object);
    }
    return array;
}

enum { MAX_LEFT_OUT = 480 };

// Writes sentences for the user about what is not in the file, or "".
static void print_left_out(const struct otter_page *page, bool is_complete, char text[MAX_LEFT_OUT])
{
    const struct otter_detail *detail = &page->detail;
    char number[OTTER_MAX_NUMBER], tasks[OTTER_MAX_NUMBER], duration[OTTER_MAX_NUMBER];
    int n = 0;
    *text = '\0';
    if (!is_complete) {
        n = snprintf(
            text, MAX_LEFT_OUT,
            "%s slices shorter than %s and %s tasks are not in this file, though all sums include "
            "them. 'otter view --size=N' makes a larger file, --from and --to show a part in full.",
            otter_number_text(detail->n_slices, number),
            otter_duration_text((double)detail->threshold * page->view->analysis.tick, duration),
            otter_number_text(detail->n_tasks, tasks));
    }
    if (page->view->events.n_too_deep > 0) {
        snprintf(text + n, MAX_LEFT_OUT - (size_t)n,
                 "%sThe timeline lacks %s constructs nested in %d or more others.",
                 n > 0 ? " " : "", otter_number_text(page->view->events.n_too_deep, number),
                 OTTER_MAX_BARS);
    }
}

static json_t *left_out(const struct otter_page *page)
{
    const struct otter_detail *detail = &page->detail;
    bool is_complete = detail->n_slices == 0 && detail->n_tasks == 0 && detail->n_edges == 0;
    char text[MAX_LEFT_OUT];
    print_left_out(page, is_complete, text);
    json_t *object = json_object();
    otter_json_set(object, "is_complete", json_boolean(is_complete));
    otter_json_set_number(object, "slices", detail->n_slices);
    otter_json_set_number(object, "tasks", detail->n_tasks);
    otter_json_set_number(object, "edges", detail->n_edges);
    otter_json_set_number(object, "threshold", detail->threshold);
    otter_json_set(object, "has_paths", json_boolean(detail->has_paths));
    otter_json_set_number(object, "bars", page->view->events.n_too_deep);
    otter_json_set_text(object, "text", text);
    return object;
}

void otter_index_set_remarks(json_t *root, const struct otter_page *page)
{
    otter_json_set(root, "memory", memory(page));
    otter_json_set(root, "samples", samples(page));
    otter_json_set_number(root, "shortest_off", page->shortest_off);
    otter_json_set(root, "pauses", pauses(page->view));
    otter_json_set(root, "losses", losses(page->view));
    otter_json_set(root, "markers", markers(page->view));
    otter_json_set(root, "findings", findings(page));
    otter_json_set(root, "left_out", left_out(page));
}
