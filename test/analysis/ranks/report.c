// Prints the report of a job, as text, JSON and CSV.
#include "report.h"

#include <stdio.h>
#include <stdlib.h>

#include "report/job/job_findings.h"
#include "report/job/job_path.h"
#include "report/table/rank_table.h"
#include "report/form/wrap.h"

enum { MAX_RANKS = 8, DEVIATION_NS = 20 };

bool report_rank(const struct otter_analysis *analysis, uint32_t rank, void *user,
                 bool (*use)(void *user, uint32_t rank, const struct otter_report *report))
{
    struct otter_labels labels;
    struct otter_findings findings;
    if (otter_labels_init(&labels, analysis->definitions)) {
        return false;
    }
    bool is_good = !otter_findings_init(&findings, analysis);
    if (is_good) {
        struct otter_report report = {
            .analysis = analysis, .findings = &findings, .labels = &labels};
        is_good = use(user, rank, &report);
        otter_findings_finish(&findings);
    }
    otter_labels_finish(&labels);
    return is_good;
}

// ---- rows of ranks

struct rows {
    const struct otter_job *job;
    struct otter_rank_row items[MAX_RANKS];
};

static bool add_row(void *user, uint32_t rank, const struct otter_report *report)
{
    struct rows *rows = user;
    rows->items[rank] = otter_rank_row_of(rows->job->ranks.items[rank].number, report);
    return true;
}

static bool print_rows(const struct otter_job *job, const struct otter_analysis *analyses,
                       const struct otter_job_findings *findings)
{
    struct rows rows = {.job = job};
    for (uint32_t i = 0; i < job->ranks.n; i++) {
        if (!report_rank(&analyses[i], i, &rows, add_row)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < job->ranks.n; i++) {
        struct otter_rank_row *row = &rows.items[i];
        otter_job_findings_name(findings, i, row->finding, &row->finding_s);
    }
    otter_rank_rows_print(stdout, rows.items, job->ranks.n);
    return true;
}

// ---- findings

struct job_findings {
    struct otter_job_findings findings;
    struct otter_job job; // has the ranks up to the one that is being added
};

static bool add_findings(void *user, uint32_t rank, const struct otter_report *report)
{
    struct job_findings *all = user;
    all->job.ranks.n = rank + 1;
    otter_job_findings_add(&all->findings, &all->job, report);
    return true;
}

static bool print_findings(const struct otter_job *job, const struct otter_analysis *analyses)
{
    enum { WIDTH = 80 };
    struct job_findings all = {.job = *job};
    bool is_good = true;
    for (uint32_t i = 0; i < job->ranks.n && is_good; i++) {
        is_good = report_rank(&analyses[i], i, &all, add_findings);
    }
    otter_job_findings_end(&all.findings, job);
    is_good = is_good && print_rows(job, analyses, &all.findings);
    if (is_good) {
        printf("\n");
        otter_job_findings_print(stdout, &all.findings, job,
                                 (struct otter_screen){WIDTH, false, NULL}, true);
        json_t *json = otter_job_findings_json(&all.findings, job);
        for (size_t i = 0; i < json_array_size(json); i++) {
            json_object_del(json_array_get(json, i), "text");
            json_dumpf(json_array_get(json, i), stdout, JSON_REAL_PRECISION(9));
            printf("\n");
        }
        json_decref(json);
    }
    otter_job_findings_finish(&all.findings);
    return is_good;
}

// ---- the path

static bool add_path(void *user, uint32_t rank, const struct otter_report *report)
{
    otter_job_path_add(user, report, rank);
    return true;
}

static bool label_path(struct otter_job_path *path, const struct otter_job *job,
                       const struct otter_analysis *analyses, bool is_full)
{
    bool is_good = true;
    otter_job_path_init(path, job, is_full);
    for (uint32_t i = 0; i < job->ranks.n && is_good; i++) {
        is_good = report_rank(&analyses[i], i, path, add_path);
    }
    return is_good;
}

static void print_table(const struct otter_job_path *path, const char *option)
{
    struct otter_sheet sheet = {.name = option};
    otter_job_table_of(option)->fill(path, &sheet);
    printf("\n--%s%s\n", option, path->is_full ? " --csv --full" : "");
    if (path->is_full) {
        otter_sheet_print_csv(stdout, &sheet);
    } else {
        otter_sheet_print(stdout, &sheet, 20, 0);
    }
    otter_sheet_finish(&sheet);
}

// Prints a line for each rank, and one for the job.
static void print_json(const struct otter_job_path *path)
{
    json_t *json = otter_job_json(path->job, path->tick), *ranks = json_object_get(json, "ranks");
    for (size_t i = 0; i < json_array_size(ranks); i++) {
        json_dumpf(json_array_get(ranks, i), stdout, JSON_REAL_PRECISION(9));
        printf("\n");
    }
    json_object_del(json, "ranks");
    json_dumpf(json, stdout, JSON_REAL_PRECISION(9));
    json_decref(json);
    printf("\n");
}

static void print_summary(const struct otter_job_path *path)
{
    char texts[OTTER_MAX_DOUBTS][OTTER_DOUBT_TEXT];
    uint32_t first = otter_job_first_rank(path->job);
    char sentences[OTTER_MAX_JOB_TEXTS][OTTER_JOB_TEXT];
    const char *label = first != OTTER_NONE ? otter_job_path_label(path, first) : NULL;
    unsigned n = otter_job_sentences(path->job, path->tick, label, sentences);
    printf("\n");
    for (unsigned i = 0; i < n; i++) {
        otter_print_wrapped(stdout, 0, sentences[i]);
    }
    n = otter_job_doubts(path->job, DEVIATION_NS, texts);
    for (unsigned i = 0; i < n; i++) {
        printf("doubt: %s\n", texts[i]);
    }
    print_json(path);
}

static bool print_path(const struct otter_job *job, const struct otter_analysis *analyses)
{
    struct otter_job_path path;
    bool is_good = label_path(&path, job, analyses, false);
    if (is_good) {
        print_summary(&path);
        print_table(&path, "critical-path");
        print_table(&path, "critical-path=ranks");
        print_table(&path, "critical-path=chain");
    }
    otter_job_path_finish(&path);
    is_good = is_good && label_path(&path, job, analyses, true);
    if (is_good) {
        print_table(&path, "critical-path=chain");
    }
    otter_job_path_finish(&path);
    return is_good;
}

bool report_job(const struct otter_job *job, const struct otter_analysis *analyses)
{
    printf("\n");
    return print_findings(job, analyses) && print_path(job, analyses);
}
