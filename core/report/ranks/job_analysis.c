// Analyses the ranks of a merged archive as one run: once for messages, and once for labels.
#include "report/ranks/job_analysis.h"

#include <inttypes.h>

#include "base/exit_status.h"
#include "base/log.h"
#include "report/ranks/each_rank.h"
#include "analysis/findings/read.h"

// ---- one rank

// A report and everything it refers to.
struct rank_report {
    struct otter_labels labels;
    struct otter_analysis analysis;
    struct otter_findings findings;
    struct otter_reading reading;
    struct otter_report report;
};

static enum otter_status read_rank(struct rank_report *rank, struct otter_archive *archive,
                                   struct otter_rank_calls *calls,
                                   struct otter_complaint *complaint)
{
    rank->reading = (struct otter_reading){&rank->labels, &rank->analysis, &rank->findings,
                                           calls ? otter_rank_calls_add : NULL, calls};
    rank->report = (struct otter_report){.archive = archive,
                                         .analysis = &rank->analysis,
                                         .findings = &rank->findings,
                                         .labels = &rank->labels};
    return otter_reading_init(&rank->reading, archive, complaint);
}

static enum otter_status add_rank(struct otter_job *job, struct otter_rank_calls *calls,
                                  const struct otter_analysis *analysis,
                                  const struct otter_archive *archive,
                                  const struct otter_rank *rank)
{
    uint32_t place = (uint32_t)(rank - otter_archive_definitions(archive)->ranks);
    enum otter_status status = otter_rank_calls_end(calls, analysis);
    return status ? status : otter_job_add(job, rank->number, place, calls);
}

static void leave_out(uint32_t rank, const struct otter_complaint *complaint)
{
    otter_error("rank %" PRIu32 " is left out: %s", rank, complaint->text);
}

bool otter_job_read_rank(struct otter_job *job, struct otter_archive *archive,
                         const struct otter_rank *rank, otter_rank_report_function *use, void *user)
{
    struct rank_report report = {0};
    struct otter_rank_calls calls;
    struct otter_complaint complaint;
    otter_reading_complain_of_memory(archive, &complaint);
    enum otter_status status = otter_rank_calls_begin(&calls, otter_archive_definitions(archive));
    if (!status) {
        status = read_rank(&report, archive, &calls, &complaint);
        OTTER_THEN(status, add_rank(job, &calls, &report.analysis, archive, rank));
        status = status || !use ? status : use(user, &report.report);
        otter_reading_warn_of_damage(archive);
        otter_reading_finish(&report.reading);
        otter_rank_calls_finish(&calls);
    }
    if (status) {
        leave_out(rank->number, &complaint);
    }
    return !status;
}

bool otter_job_read_report(struct otter_archive *archive, const struct otter_rank *rank,
                           otter_rank_report_function *use, void *user)
{
    struct rank_report report = {0};
    struct otter_complaint complaint;
    enum otter_status status = read_rank(&report, archive, NULL, &complaint);
    if (!status) {
        status = use(user, &report.report);
        otter_reading_complain_of_memory(archive, &complaint);
    }
    otter_reading_finish(&report.reading);
    if (status) {
        leave_out(rank->number, &complaint);
    }
    return !status;
}

// ---- the job

static bool complain_of_memory(const struct otter_archive *archive)
{
    struct otter_complaint complaint;
    otter_reading_complain_of_memory(archive, &complaint);
    otter_error("%s", complaint.text);
    return false;
}

bool otter_job_conclude(struct otter_job *job, const struct otter_archive *archive)
{
    return !otter_job_end(job, (uint32_t)otter_archive_number(archive, "OTTER::RANKS")) ||
           complain_of_memory(archive);
}

bool otter_job_has_calls(const struct otter_job *job)
{
    for (uint32_t i = 0; i < job->ranks.n; i++) {
        if (otter_job_calls(job, i)->calls.n > 0) {
            return true;
        }
    }
    return false;
}

uint64_t otter_job_deviation(const struct otter_archive *archive)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    uint64_t most = 0;
    for (size_t i = 0; i < definitions->n_ranks; i++) {
        uint64_t deviation = definitions->ranks[i].clock_deviation_ns;
        most = deviation > most ? deviation : most;
    }
    return most;
}

bool otter_job_label_rank(struct otter_job_path *path, struct otter_archive *archive, uint32_t rank)
{
    struct rank_report report = {0};
    struct otter_complaint complaint;
    const struct otter_job_rank *own = &path->job->ranks.items[rank];
    enum otter_status status = otter_archive_select_rank(archive, own->place, &complaint);
    if (!status) {
        status = read_rank(&report, archive, NULL, &complaint);
        OTTER_THEN(status, otter_job_path_add(path, &report.report, rank));
        otter_reading_finish(&report.reading);
    }
    if (status) {
        leave_out(own->number, &complaint);
    }
    otter_archive_select_rank(archive, OTTER_NONE, &complaint);
    return !status;
}

// ---- tables

static bool read_one(void *user, struct otter_archive *archive, const struct otter_rank *rank)
{
    return otter_job_read_rank(user, archive, rank, NULL, NULL);
}

void otter_job_warn(const struct otter_job *job, const struct otter_archive *archive)
{
    char texts[OTTER_MAX_DOUBTS][OTTER_DOUBT_TEXT];
    unsigned n = otter_job_doubts(job, otter_job_deviation(archive), texts);
    for (unsigned i = 0; i < n; i++) {
        otter_warning("%s", texts[i]);
    }
}

static bool label_ranks(struct otter_job_path *path, struct otter_archive *archive)
{
    bool is_good = true;
    for (uint32_t i = 0; i < path->job->ranks.n && is_good; i++) {
        is_good = path->job->ranks.items[i].on_path == 0 || otter_job_label_rank(path, archive, i);
    }
    return is_good;
}

static int print_table(struct otter_archive *archive, const struct otter_job *job,
                       const struct otter_job_table *table,
                       const struct otter_table_request *request)
{
    struct otter_job_path path;
    struct otter_sheet sheet = {.name = request->table->name};
    bool is_good =
        !otter_job_path_init(&path, job, request->is_full) || complain_of_memory(archive);
    is_good = is_good && label_ranks(&path, archive);
    enum otter_status status = OTTER_OK;
    if (is_good) {
        table->fill(&path, &sheet);
        is_good = !sheet.is_short_of_memory || complain_of_memory(archive);
    }
    if (is_good) {
        otter_job_warn(job, archive);
        status = otter_table_print_sheet(stdout, &sheet, request);
    }
    otter_sheet_finish(&sheet);
    otter_job_path_finish(&path);
    return status == OTTER_BAD_VALUE ? OTTER_EXIT_USAGE
           : status || !is_good      ? OTTER_EXIT_FAILED
                                     : OTTER_EXIT_OK;
}

int otter_job_print_table(struct otter_archive *archive, const struct otter_job_table *table,
                          const struct otter_table_request *request)
{
    struct otter_job job = {0};
    uint32_t n_failed = otter_each_rank(archive, read_one, &job);
    int exit_status = OTTER_EXIT_FAILED;
    if (otter_job_conclude(&job, archive) && job.ranks.n > 0) {
        exit_status = print_table(archive, &job, table, request);
    }
    otter_job_finish(&job);
    return exit_status == OTTER_EXIT_OK && n_failed > 0 ? OTTER_EXIT_FAILED : exit_status;
}
