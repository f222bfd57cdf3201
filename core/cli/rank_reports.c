// Reports all ranks of a merged archive, one after the other. The memory is that of one rank, and
// of the calls of MPI of all.
#include "cli/rank_reports.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/print.h"
#include "base/vector.h"
#include "cli/each_rank.h"
#include "cli/job_analysis.h"
#include "cli/rank_ranges.h"
#include "report/json.h"
#include "report/rank_table.h"
#include "report/wrap.h"

struct reports {
    OTTER_VECTOR(struct otter_rank_row);
    struct otter_job job;
    uint32_t rank; // number of the rank that is being read
    double tick;
};

static enum otter_status add_row(void *user, const struct otter_report *report)
{
    struct reports *reports = user;
    if (!OTTER_VECTOR_RESERVE(reports)) {
        return OTTER_NO_MEMORY;
    }
    reports->tick = report->analysis->tick;
    reports->items[reports->n++] = otter_rank_row_of(reports->rank, report);
    return OTTER_OK;
}

static bool add_rank(void *user, struct otter_archive *archive, const struct otter_rank *rank)
{
    struct reports *reports = user;
    reports->rank = rank->number;
    return otter_job_read_rank(&reports->job, archive, rank, add_row, reports);
}

// ---- text

struct program {
    const struct otter_rank *ranks;
    const char *path;
};

static bool runs_program(const void *user, size_t rank)
{
    const struct program *program = user;
    return strcmp(program->ranks[rank].program, program->path) == 0;
}

// A job may have several programs: then a line names each, and its ranks.
static void print_programs(const struct otter_definitions *definitions)
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
            otter_print(stdout, "%s: rank%s ", program.path, otter_plural(n));
            otter_rank_ranges_print(stdout, definitions, runs_program, &program);
            otter_print(stdout, "\n");
        }
    }
}

static void print_path(const struct reports *reports, struct otter_archive *archive)
{
    const struct otter_job *job = &reports->job;
    uint32_t first = otter_job_first_rank(job);
    struct otter_job_path path = {0};
    if (first != OTTER_NONE && otter_job_has_matches(job) &&
        !otter_job_path_init(&path, job, false)) {
        bool has_label = otter_job_label_rank(&path, archive, first);
        otter_print(stdout, "\n");
        otter_job_print(stdout, job, reports->tick,
                        has_label ? otter_job_path_label(&path, first) : NULL);
        otter_job_path_finish(&path);
    }
}

static void print_doubts(const struct otter_job *job, const struct otter_archive *archive)
{
    char texts[OTTER_MOST_DOUBTS][OTTER_DOUBT_TEXT];
    unsigned n =
        otter_job_has_calls(job) ? otter_job_doubts(job, otter_job_deviation(archive), texts) : 0;
    for (unsigned i = 0; i < n; i++) {
        otter_print(stdout, "\n");
        otter_print_wrapped(stdout, 0, texts[i]);
    }
}

static void print_text(struct otter_archive *archive, struct reports *reports)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    const char *folder = definitions->folder;
    const char *clocks = otter_archive_property(archive, "OTTER::CLOCKS");
    otter_print(stdout, "%s\n%zu of %" PRIu64 " ranks, clocks: %s\n", folder, definitions->n_ranks,
                otter_archive_number(archive, "OTTER::RANKS"), clocks ? clocks : "unknown");
    print_programs(definitions);
    otter_print(stdout, "\n");
    if (reports->n == 0) {
        return;
    }
    otter_rank_rows_print(stdout, reports->items, reports->n);
    print_path(reports, archive);
    print_doubts(&reports->job, archive);
    if (otter_job_has_matches(&reports->job)) {
        otter_print(stdout, "\nnext: otter report --critical-path %s\n", folder);
    } else {
        otter_print(stdout, "\nnext: otter report --rank=%" PRIu32 " %s\n", reports->items[0].rank,
                    folder);
    }
}

uint32_t otter_rank_reports_print(struct otter_archive *archive, bool is_json)
{
    struct reports reports = {.n = 0};
    uint32_t n_failed = otter_each_rank(archive, add_rank, &reports);
    n_failed += !otter_job_conclude(&reports.job, archive);
    if (!is_json) {
        print_text(archive, &reports);
    } else {
        json_t *root = json_object();
        otter_json_set_text(root, "archive", otter_archive_definitions(archive)->folder);
        otter_json_set(root, "ranks", otter_rank_rows_json(reports.items, reports.n));
        otter_json_set(root, "critical_path", otter_job_json(&reports.job, reports.tick));
        otter_json_print(stdout, root);
    }
    otter_job_finish(&reports.job);
    free(reports.items);
    return n_failed;
}
