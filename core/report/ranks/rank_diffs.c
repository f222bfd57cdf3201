// Compares jobs rank by rank, so that memory is needed only for one rank and the sums.
#include "report/ranks/rank_diffs.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/order.h"
#include "base/log.h"
#include "base/path.h"
#include "analysis/job/each_rank.h"
#include "report/ranks/job_analysis.h"
#include "trace/schema.h"

// ---- the ranks of archives

// The ranks of an archive, ascending.
struct ranks {
    uint32_t *numbers;
    size_t n; // 0: an archive of one process, or unreadable
    uint64_t n_of_job;
};

// If the path names a rank, opens the archive of this one process. *Returns* false if the archive
// cannot be read; *complaint has the reason.
static bool read_ranks(const char *path, struct ranks *ranks, struct otter_complaint *complaint)
{
    struct otter_archive *archive;
    *ranks = (struct ranks){.n = 0};
    if (otter_archive_open_definitions(path, &archive, complaint) &&
        otter_archive_open(path, &archive, complaint)) {
        return false;
    }
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    size_t n = definitions->rank == OTTER_NONE ? definitions->n_ranks : 0;
    ranks->numbers = n > 0 ? malloc(n * sizeof *ranks->numbers) : NULL;
    ranks->n_of_job = otter_archive_number(archive, "OTTER::RANKS");
    for (; ranks->n < n; ranks->n++) {
        ranks->numbers[ranks->n] = definitions->ranks[ranks->n].number;
    }
    otter_archive_close(archive);
    return true;
}

bool otter_path_has_ranks(const char *path)
{
    struct ranks ranks;
    struct otter_complaint ignored;
    bool has_ranks = read_ranks(path, &ranks, &ignored) && ranks.n > 0;
    free(ranks.numbers);
    return has_ranks;
}

// All archives: BEFORE, then AFTER.
struct jobs {
    const struct otter_diff_paths *paths;
    struct ranks ranks[2 * OTTER_DIFF_MOST_RUNS];
    struct otter_job jobs[2 * OTTER_DIFF_MOST_RUNS]; // their critical paths, without calls
    uint32_t n;
};

static const char *path_of(const struct jobs *jobs, uint32_t i)
{
    uint32_t n = jobs->paths->n_before;
    return i < n ? jobs->paths->before[i] : jobs->paths->after[i - n];
}

static bool has_rank(const struct ranks *ranks, uint32_t rank)
{
    size_t low = 0, high = ranks->n;
    OTTER_SEARCH(low, high, middle, ranks->numbers[middle] < rank)
    return low < ranks->n && ranks->numbers[low] == rank;
}

// *Returns* the smallest rank in any archive that is at least `least`, or OTTER_NONE.
static uint32_t next_rank(const struct jobs *jobs, uint32_t least)
{
    uint32_t next = OTTER_NONE;
    for (uint32_t i = 0; i < jobs->n; i++) {
        for (size_t k = 0; k < jobs->ranks[i].n; k++) {
            uint32_t number = jobs->ranks[i].numbers[k];
            next = number >= least && number < next ? number : next;
        }
    }
    return next;
}

// Returns whether the jobs `first` to `end` have the same number of ranks.
static bool have_one_size(const struct jobs *jobs, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++) {
        if (jobs->ranks[i].n_of_job != jobs->ranks[first].n_of_job) {
            return false;
        }
    }
    return true;
}

// *Returns* false after a message.
static bool are_comparable(const struct jobs *jobs)
{
    uint32_t n_before = jobs->paths->n_before, merged = 0, alone = OTTER_NONE;
    for (uint32_t i = 0; i < jobs->n; i++) {
        merged = jobs->ranks[i].n > 0 ? i : merged;
        alone = jobs->ranks[i].n == 0 ? i : alone;
    }
    if (alone != OTTER_NONE) {
        otter_error("'%s' is the archive of one process, and '%s' has several ranks: compare it "
                    "with one of them, such as '%s/" OTTER_RANK_PREFIX "%" PRIu32 "'",
                    path_of(jobs, alone), path_of(jobs, merged), path_of(jobs, merged),
                    jobs->ranks[merged].numbers[0]);
        return false;
    }
    if (!have_one_size(jobs, 0, n_before) || !have_one_size(jobs, n_before, jobs->n)) {
        otter_error("the jobs on one side have different numbers of ranks, so they cannot be "
                    "compared: name jobs with the same number of ranks on each side");
        return false;
    }
    return true;
}

// ---- critical paths

// A rank that cannot be read is left out.
static bool read_path(struct otter_job *job, const char *path, uint32_t *n_failed)
{
    struct otter_archive *archive;
    struct otter_complaint complaint;
    if (otter_archive_open(path, &archive, &complaint)) {
        otter_error("%s", complaint.text);
        return false;
    }
    *n_failed += otter_job_read_ranks(job, archive, NULL, NULL, NULL);
    otter_job_conclude(job, archive);
    for (uint32_t i = 0; i < job->ranks.n; i++) {
        otter_rank_calls_finish(otter_job_calls(job, i));
    }
    otter_archive_close(archive);
    return true;
}

