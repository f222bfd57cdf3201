// Analyses the ranks of a merged archive as one run: once for messages, and once for labels.
#include "report/ranks/job_analysis.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/exit_status.h"
#include "base/log.h"
#include "analysis/findings/read.h"
#include "analysis/job/each_rank.h"

// ---- one rank

// A rank that was read, and everything its report refers to.
struct rank {
    const struct otter_rank_use *use;
    bool is_of_job;
    struct otter_labels labels;
    struct otter_analysis analysis;
    struct otter_findings findings;
    struct otter_reading reading;
    struct otter_report report;
    struct otter_rank_calls calls;
    otter_event_function *also; // of `own`
    enum otter_status status;
    struct otter_complaint complaint;
    _Alignas(max_align_t) char own[]; // memory of the user
};

static void leave_out(uint32_t rank, const struct otter_complaint *complaint)
{
    otter_error("rank %" PRIu32 " is left out: %s", rank, complaint->text);
}

static bool add_event(void *user, const struct otter_event *event)
{
    struct rank *rank = user;
    return (!rank->is_of_job || otter_rank_calls_add(&rank->calls, event)) &&
           (!rank->also || rank->also(rank->own, event));
}

static void begin_rank(struct rank *rank, struct otter_archive *archive)
{
    rank->reading =
        (struct otter_reading){&rank->labels, &rank->analysis, &rank->findings, .user = rank};
    if (rank->use->begin) {
        rank->use->begin(rank->own, archive, &rank->reading);
    }
    rank->also = rank->reading.also;
    rank->reading.also = rank->is_of_job || rank->also ? add_event : NULL;
    rank->report = (struct otter_report){.archive = archive,
                                         .analysis = rank->reading.analysis,
                                         .findings = rank->reading.findings,
                                         .labels = rank->reading.labels,
                                         .counts = &rank->reading.findings->counts};
}

static enum otter_status read_rank(struct rank *rank, struct otter_archive *archive,
                                   const void *user)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    if (rank->is_of_job) {
        otter_rank_calls_begin(&rank->calls, definitions);
    }
    enum otter_status status = otter_reading_init(&rank->reading, archive, &rank->complaint);
    if (status) {
        return status;
    }
    if (rank->is_of_job) {
        otter_rank_calls_end(&rank->calls, rank->report.analysis);
    }
    if (rank->use->prepare) {
        rank->use->prepare(user, &rank->report, &rank->calls, rank->own);
    }
    return OTTER_OK;
}

static void finish_rank(void *result)
{
    struct rank *rank = result;
    if (rank->use->finish) {
        rank->use->finish(rank->own);
    }
    otter_reading_finish(&rank->reading);
    otter_rank_calls_finish(&rank->calls);
}

// ---- ranks in memory

void otter_kept_ranks_init(struct otter_kept_ranks *kept, const struct otter_archive *archive,
                           unsigned bytes_of_event)
{
    uint32_t n = (uint32_t)otter_archive_definitions(archive)->n_ranks;
    *kept = (struct otter_kept_ranks){.n = 0};
    if (otter_ranks_fit(archive, bytes_of_event)) {
        *kept = (struct otter_kept_ranks){calloc(n, sizeof *kept->items), n};
    }
}

void otter_kept_rank_finish(struct otter_kept_rank *kept)
{
    if (kept->rank) {
        finish_rank(kept->rank);
    }
    free(kept->rank);
    otter_archive_close(kept->archive);
    *kept = (struct otter_kept_rank){.rank = NULL};
}

void otter_kept_ranks_finish(struct otter_kept_ranks *kept)
{
    for (uint32_t i = 0; i < kept->n; i++) {
        otter_kept_rank_finish(&kept->items[i]);
    }
    free(kept->items);
    *kept = (struct otter_kept_ranks){.n = 0};
}

// ---- all ranks

struct job_reading {
    struct otter_job *job; // NULL: without a job
    const struct otter_rank_use *use;
    void *user;
    struct otter_kept_rank *kept; // by place; NULL: no rank stays in memory
    bool is_again;                // warnings have been printed
};

static void read_next(const void *user, struct otter_archive *archive, void *result)
{
    const struct job_reading *reading = user;
    struct rank *rank = result;
    rank->use = reading->use;
    rank->is_of_job = reading->job;
    begin_rank(rank, archive);
    rank->status = read_rank(rank, archive, reading->user);
}

static void use_rank(const struct job_reading *reading, struct otter_archive *archive,
                     struct rank *rank)
{
    const struct otter_rank *selected = otter_selected_rank(archive);
    if (reading->job && !rank->status) {
        otter_job_add(reading->job, selected->number, otter_archive_definitions(archive)->rank,
                      &rank->calls);
    }
    if (reading->use->use && !rank->status) {
        reading->use->use(reading->user, &rank->report, rank->own);
    }
    if (!reading->is_again) {
        otter_reading_warn_of_damage(archive);
    }
    if (rank->status) {
        leave_out(selected->number, &rank->complaint);
    }
}

