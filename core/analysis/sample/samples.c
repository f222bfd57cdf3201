// Reads the samples of an archive, and finds what their threads did.
#include "analysis/sample/samples.h"

#include <stdlib.h>

#include "analysis/time/states.h"
#include "base/order.h"
#include "base/settings.h"
#include "trace/schema.h"

struct walk {
    const struct otter_analysis *analysis;
    uint32_t line; // of the thread whose samples are read; OTTER_NONE: unknown
    otter_sample_visitor *visit;
    void *user;
    bool is_ended;
};

// Returns the line of the thread with the kernel's number `thread`. OTTER_NONE: none, or the kernel
// reused the number.
static uint32_t find_line(const struct otter_analysis *analysis, uint64_t thread)
{
    const struct otter_timeline *timeline = &analysis->timeline;
    uint32_t found = OTTER_NONE;
    for (uint32_t i = 0; i < timeline->n_lines; i++) {
        const struct otter_location *location =
            &analysis->definitions->locations[timeline->lines[i].location];
        if (otter_location_number(location, "OTTER::TID") == thread) {
            if (found != OTTER_NONE) {
                return OTTER_NONE;
            }
            found = i;
        }
    }
    return found;
}

static struct otter_sample sample_at(const struct walk *walk, uint64_t time)
{
    const struct otter_timeline *timeline = &walk->analysis->timeline;
    struct otter_sample sample = {
        .time = time, .line = walk->line, .label = OTTER_NONE, .state = OTTER_STATE_UNRECORDED};
    if (walk->line != OTTER_NONE) {
        const struct otter_thread_line *line = &timeline->lines[walk->line];
        bool is_inside = line->intervals.n > 0 && time >= line->intervals.items[0].begin &&
                         time <= timeline->end;
        const struct otter_interval *interval =
            is_inside ? &line->intervals.items[otter_interval_at(line, time)] : NULL;
        sample.state = interval ? interval->state : OTTER_STATE_OUTSIDE;
        sample.label =
            interval && interval->state == OTTER_STATE_EXECUTING ? interval->label : OTTER_NONE;
    }
    return sample;
}

static bool pass(void *user, const struct otter_event *event)
{
    struct walk *walk = user;
    struct otter_sample at = sample_at(walk, event->time);
    walk->is_ended = !walk->visit(walk->user, event, &at);
    return !walk->is_ended;
}

enum otter_status otter_samples_visit(const struct otter_analysis *analysis,
                                      otter_sample_visitor *visit, void *user,
                                      struct otter_complaint *damage)
{
    struct walk walk = {.analysis = analysis, .visit = visit, .user = user};
    struct otter_complaint complaint;
    *damage->text = '\0';
    for (uint32_t i = 0; i < analysis->definitions->n_locations && !walk.is_ended; i++) {
        const struct otter_location *location = &analysis->definitions->locations[i];
        uint64_t thread = otter_location_number(location, OTTER_SAMPLES_OF);
        if (location->kind != OTTER_LOCATION_METRIC || thread == 0 || !analysis->source.read) {
            continue;
        }
        walk.line = find_line(analysis, thread);
        enum otter_status status =
            analysis->source.read(analysis->source.run, i, pass, &walk, &complaint);
        if (status == OTTER_NO_MEMORY) {
            return status;
        }
        if (status && *damage->text == '\0') {
            *damage = complaint;
        }
    }
    return OTTER_OK;
}

// ---- all samples

struct reading {
    struct otter_samples *samples;
    bool is_short_of_memory;
};

static bool add(void *user, const struct otter_event *event, const struct otter_sample *at)
{
    struct reading *reading = user;
    if (event->kind == OTTER_RECORD_SAMPLE) {
        struct otter_sample sample = *at;
        sample.context = event->context;
        reading->is_short_of_memory |= !OTTER_VECTOR_ADD(reading->samples, sample);
    }
    return !reading->is_short_of_memory;
}

static int compare_samples(const void *a, const void *b)
{
    const struct otter_sample *x = a, *y = b;
    return OTTER_BY_3(x, y, line, time, context);
}

double otter_sample_period(const struct otter_definitions *definitions)
{
    const char *rate = otter_definitions_property(definitions, "OTTER::SETTING::SAMPLE");
    uint64_t hertz = 0;
    bool is_known = rate && otter_settings_parse_size(rate, &hertz) && hertz > 0;
    return is_known ? 1 / (double)hertz : 0;
}

enum otter_status otter_samples_read(struct otter_samples *samples,
                                     const struct otter_analysis *analysis)
{
    struct reading reading = {.samples = samples};
    *samples = (struct otter_samples){0};
    samples->period = otter_sample_period(analysis->definitions);
    samples->n_lost = otter_definitions_number(analysis->definitions, "OTTER::SAMPLES_LOST");
    samples->n_cut = otter_definitions_number(analysis->definitions, "OTTER::SAMPLES_CUT");
    if (analysis->definitions->n_contexts > 0) {
        reading.is_short_of_memory |=
            otter_samples_visit(analysis, add, &reading, &samples->damage) != OTTER_OK;
        OTTER_SORT(samples, compare_samples);
    }
    return reading.is_short_of_memory ? OTTER_NO_MEMORY : OTTER_OK;
}

void otter_samples_finish(struct otter_samples *samples)
{
    free(samples->items);
    *samples = (struct otter_samples){0};
}

// The steps are sorted from the last to the first.
bool otter_sample_is_on_path(const struct otter_analysis *analysis,
                             const struct otter_sample *sample)
{
    const struct otter_stored_step *steps = analysis->realised.steps.items;
    uint32_t low = 0, high = analysis->realised.steps.n, n = high;
    OTTER_SEARCH(low, high, i, steps[i].begin > sample->time)
    if (low == n || steps[low].node == OTTER_NONE || sample->line == OTTER_NONE ||
        (steps[low].reason != OTTER_STEP_EXECUTED && steps[low].reason != OTTER_STEP_MPI)) {
        return false;
    }
    uint32_t location = analysis->graph->nodes[steps[low].node].location;
    return sample->time < otter_realised_step(&analysis->realised, low).end &&
           analysis->timeline.line_of[location] == sample->line;
}
