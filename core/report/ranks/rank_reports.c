// Reports all ranks of a merged archive. Memory is needed for the MPI calls of all ranks, and for
// the ranks that are read at the same time or stay in memory.
#include "report/ranks/rank_reports.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/print.h"
#include "base/text/visible.h"
#include "base/vector.h"
#include "analysis/job/each_rank.h"
#include "report/ranks/rank_ranges.h"
#include "report/form/json.h"
#include "base/text/number.h"
#include "report/table/rank_table.h"
#include "report/form/wrap.h"

static void add_row(void *user, const struct otter_report *report, void *own)
{
    struct otter_rank_reports *reports = user;
    uint32_t rank = otter_selected_rank(report->archive)->number;
    (void)own;
    otter_job_findings_add(&reports->findings, &reports->job, report);
    reports->tick = report->analysis->tick;
    OTTER_VECTOR_APPEND(reports, otter_rank_row_of(rank, report));
}

// ---- sentences

static void find_path(struct otter_rank_reports *reports, struct otter_archive *archive)
{
    const struct otter_job *job = &reports->job;
    uint32_t first = otter_job_first_rank(job);
    struct otter_job_path path;
    if (first != OTTER_NONE && otter_job_has_matches(job)) {
        otter_job_path_init(&path, job, false);
        bool has_label = otter_job_label_ranks(&path, first, archive, &reports->kept);
        reports->n_of_path = otter_job_sentences(
            job, reports->tick, has_label ? otter_job_path_label(&path, first) : NULL,
            reports->sentences);
        otter_job_path_finish(&path);
    }
}

// Adds a sentence that explains the asterisk at the end of rows.
static void doubt_ranks(struct otter_rank_reports *reports)
{
    uint32_t n = 0;
    for (size_t i = 0; i < reports->n; i++) {
        n += !reports->items[i].is_complete;
    }
    if (n > 0) {
        snprintf(reports->sentences[reports->n_sentences++], OTTER_JOB_TEXT,
                 "* events are missing in %" PRIu32 " of %" PRIu32
                 " ranks, so all numbers are estimates: "
                 "otter check names what is missing",
                 n, reports->n);
    }
}

// Writes "1, 3 and 5 more": the ranks of the rows in which the bool at `offset` is set. Returns
// the number of these ranks.
static uint32_t list_ranks(const struct otter_rank_reports *reports, size_t offset, char text[80])
{
    enum { MAX_NAMED = 4 };
    uint32_t n = 0;
    size_t used = 0;
    for (size_t i = 0; i < reports->n; i++) {
        const struct otter_rank_row *row = &reports->items[i];
        bool is_marked = *(const bool *)((const char *)row + offset);
        if (is_marked && n++ < MAX_NAMED) {
            used += (size_t)snprintf(text + used, 80 - used, "%s%" PRIu32, n > 1 ? ", " : "",
                                     row->rank);
        }
    }
    if (n > MAX_NAMED) {
        snprintf(text + used, 80 - used, " and %" PRIu32 " more", n - MAX_NAMED);
    }
    return n;
}

static void doubt_killed(struct otter_rank_reports *reports)
{
    char ranks[80];
    uint32_t n = list_ranks(reports, offsetof(struct otter_rank_row, is_cut_off), ranks);
    if (n > 0) {
        snprintf(reports->sentences[reports->n_sentences++], OTTER_JOB_TEXT,
                 "Rank%s %s %s killed, or ended without completing an archive.", otter_plural(n),
                 ranks, n == 1 ? "was" : "were");
    }
}

// Names the ranks without recorded MPI calls, since their other numbers contain the time of these
// calls.
static void doubt_mpi(struct otter_rank_reports *reports)
{
    char ranks[80], of[96] = "";
    uint32_t n = list_ranks(reports, offsetof(struct otter_rank_row, lacks_mpi), ranks);
    if (n > 0 && n < reports->n) {
        snprintf(of, sizeof of, " of rank%s %s", otter_plural(n), ranks);
    }
    if (n > 0) {
        snprintf(reports->sentences[reports->n_sentences++], OTTER_JOB_TEXT,
                 "The MPI calls%s were not recorded (OTTER_MPI): their time counts as "
                 "execution.",
                 of);
    }
}

static void find_doubts(struct otter_rank_reports *reports, const struct otter_archive *archive)
{
    char texts[OTTER_MAX_DOUBTS][OTTER_DOUBT_TEXT];
    const struct otter_job *job = &reports->job;
    unsigned n =
        otter_job_has_calls(job) ? otter_job_doubts(job, otter_job_deviation(archive), texts) : 0;
    reports->n_sentences = reports->n_of_path;
    doubt_ranks(reports);
    doubt_killed(reports);
    doubt_mpi(reports);
    for (unsigned i = 0; i < n; i++) {
        memcpy(reports->sentences[reports->n_sentences++], texts[i], sizeof texts[i]);
    }
}

void otter_rank_reports_explain(struct otter_rank_reports *reports, struct otter_archive *archive)
{
    find_path(reports, archive);
    find_doubts(reports, archive);
}

void otter_rank_reports_init(struct otter_rank_reports *reports, struct otter_archive *archive,
                             const struct otter_rank_use *store, unsigned bytes_of_event)
{
    *reports = (struct otter_rank_reports){.n = 0};
    if (bytes_of_event > 0) {
        otter_kept_ranks_init(&reports->kept, archive, bytes_of_event);
    }
    reports->store = store && reports->kept.n > 0 ? *store : (struct otter_rank_use){.size = 0};
    reports->store.use = add_row;
    reports->n_failed = otter_job_read_ranks(&reports->job, archive, &reports->store, reports,
                                             reports->kept.n > 0 ? &reports->kept : NULL);
    otter_job_conclude(&reports->job, archive);
    otter_job_findings_end(&reports->findings, &reports->job);
    for (uint32_t i = 0; i < reports->n; i++) {
        struct otter_rank_row *row = &reports->items[i];
        uint32_t rank = otter_job_find_rank(&reports->job, row->rank);
        otter_job_findings_name(&reports->findings, rank, row->finding, &row->finding_s);
    }
}