static bool read_all_paths(struct jobs *jobs, uint32_t *n_failed)
{
    bool is_good = true;
    for (uint32_t i = 0; i < jobs->n && is_good; i++) {
        is_good = read_path(&jobs->jobs[i], path_of(jobs, i), n_failed);
    }
    return is_good;
}

// ---- one rank

enum side { BEFORE, AFTER };

static bool side_has(const struct jobs *jobs, enum side side, uint32_t rank)
{
    uint32_t n_before = jobs->paths->n_before;
    for (uint32_t i = side == BEFORE ? 0 : n_before; i < (side == BEFORE ? n_before : jobs->n);
         i++) {
        if (!has_rank(&jobs->ranks[i], rank)) {
            return false;
        }
    }
    return true;
}

static void warn(const struct jobs *jobs, uint32_t rank)
{
    for (uint32_t i = 0; i < jobs->n; i++) {
        if (!has_rank(&jobs->ranks[i], rank)) {
            otter_warning("'%s' has no rank %" PRIu32 ": the rank is left out", path_of(jobs, i),
                          rank);
            return;
        }
    }
}

// Adds the rank from the archives of the sides that have it.
static bool add_rank(struct otter_diff *diff, struct otter_diff_job *job, const struct jobs *jobs,
                     uint32_t rank, const bool has[2])
{
    char *names[2 * OTTER_DIFF_MOST_RUNS];
    struct otter_complaint complaint;
    uint32_t n_before = jobs->paths->n_before;
    for (uint32_t i = 0; i < jobs->n; i++) {
        names[i] = otter_path("%s/" OTTER_RANK_PREFIX "%" PRIu32, path_of(jobs, i), rank);
    }
    struct otter_diff_paths paths = {.before = names,
                                     .after = names + n_before,
                                     .n_before = has[BEFORE] ? n_before : 0,
                                     .n_after = has[AFTER] ? jobs->n - n_before : 0,
                                     .jobs = jobs->jobs + (has[BEFORE] ? 0 : n_before)};
    bool is_good = !otter_diff_job_read(diff, job, rank, &paths, &complaint);
    if (!is_good) {
        otter_error("rank %" PRIu32 " is left out: %s", rank, complaint.text);
    }
    for (uint32_t i = 0; i < jobs->n; i++) {
        free(names[i]);
    }
    return is_good;
}

// *Returns* the number of ranks that cannot be compared.
static uint32_t add_ranks(struct otter_diff *diff, struct otter_diff_job *job,
                          const struct jobs *jobs)
{
    uint32_t n_failed = 0;
    for (uint32_t rank = 0; (rank = next_rank(jobs, rank)) != OTTER_NONE; rank++) {
        bool has[2] = {side_has(jobs, BEFORE, rank), side_has(jobs, AFTER, rank)};
        if ((has[BEFORE] && has[AFTER]) || (!job->has_equal_sizes && (has[BEFORE] || has[AFTER]))) {
            n_failed += !add_rank(diff, job, jobs, rank, has);
        } else {
            warn(jobs, rank);
        }
    }
    return n_failed;
}

// ---- all

static bool compare(struct otter_diff *diff, struct otter_diff_job *job, struct jobs *jobs,
                    uint32_t *n_failed)
{
    if (!are_comparable(jobs) || !read_all_paths(jobs, n_failed)) {
        return false;
    }
    job->has_equal_sizes = have_one_size(jobs, 0, jobs->n);
    otter_diff_job_begin(diff, job, jobs->paths);
    *n_failed += add_ranks(diff, job, jobs);
    if (diff->before.runs[0].n_ranks == 0 || diff->after.runs[0].n_ranks == 0) {
        otter_error("'%s' and '%s' have no rank that can be compared", path_of(jobs, 0),
                    path_of(jobs, jobs->paths->n_before));
        return false;
    }
    otter_diff_job_end(diff, job);
    return true;
}

static bool read_all(struct jobs *jobs)
{
    struct otter_complaint complaint;
    for (uint32_t i = 0; i < jobs->n; i++) {
        if (!read_ranks(path_of(jobs, i), &jobs->ranks[i], &complaint)) {
            otter_error("%s", complaint.text);
            return false;
        }
    }
    return true;
}

bool otter_rank_diffs_read(struct otter_diff *diff, struct otter_diff_job *job,
                           const struct otter_diff_paths *paths, uint32_t *n_failed)
{
    struct jobs jobs = {.paths = paths, .n = paths->n_before + paths->n_after};
    *n_failed = 0;
    bool is_compared = read_all(&jobs) && compare(diff, job, &jobs, n_failed);
    for (uint32_t i = 0; i < jobs.n; i++) {
        free(jobs.ranks[i].numbers);
        otter_job_finish(&jobs.jobs[i]);
    }
    return is_compared;
}