static bool use_next(void *user, struct otter_archive *archive, void *result)
{
    struct job_reading *reading = user;
    struct rank *rank = result;
    use_rank(reading, archive, rank);
    bool is_good = !rank->status;
    if (reading->kept) {
        struct otter_kept_rank *kept = &reading->kept[otter_archive_definitions(archive)->rank];
        *kept = (struct otter_kept_rank){archive, rank, rank->own};
        if (!is_good) {
            otter_kept_rank_finish(kept);
        }
    }
    return is_good;
}

static struct otter_rank_steps steps_of(const struct job_reading *reading)
{
    return (struct otter_rank_steps){.size = sizeof(struct rank) + reading->use->size,
                                     .read = read_next,
                                     .use = use_next,
                                     .finish = finish_rank,
                                     .keeps = reading->kept};
}

uint32_t otter_job_read_ranks(struct otter_job *job, struct otter_archive *archive,
                              const struct otter_rank_use *use, void *user,
                              struct otter_kept_ranks *kept)
{
    static const struct otter_rank_use none = {.size = 0};
    struct job_reading reading = {
        .job = job, .use = use ? use : &none, .user = user, .kept = kept ? kept->items : NULL};
    const struct otter_rank_steps steps = steps_of(&reading);
    return otter_each_rank(archive, &steps, &reading);
}

// ---- the job

void otter_job_conclude(struct otter_job *job, const struct otter_archive *archive)
{
    otter_job_end(job, (uint32_t)otter_archive_number(archive, "OTTER::RANKS"));
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

// ---- labels of the path's steps

static void label_next(void *user, const struct otter_report *report, void *own)
{
    struct otter_job_path *path = user;
    (void)own;
    otter_job_path_add(
        path, report, otter_job_find_rank(path->job, otter_selected_rank(report->archive)->number));
}

static bool label_again(struct otter_job_path *path, struct otter_archive *archive,
                        const uint32_t *places, uint32_t n)
{
    static const struct otter_rank_use use = {.use = label_next};
    struct job_reading reading = {.use = &use, .user = path, .is_again = true};
    struct otter_rank_steps steps = steps_of(&reading);
    steps.places = places;
    steps.n_places = n;
    return otter_each_rank(archive, &steps, &reading) == 0;
}

bool otter_job_label_ranks(struct otter_job_path *path, uint32_t rank,
                           struct otter_archive *archive, const struct otter_kept_ranks *kept)
{
    const struct otter_job *job = path->job;
    uint32_t n = 0, *places = calloc(job->ranks.n + (size_t)1, sizeof *places);
    for (uint32_t i = 0; i < job->ranks.n; i++) {
        bool is_wanted = rank == OTTER_NONE ? job->ranks.items[i].on_path > 0 : i == rank;
        uint32_t place = job->ranks.items[i].place;
        if (is_wanted && kept->n > 0) {
            label_next(path, &kept->items[place].rank->report, NULL);
        } else if (is_wanted) {
            places[n++] = place;
        }
    }
    bool is_good = n == 0 || label_again(path, archive, places, n);
    free(places);
    return is_good;
}

// ---- tables

void otter_job_warn(const struct otter_job *job, const struct otter_archive *archive)
{
    char texts[OTTER_MAX_DOUBTS][OTTER_DOUBT_TEXT];
    unsigned n = otter_job_doubts(job, otter_job_deviation(archive), texts);
    for (unsigned i = 0; i < n; i++) {
        otter_warning("%s", texts[i]);
    }
}

static int print_table(struct otter_archive *archive, const struct otter_job *job,
                       const struct otter_kept_ranks *kept, const struct otter_job_table *table,
                       const struct otter_table_request *request)
{
    struct otter_job_path path;
    struct otter_sheet sheet = {.name = request->table->name};
    otter_job_path_init(&path, job, request->is_full);
    bool is_good = otter_job_label_ranks(&path, OTTER_NONE, archive, kept);
    enum otter_status status = OTTER_OK;
    if (is_good) {
        table->fill(&path, &sheet);
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
    struct otter_kept_ranks kept;
    otter_kept_ranks_init(&kept, archive, OTTER_BYTES_OF_EVENT);
    uint32_t n_failed = otter_job_read_ranks(&job, archive, NULL, NULL, &kept);
    int exit_status = OTTER_EXIT_FAILED;
    otter_job_conclude(&job, archive);
    if (job.ranks.n > 0) {
        exit_status = print_table(archive, &job, &kept, table, request);
    }
    otter_kept_ranks_finish(&kept);
    otter_job_finish(&job);
    return exit_status == OTTER_EXIT_OK && n_failed > 0 ? OTTER_EXIT_FAILED : exit_status;
}
