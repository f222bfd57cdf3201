// Opens the archive that a command reads.
#include "cli/request/open.h"

#include "analysis/job/each_rank.h"
#include "base/exit_status.h"
#include "base/log.h"
#include "base/output/protected.h"
#include "cli/request/job.h"
#include "cli/request/newest.h"
#include "cli/request/options.h"

bool otter_read_rank(const char *text, uint32_t *rank)
{
    if (!otter_rank_from_text(text, rank)) {
        otter_error("--rank takes the number of a rank, from 0 on, not '%s'", text);
        return false;
    }
    return true;
}

bool otter_set_jobs(const char *text)
{
    enum { MAX_JOBS = 4096 };
    uint32_t n;
    if (!otter_rank_from_text(text, &n) || n == 0 || n > MAX_JOBS) {
        otter_error("--jobs takes the number of ranks to read at a time, from 1 to %d, not '%s'",
                    MAX_JOBS, text);
        return false;
    }
    otter_ranks_set_threads(n);
    return true;
}

int otter_shared_option(int option, const char **rank, char **argv, const struct option *options)
{
    uint32_t number;
    switch (option) {
    case OTTER_OPTION_RANK:
        *rank = optarg;
        return otter_read_rank(optarg, &number) ? OTTER_EXIT_OK : OTTER_EXIT_USAGE;
    case OTTER_OPTION_MEMORY: return otter_set_memory(optarg) ? OTTER_EXIT_OK : OTTER_EXIT_USAGE;
    case OTTER_OPTION_JOBS: return otter_set_jobs(optarg) ? OTTER_EXIT_OK : OTTER_EXIT_USAGE;
    default: return otter_bad_option(option, argv, options);
    }
}

static bool open_rank(const char *path, const char *rank, struct otter_archive **archive)
{
    uint32_t number;
    struct otter_complaint complaint;
    if (!otter_read_rank(rank, &number)) {
        return false;
    }
    if (otter_archive_open_rank(path, number, archive, &complaint)) {
        otter_error("%s", complaint.text);
        return false;
    }
    return true;
}

bool otter_open_ranks(const char *path, const char *rank, struct otter_archive **archive)
{
    struct otter_complaint complaint;
    if (!otter_prepare_job(path)) {
        return false;
    }
    if (rank && !open_rank(path, rank, archive)) {
        return false;
    }
    if (!rank && otter_archive_open(path, archive, &complaint)) {
        otter_error("%s", complaint.text);
        return false;
    }
    otter_protected_add(otter_archive_definitions(*archive)->folder);
    return true;
}

int otter_open_argument(int argc, char **argv, const char *rank, struct otter_archive **archive)
{
    char newest[NAME_MAX + 1];
    const char *path;
    int status = otter_archive_argument(argc, argv, newest, &path);
    if (status) {
        return status;
    }
    return otter_open_ranks(path, rank, archive) ? OTTER_EXIT_OK : OTTER_EXIT_FAILED;
}
