// Finds by how much single pieces of a label differ from the label's mean.
#include "analysis/sample/interval_ratios.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/time/states.h"

// The samples of an interval follow each other.
struct group {
    uint32_t end; // index after the last sample
    uint32_t n;   // while executing
    uint32_t line, interval, label;
    double mean; // of the samples' factors
    double squares;
};

struct spread {
    double n, sum;             // samples, and the sum of their factors
    double within, between;    // sums of squares around 0: of samples, of means with weight n
    double n_groups, n_square; // groups, and the sum of their squared numbers of samples
};

static uint32_t interval_of(const struct otter_analysis *analysis,
                            const struct otter_sample *sample)
{
    return otter_interval_at(&analysis->timeline.lines[sample->line], sample->time);
}

static struct group group_at(const struct otter_analysis *analysis,
                             const struct otter_samples *samples, const float *of_samples,
                             uint32_t first)
{
    const struct otter_sample *sample = &samples->items[first];
    struct group group = {.end = first + 1, .line = sample->line};
    if (isnan(of_samples[first])) {
        return group;
    }
    group.interval = interval_of(analysis, sample);
    group.label = otter_account_label(&analysis->account, sample->label);
    uint32_t i = first;
    for (; i < samples->n && samples->items[i].line == group.line && !isnan(of_samples[i]) &&
           interval_of(analysis, &samples->items[i]) == group.interval;
         i++) {
        group.mean += of_samples[i];
        group.squares += (double)of_samples[i] * of_samples[i];
    }
    group.n = i - first;
    group.end = i;
    group.mean /= group.n;
    return group;
}

static void add_group(struct spread *spread, const struct group *group)
{
    double n = group->n;
    spread->n += n;
    spread->sum += n * group->mean;
    spread->within += group->squares;
    spread->between += n * group->mean * group->mean;
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
    struct spread *spreads = calloc(analysis->account.n_labels + (size_t)1, sizeof *spreads);
    *ratios = (struct otter_interval_ratios){
        .lines = calloc(n_lines + (size_t)1, sizeof *ratios->lines), .n_lines = n_lines};
    bool is_good = spreads && ratios->lines;
    for (uint32_t i = 0; i < samples->n && is_good;) {
        struct group group = group_at(analysis, samples, of_samples, i);
        if (group.n > 0) {
            add_group(&spreads[group.label], &group);
        }
        i = group.end;
    }
    for (uint32_t i = 0; i < samples->n && is_good;) {
        struct group group = group_at(analysis, samples, of_samples, i);
        double weight = group.n > 0 ? weight_of(&spreads[group.label], group.n) : 0;
        double mean = weight > 0 ? spreads[group.label].sum / spreads[group.label].n : 0;
        // the label's factor is 1 for the share of its time that has no samples
        double share = mean != 1 ? (middle[group.label] - 1) / (mean - 1) : 0;
        double own = 1 + share * (weight * group.mean + (1 - weight) * mean - 1);
        if (weight > 0 && middle[group.label] > 0) {
            is_good = set_ratio(ratios, analysis, &group, (float)(own / middle[group.label]));
        }
        i = group.end;
    }
    free(spreads);
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