void otter_rank_reports_finish(struct otter_rank_reports *reports)
{
    otter_kept_ranks_finish(&reports->kept);
    otter_job_findings_finish(&reports->findings);
    otter_job_finish(&reports->job);
    free(reports->items);
}

// ---- text

struct program {
    const struct otter_rank *ranks;
    const char *path;
};

static void print_job(FILE *out, const struct otter_rank_reports *reports)
{
    char wall[OTTER_MAX_NUMBER];
    struct otter_job_numbers job = otter_job_numbers_of(&reports->findings);
    uint32_t n = otter_job_n_processors(&reports->findings);
    char processors[40] = "";
    if (n > 0) {
        snprintf(processors, sizeof processors, " on %" PRIu32 " processor%s", n, otter_plural(n));
    }
    otter_print(out, "%" PRIu64 " thread%s%s, %s: speed-up %.2f, efficiency %.1f %%\n",
                job.n_threads, otter_plural(job.n_threads), processors,
                otter_duration_text(job.wall_s, wall), job.speed_up, 100 * job.efficiency);
}

static bool runs_program(const void *user, size_t rank)
{
    const struct program *program = user;
    return strcmp(program->ranks[rank].program, program->path) == 0;
}

// Prints the command line of the first rank and the folder: "./app 100 (otter-job-12)".
static void print_title(FILE *out, const struct otter_definitions *definitions, const char *age)
{
    const struct otter_rank *first = &definitions->ranks[0];
    const char *command = "";
    for (size_t i = 0; i < first->n_properties; i++) {
        bool is_command = strcmp(first->properties[i].name, "OTTER::COMMAND_LINE") == 0;
        command = is_command ? first->properties[i].value : command;
    }
    otter_print(out, *command ? "%s (%s)" : "%s%s", command, definitions->folder);
    otter_print(out, "%s%s\n", age ? ", " : "", age ? age : "");
}

// Prints a line for each program with its ranks, if the job has several.
static void print_programs(FILE *out, const struct otter_definitions *definitions)
{
    struct program program = {definitions->ranks, definitions->ranks[0].program};
    size_t n_same = 0;
    while (n_same < definitions->n_ranks && runs_program(&program, n_same)) {
        n_same++;
    }
    for (size_t i = 0; i < definitions->n_ranks && n_same < definitions->n_ranks; i++) {
        size_t first = definitions->n_ranks, n = 0;
        program.path = definitions->ranks[i].program;
        for (size_t k = definitions->n_ranks; k-- > 0;) {
            first = runs_program(&program, k) ? k : first;
            n += runs_program(&program, k);
        }
        if (first == i) {
            otter_print(out, "%s: rank%s ", program.path, otter_plural(n));
            otter_rank_ranges_print(out, definitions, runs_program, &program);
            otter_print(out, "\n");
        }
    }
}

// Sentences follow one another; each doubt is preceded by an empty line.
static void print_sentences(FILE *out, const struct otter_rank_reports *reports)
{
    for (unsigned i = 0; i < reports->n_sentences; i++) {
        if (i == 0 || i >= reports->n_of_path) {
            otter_print(out, "\n");
        }
        otter_print_wrapped(out, 0, reports->sentences[i]);
    }
}

void otter_rank_reports_print(FILE *out, struct otter_rank_reports *reports,
                              const struct otter_archive *archive, struct otter_screen screen)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    const char *folder = definitions->folder;
    const char *clocks = otter_archive_property(archive, "OTTER::CLOCKS");
    print_title(out, definitions, screen.age);
    otter_print(out, "%zu of %" PRIu64 " ranks, clocks: %s\n", definitions->n_ranks,
                otter_archive_number(archive, "OTTER::RANKS"), clocks ? clocks : "unknown");
    print_programs(out, definitions);
    if (reports->n == 0) {
        return;
    }
    print_job(out, reports);
    otter_print(out, "\n");
    otter_rank_rows_print(out, reports->items, reports->n);
    print_sentences(out, reports);
    otter_print(out, "\n");
    otter_job_findings_print(out, &reports->findings, &reports->job, screen, false);
    char *word = otter_visible_word(folder);
    if (otter_job_has_matches(&reports->job)) {
        otter_print(out, "\nnext: otter report --critical-path %s\n", word);
    } else {
        otter_print(out, "\nnext: otter report --rank=%" PRIu32 " %s\n", reports->items[0].rank,
                    word);
    }
    free(word);
}

// ---- JSON

json_t *otter_rank_reports_json(const struct otter_rank_reports *reports,
                                const struct otter_archive *archive)
{
    json_t *root = json_object();
    otter_json_set_text(root, "archive", otter_archive_definitions(archive)->folder);
    struct otter_job_numbers job = otter_job_numbers_of(&reports->findings);
    otter_json_set_number(root, "threads", job.n_threads);
    otter_json_set_number(root, "processors", otter_job_n_processors(&reports->findings));
    otter_json_set(root, "wall_s", json_real(job.wall_s));
    otter_json_set(root, "work_s", json_real(job.work_s));
    otter_json_set(root, "efficiency", json_real(job.efficiency));
    otter_json_set(root, "ranks", otter_rank_rows_json(reports->items, reports->n));
    otter_json_set(root, "findings", otter_job_findings_json(&reports->findings, &reports->job));
    otter_json_set(root, "critical_path", otter_job_json(&reports->job, reports->tick));
    return root;
}
