// Combines the numbers and findings of several recordings of one program.
#include "report/runs/runs.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"

static void combine_numbers(struct otter_runs *runs)
{
    for (unsigned k = 0; k < OTTER_N_DIFF_NUMBERS; k++) {
        double values[OTTER_DIFF_MOST_RUNS];
        for (uint32_t i = 0; i < runs->n; i++) {
            values[i] = runs->runs[i].numbers[k];
        }
        runs->numbers[k] = otter_spread_of(values, runs->n);
    }
}

// ---- findings

static const struct otter_sheet *findings_of(const struct otter_diff_run *run)
{
    for (unsigned i = 0; i < run->n_sheets; i++) {
        if (strcmp(run->sheets[i].name, "findings") == 0) {
            return &run->sheets[i];
        }
    }
    return NULL;
}

// Returns the finding with this text; adds it if it is new.
static struct otter_runs_finding *find(struct otter_runs *runs, const char *text)
{
    for (uint32_t i = 0; i < runs->findings.n; i++) {
        if (strcmp(runs->findings.items[i].text, text) == 0) {
            return &runs->findings.items[i];
        }
    }
    OTTER_VECTOR_APPEND(&runs->findings, (struct otter_runs_finding){.text = strdup(text)});
    return &runs->findings.items[runs->findings.n - 1];
}

// Findings of a recording with the same text count as one. Findings without a cost are not losses.
static void add_findings(struct otter_runs *runs, uint32_t number)
{
    const struct otter_diff_run *run = &runs->runs[number];
    const struct otter_sheet *sheet = findings_of(run);
    double total = run->numbers[OTTER_DIFF_TOTAL];
    for (uint32_t i = 0; sheet && i < sheet->rows.n; i++) {
        const struct otter_row *row = &sheet->rows.items[i];
        struct otter_runs_finding *finding = find(runs, row->text);
        double cost = total > 0 ? 100 * row->values[0] / total : 0;
        if (finding->n > 0 && finding->last_run == number) {
            finding->costs[finding->n - 1] += cost;
        } else {
            finding->costs[finding->n++] = cost;
            finding->n_first += i == 0;
        }
        finding->last_run = number;
    }
}

static int compare_findings(const void *a, const void *b)
{
    const struct otter_runs_finding *x = a, *y = b;
    int order = (x->n < y->n) - (x->n > y->n);
    order = order ? order : (x->cost.median < y->cost.median) - (x->cost.median > y->cost.median);
    return order ? order : strcmp(x->text, y->text);
}

static void combine_findings(struct otter_runs *runs)
{
    for (uint32_t i = 0; i < runs->n; i++) {
        add_findings(runs, i);
    }
    for (uint32_t i = 0; i < runs->findings.n; i++) {
        struct otter_runs_finding *finding = &runs->findings.items[i];
        finding->cost = otter_spread_of(finding->costs, finding->n);
    }
    OTTER_SORT(&runs->findings, compare_findings);
}

// ---- recordings

// Returns false if the recordings belong to different programs, and says why.
static bool is_one_program(const struct otter_diff_run *first, const struct otter_diff_run *run,
                           struct otter_complaint *complaint)
{
    if (strcmp(first->program, run->program) != 0) {
        snprintf(complaint->text, sizeof complaint->text,
                 "'%.60s' is a recording of '%.60s', and '%.60s' of '%.60s': compare different "
                 "programs with 'otter diff'",
                 first->path, first->program, run->path, run->program);
        return false;
    }
    double n = first->numbers[OTTER_DIFF_THREADS], other = run->numbers[OTTER_DIFF_THREADS];
    if (n != other) {
        snprintf(complaint->text, sizeof complaint->text,
                 "'%.80s' has %.0f threads, and '%.80s' has %.0f: compare numbers of threads with "
                 "'otter diff'",
                 first->path, n, run->path, other);
        return false;
    }
    return true;
}

static enum otter_status read_runs(struct otter_runs *runs, char *const *paths, uint32_t n,
                                   struct otter_complaint *complaint)
{
    for (uint32_t i = 0; i < n; i++) {
        struct otter_diff_run *run = &runs->runs[runs->n++];
        struct otter_diff_run *reference = i > 0 ? &runs->runs[0] : NULL;
        enum otter_status status =
            otter_diff_run_init(run, paths[i], NULL, reference, NULL, complaint);
        if (status) {
            return status;
        }
        if (!is_one_program(&runs->runs[0], run, complaint)) {
            return OTTER_BAD_VALUE;
        }
        runs->n_incomplete += !run->is_complete;
    }
    return OTTER_OK;
}

enum otter_status otter_runs_init(struct otter_runs *runs, char *const *paths, uint32_t n,
                                  struct otter_complaint *complaint)
{
    *runs = (struct otter_runs){.has_one_graph = true};
    enum otter_status status = read_runs(runs, paths, n, complaint);
    if (status) {
        return status;
    }
    combine_numbers(runs);
    for (uint32_t i = 1; i < runs->n; i++) {
        runs->has_one_graph &=
            otter_hash_is_equal(runs->runs[0].structure.unfolded, runs->runs[i].structure.unfolded);
    }
    combine_findings(runs);
    return OTTER_OK;
}

void otter_runs_finish(struct otter_runs *runs)
{
    for (uint32_t i = 0; i < runs->findings.n; i++) {
        free(runs->findings.items[i].text);
    }
    free(runs->findings.items);
    for (uint32_t i = 0; i < runs->n; i++) {
        otter_diff_run_finish(&runs->runs[i]);
    }
    *runs = (struct otter_runs){.n = 0};
}
