// Reports several recordings of one program.
#include "cli/runs.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/log.h"
#include "base/path.h"
#include "cli/command.h"
#include "cli/progress.h"
#include "report/ranks/rank_diffs.h"
#include "report/form/terminal.h"
#include "report/runs/runs.h"

// Sets *status to the stat() of an archive's .otf2 file. Fails if `path` names a rank of a job,
// since that is not a file.
static bool find_anchor(const char *path, struct stat *status)
{
    char *anchor = otter_path("%s/traces.otf2", path);
    bool is_found = anchor && (stat(anchor, status) == 0 || stat(path, status) == 0);
    free(anchor);
    return is_found;
}

// If the same recording is given twice, it looks like two recordings that agree.
static bool is_same_archive(const char *a, const char *b)
{
    struct stat first, second;
    return find_anchor(a, &first) && find_anchor(b, &second) && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

// Returns false after printing an error.
static bool check_paths(char *const *paths, uint32_t n)
{
    if (n > OTTER_DIFF_MOST_RUNS) {
        otter_error("'otter report' combines at most %d archives, not %u", OTTER_DIFF_MOST_RUNS, n);
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (otter_path_has_ranks(paths[i])) {
            otter_error("'%s' is the archive of a job: 'otter report' combines archives of "
                        "processes; give ranks, such as '%s/rank-0'",
                        paths[i], paths[i]);
            return false;
        }
        for (uint32_t k = 0; k < i; k++) {
            if (is_same_archive(paths[k], paths[i])) {
                otter_error("'%s' and '%s' are the same archive: leave one out", paths[k],
                            paths[i]);
                return false;
            }
        }
    }
    return true;
}

int otter_report_runs(char *const *paths, uint32_t n, bool is_json)
{
    static struct otter_runs runs; // too large for a stack
    struct otter_complaint complaint;
    if (!check_paths(paths, n)) {
        return OTTER_EXIT_USAGE;
    }
    otter_progress_begin_several(OTTER_DIFF_PASSES);
    for (uint32_t i = 0; i < n; i++) {
        otter_progress_add(paths[i]);
    }
    enum otter_status status = otter_runs_init(&runs, paths, n, &complaint);
    otter_progress_end(NULL);
    if (status) {
        otter_error("%s", complaint.text);
    } else if (is_json) {
        status = otter_json_print(stdout, otter_runs_json(&runs));
    } else {
        otter_runs_print(stdout, &runs, otter_terminal_width(stdout));
    }
    otter_runs_finish(&runs);
    return status == OTTER_BAD_VALUE ? OTTER_EXIT_USAGE
           : status                  ? OTTER_EXIT_FAILED
                                     : OTTER_EXIT_OK;
}
