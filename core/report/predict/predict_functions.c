// Applies changes of functions to the labels in which the functions have samples.
#include <stdlib.h>

#include "analysis/sample/functions.h"
#include "report/form/analysis.h"
#include "report/predict/predict_labels.h"

static const double MIN_PATH_SHARE = 0.2; // of the samples on the critical path

// Returns whether the function has source lines, and executes at least half of its time itself
// rather than in the functions that it calls. `function` is compared by its address, as all uses
// share their texts.
static bool may_be_changed(const struct otter_functions *functions, const char *function)
{
    uint64_t n_self = 0, n_total = 0;
    bool has_lines = false;
    for (uint32_t i = 0; i < functions->uses.n; i++) {
        const struct otter_function_use *use = &functions->uses.items[i];
        if (use->function == function && use->state == OTTER_STATE_EXECUTING) {
            n_self += use->n_self;
            n_total += use->n_total;
            has_lines |= *use->where;
        }
    }
    return has_lines && 2 * n_self >= n_total;
}

static uint64_t n_on_path(const struct otter_functions *functions)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < functions->uses.n; i++) {
        n += functions->uses.items[i].n_path;
    }
    return n;
}

const char *otter_path_function(const struct otter_report *report)
{
    const struct otter_functions *functions = report->functions;
    for (uint32_t i = 0; functions && i < functions->n_on_path; i++) {
        const struct otter_path_function *function = &functions->on_path[i];
        bool is_large = (double)function->n >= MIN_PATH_SHARE * (double)n_on_path(functions);
        if (is_large && may_be_changed(functions, function->function)) {
            return function->function;
        }
    }
    return NULL;
}

static size_t list_changes(const struct otter_what_if *changes, size_t n, uint32_t rank,
                           struct otter_function_change *functions, uint32_t *bits)
{
    size_t n_functions = 0;
    for (size_t i = 0; i < n && n_functions < OTTER_MAX_FUNCTION_CHANGES; i++) {
        bool is_here = !changes[i].has_rank || changes[i].rank == rank;
        if (changes[i].kind == OTTER_WHAT_IF_FUNCTION && is_here) {
            bits[n_functions] = (uint32_t)1 << i;
            functions[n_functions++] =
                (struct otter_function_change){changes[i].label, changes[i].value};
        }
    }
    return n_functions;
}

static void apply(struct otter_change_arrays *arrays, struct otter_function_factors *factors,
                  uint32_t n)
{
    arrays->ratios = factors->ratios;
    factors->ratios = (struct otter_interval_ratios){0};
    arrays->at_least = malloc(n * sizeof *arrays->at_least);
    arrays->at_most = malloc(n * sizeof *arrays->at_most);
    for (uint32_t i = 0; i < n; i++) {
        arrays->at_least[i] = arrays->factors[i] * factors->least[i];
        arrays->at_most[i] = arrays->factors[i] * factors->most[i];
        arrays->factors[i] *= factors->middle[i];
    }
    otter_sample_share(factors->n_changed, factors->n_samples, &arrays->least_share,
                       &arrays->most_share);
}

void otter_change_functions(struct otter_change_arrays *arrays, const struct otter_report *report,
                            const struct otter_what_if *changes, size_t n, uint32_t rank,
                            uint32_t *known)
{
    uint32_t bits[OTTER_MAX_FUNCTION_CHANGES];
    struct otter_function_change functions[OTTER_MAX_FUNCTION_CHANGES];
    size_t n_functions = list_changes(changes, n, rank, functions, bits);
    const struct otter_analysis *analysis = report->analysis;
    if (n_functions == 0) {
        return;
    }
    struct otter_samples samples;
    struct otter_frames frames = {.n = 0};
    struct otter_function_factors factors = {.found = 0};
    otter_samples_read(&samples, analysis);
    otter_frames_init(&frames, analysis->definitions, report->labels);
    otter_function_factors_init(&factors, analysis, &samples, &frames, functions, n_functions);
    for (size_t i = 0; i < n_functions; i++) {
        *known |= factors.found >> i & 1 ? bits[i] : 0;
    }
    if (factors.found > 0) {
        apply(arrays, &factors, analysis->account.n_labels);
    }
    otter_function_factors_finish(&factors);
    otter_frames_finish(&frames);
    otter_samples_finish(&samples);
}
