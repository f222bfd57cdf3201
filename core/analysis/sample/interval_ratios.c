// Finds by how much single intervals of a label differ from the label's mean.
#include "analysis/sample/interval_ratios.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/time/states.h"
#include "base/free.h"

// The samples of an interval, while executing.
struct group {
    uint32_t line, interval, label;
    uint32_t n;
    double sum, squares; // of the samples' factors
};

struct groups {
    OTTER_VECTOR(struct group);
};

struct spread {
    double n, sum;             // samples, and the sum of their factors
    double within, between;    // sums of squares around 0: of samples, of means with weight n
    double n_groups, n_square; // groups, and the sum of their squared numbers of samples
};

// The samples of an interval follow each other. Returns false if out of memory.
static bool add_sample(struct groups *groups, const struct otter_analysis *analysis,
                       const struct otter_sample *sample, double factor)
{
    uint32_t interval = otter_interval_at(&analysis->timeline.lines[sample->line], sample->time);
    struct group *group = groups->n > 0 ? &groups->items[groups->n - 1] : NULL;
    if (!group || group->line != sample->line || group->interval != interval) {
        if (!OTTER_VECTOR_RESERVE(groups)) {
            return false;
        }
        group = &groups->items[groups->n++];
        *group = (struct group){.line = sample->line,
                                .interval = interval,
                                .label = otter_account_label(&analysis->account, sample->label)};
    }
    group->n++;
    group->sum += factor;
    group->squares += factor * factor;
    return true;
}

static void add_group(struct spread *spread, const struct group *group)
{
    double n = group->n;
    spread->n += n;
    spread->sum += group->sum;
    spread->within += group->squares;
    spread->between += group->sum * group->sum / n;
    spread->n_groups++;
    spread->n_square += n * n;
}

// Returns the weight of a group's own mean: the variance between groups, as a share of that and the
// error of the group's mean (analysis of variance, random effects). 0 if chance explains the
// variance between groups.
static double weight_of(const struct spread *spread, double n)
{
    enum { MIN_FREE = 4 }; // degrees of freedom, for an estimate of the variance within groups
    double free_within = spread->n - spread->n_groups, free_between = spread->n_groups - 1;
    if (free_within < MIN_FREE || free_between < 1) {
        return 0;
    }
    double within = fmax(spread->within - spread->between, 0) / free_within;
    double all = spread->between - spread->sum * spread->sum / spread->n;
    double chance = within * (free_between + 2 * sqrt(2 * free_between)); // 95 %
    double between = (all - free_between * within) / (spread->n - spread->n_square / spread->n);
    return all > chance && between > 0 ? between / (between + within / n) : 0;
}

// Returns the ratio of the group's factor to that of its label, `middle`.
static double ratio_of(const struct group *group, const struct spread *spread, double middle)
{
    double weight = weight_of(spread, group->n), mean = spread->sum / spread->n;
    if (weight <= 0 || middle <= 0) {
        return 1;
    }
    // the label's factor is 1 for the share of its time that has no samples
    double share = mean != 1 ? (middle - 1) / (mean - 1) : 0;
    double own = weight * group->sum / group->n + (1 - weight) * mean;
    return (1 + share * (own - 1)) / middle;
}

static bool set_ratio(struct otter_interval_ratios *ratios, const struct otter_analysis *analysis,
                      const struct group *group, float ratio)
{
    float **line = &ratios->lines[group->line];
    uint32_t n = analysis->timeline.lines[group->line].intervals.n;
    if (!*line) {
        *line = malloc(n * sizeof **line);
        for (uint32_t i = 0; i < n && *line; i++) {
            (*line)[i] = 1;
        }
    }
    if (*line) {
        (*line)[group->interval] = ratio;
    }
    return *line != NULL;
}

enum otter_status otter_interval_ratios_init(struct otter_interval_ratios *ratios,
                                             const struct otter_analysis *analysis,
                                             const struct otter_samples *samples,
                                             const float *of_samples, const double *middle)
{
    uint32_t n_lines = analysis->timeline.n_lines;
    struct groups groups = {.n = 0};
    struct spread *spreads = calloc(analysis->account.n_labels + (size_t)1, sizeof *spreads);
    *ratios = (struct otter_interval_ratios){
        .lines = calloc(n_lines + (size_t)1, sizeof *ratios->lines), .n_lines = n_lines};
    bool is_good = spreads && ratios->lines;
    for (uint32_t i = 0; i < samples->n && is_good; i++) {
        is_good = isnan(of_samples[i]) ||
                  add_sample(&groups, analysis, &samples->items[i], of_samples[i]);
    }
    for (uint32_t i = 0; i < groups.n && is_good; i++) {
        add_group(&spreads[groups.items[i].label], &groups.items[i]);
    }
    for (uint32_t i = 0; i < groups.n && is_good; i++) {
        const struct group *group = &groups.items[i];
        double ratio = ratio_of(group, &spreads[group->label], middle[group->label]);
        is_good = ratio == 1 || set_ratio(ratios, analysis, group, (float)ratio);
    }
    OTTER_FREE(spreads, groups.items);
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}

void otter_interval_ratios_finish(struct otter_interval_ratios *ratios)
{
    for (uint32_t i = 0; ratios->lines && i < ratios->n_lines; i++) {
        free(ratios->lines[i]);
    }
    free(ratios->lines);
    *ratios = (struct otter_interval_ratios){0};
}
