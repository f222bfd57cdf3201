// Adds up counted events by label.
#include "analysis/sample/counts.h"

#include <stdlib.h>
#include <string.h>

#include "base/free.h"

struct walk {
    struct otter_counts *counts;
    const struct otter_definitions *definitions;
    const struct otter_account *account;
    uint32_t location;
    uint64_t before[OTTER_MAX_COUNTERS]; // the last values of the location
};

unsigned otter_counts_find(const struct otter_counts *counts, const char *name)
{
    unsigned i = 0;
    while (i < counts->n && strcmp(counts->names[i], name) != 0) {
        i++;
    }
    return i;
}

static bool is_in_list(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (; list && *list; list += *list == ',') {
        size_t n = strcspn(list, ",");
        if (n == length && memcmp(list, name, n) == 0) {
            return true;
        }
        list += n;
    }
    return false;
}

// Lists the metrics that the recording names as its counters. Other tools may have added further
// metrics.
static void find_names(struct otter_counts *counts, const struct otter_definitions *definitions)
{
    const char *list = otter_definitions_property(definitions, "OTTER::SETTING::COUNTERS");
    for (size_t i = 0; i < definitions->n_metrics && counts->n < OTTER_MAX_COUNTERS; i++) {
        const struct otter_metric *metric = &definitions->metrics[i];
        if (metric->n_values == 1 && is_in_list(list, metric->name) &&
            otter_counts_find(counts, metric->name) == counts->n) {
            counts->names[counts->n++] = metric->name;
        }
    }
}

// Values of a location never fall, unless the location is damaged.
static void add_count(struct walk *walk, const struct otter_event *event, uint32_t label)
{
    struct otter_counts *counts = walk->counts;
    uint32_t definition = event->metric.definition;
    if (event->metric.n_values != 1 || definition >= walk->definitions->n_metrics) {
        return;
    }
    unsigned i = otter_counts_find(counts, walk->definitions->metrics[definition].name);
    if (i == counts->n) {
        return;
    }
    uint64_t value = event->metric.values[0];
    uint64_t n = value > walk->before[i] ? value - walk->before[i] : 0;
    walk->before[i] = value;
    if (label != OTTER_NONE) {
        counts->of_labels[(size_t)i * counts->n_labels + label] += n;
    }
}

static bool add(void *user, const struct otter_event *event, const struct otter_sample *at)
{
    uint32_t label = OTTER_NONE;
    struct walk *walk = user;
    if (event->location != walk->location) {
        walk->location = event->location;
        memset(walk->before, 0, sizeof walk->before);
    }
    if (at->state == OTTER_STATE_EXECUTING) {
        label = otter_account_label(walk->account, at->label);
    }
    if (event->kind == OTTER_RECORD_METRIC) {
        add_count(walk, event, label);
    } else if (event->kind == OTTER_RECORD_SAMPLE && label != OTTER_NONE) {
        walk->counts->n_samples[label]++;
    } else if (event->kind == OTTER_RECORD_SAMPLE && at->line == OTTER_NONE) {
        walk->counts->n_unplaced++;
    }
    return true;
}

enum otter_status otter_counts_read(struct otter_counts *counts,
                                    const struct otter_analysis *analysis)
{
    struct otter_complaint damage; // the table of functions reports it
    struct walk walk = {.counts = counts,
                        .definitions = analysis->definitions,
                        .account = &analysis->account,
                        .location = OTTER_NONE};
    *counts = (struct otter_counts){.n_labels = analysis->account.n_labels,
                                    .period = otter_sample_period(analysis->definitions)};
    find_names(counts, analysis->definitions);
    if (counts->n == 0) {
        return OTTER_OK;
    }
    counts->of_labels = calloc((size_t)counts->n * counts->n_labels, sizeof *counts->of_labels);
    counts->n_samples = calloc(counts->n_labels, sizeof *counts->n_samples);
    if (!counts->of_labels || !counts->n_samples) {
        return OTTER_NO_MEMORY;
    }
    enum otter_status status = otter_samples_visit(analysis, add, &walk, &damage);
    counts->is_complete =
        *damage.text == '\0' &&
        otter_definitions_number(analysis->definitions, "OTTER::SAMPLES_LOST") == 0;
    return status;
}

void otter_counts_finish(struct otter_counts *counts)
{
    OTTER_FREE(counts->of_labels, counts->n_samples);
    *counts = (struct otter_counts){0};
}
