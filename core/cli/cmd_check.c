// The command `otter check`: checks that an archive is consistent.
#include <stdlib.h>

#include "base/log.h"
#include "base/text/print.h"
#include "cli/command.h"
#include "analysis/job/each_rank.h"
#include "cli/request/memory.h"
#include "cli/request/newest.h"
#include "cli/request/open.h"
#include "cli/progress.h"
#include "merge/job_folder.h"
#include "report/check/check_account.h"
#include "report/check/check_print.h"
#include "source/stored_lines.h"

enum { OPTION_ADD_LINES = 'l' };

static const struct option long_options[] = {{"add-lines", no_argument, NULL, OPTION_ADD_LINES},
                                             {"json", no_argument, NULL, 'j'},
                                             OTTER_SHARED_OPTIONS};

static int print_report(const struct otter_archive *archive,
                        const struct otter_check_report *report, bool as_json)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    if (!as_json) {
        otter_check_print(stdout, definitions, report);
    } else if (otter_check_print_json(stdout, definitions, report)) {
        return OTTER_EXIT_FAILED;
    }
    return otter_check_print_errors(report) == 0 ? OTTER_EXIT_OK : OTTER_EXIT_FAILED;
}

static enum otter_status make_checks(struct otter_archive *archive,
                                     struct otter_check_report *report,
                                     struct otter_complaint *complaint)
{
    struct otter_graph *fragments;
    enum otter_status status = otter_check_archive(archive, report, &fragments, complaint);
    if (status) {
        otter_graph_destroy(fragments);
        return status;
    }
    return otter_check_account(archive, report, fragments, complaint);
}

static void announce(struct otter_archive *archive)
{
    enum { PASSES = 4 }; // over the archive: events, two graphs, account
    otter_announce_memory(archive, OTTER_NEED_OF_CHECK);
    otter_progress_begin(archive, PASSES);
}

static int check_archive(struct otter_archive *archive, bool as_json)
{
    struct otter_complaint complaint;
    int exit_status = OTTER_EXIT_FAILED;
    struct otter_check_report *report = malloc(sizeof *report);
    announce(archive);
    enum otter_status status = make_checks(archive, report, &complaint);
    otter_progress_end(archive);
    if (status) {
        otter_error("%s", complaint.text);
    } else {
        exit_status = print_report(archive, report, as_json);
    }
    free(report);
    return exit_status;
}

struct rank_checks {
    bool as_json;
    uint32_t n_done;
};

struct rank_check {
    struct otter_check_report report;
    struct otter_complaint complaint;
    enum otter_status status;
};

static void check_rank(const void *user, struct otter_archive *archive, void *result)
{
    struct rank_check *check = result;
    (void)user;
    check->status = make_checks(archive, &check->report, &check->complaint);
}

static bool print_rank(void *user, struct otter_archive *archive, void *result)
{
    struct rank_checks *checks = user;
    const struct rank_check *check = result;
    otter_progress_hide();
    if (checks->n_done++ > 0) {
        otter_print(stdout, checks->as_json ? ",\n" : "\n");
    }
    if (check->status) {
        otter_error("%s", check->complaint.text);
        return false;
    }
    return print_report(archive, &check->report, checks->as_json) == OTTER_EXIT_OK;
}

// Checks each rank. JSON is an array of the ranks' objects.
static int check_ranks(struct otter_archive *archive, bool as_json)
{
    struct rank_checks checks = {.as_json = as_json};
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    if (as_json) {
        otter_print(stdout, "[\n");
    }
    static const struct otter_rank_steps steps = {
        .size = sizeof(struct rank_check), .read = check_rank, .use = print_rank};
    announce(archive);
    uint32_t n_failed = otter_each_rank(archive, &steps, &checks);
    otter_progress_end(archive);
    if (as_json) {
        otter_print(stdout, "]\n");
    } else {
        otter_print(stdout, "\n%s: %zu of %zu ranks passed\n", definitions->folder,
                    definitions->n_ranks - n_failed, definitions->n_ranks);
    }
    return n_failed == 0 ? OTTER_EXIT_OK : OTTER_EXIT_FAILED;
}

static int check(const char *path, const char *rank, bool as_json)
{
    struct otter_archive *archive;
    if (!otter_open_ranks(path, rank, &archive)) {
        return OTTER_EXIT_FAILED;
    }
    int exit_status =
        otter_has_ranks(archive) ? check_ranks(archive, as_json) : check_archive(archive, as_json);
    otter_archive_close(archive);
    return exit_status;
}

static int add_lines(const char *path)
{
    struct otter_stored_lines lines;
    struct otter_complaint complaint;
    if (otter_lines_store(path, &lines, &complaint)) {
        otter_error("%s", complaint.text);
        return OTTER_EXIT_FAILED;
    }
    otter_print(stdout, "%s: lines of %zu region%s added, %zu region%s without a line\n", path,
                lines.n_new, otter_plural(lines.n_new), lines.n_without,
                otter_plural(lines.n_without));
    return OTTER_EXIT_OK;
}

// Adds lines to an archive, or to the archives of all ranks in the folder of a job.
static int add_all_lines(const char *path)
{
    struct otter_job_folder job;
    otter_job_folder_read(&job, path);
    int status = job.n == 0 ? add_lines(path) : OTTER_EXIT_OK;
    for (uint32_t i = 0; i < job.n; i++) {
        int one = add_lines(job.items[i]);
        status = one ? one : status;
    }
    otter_job_folder_free(&job);
    return status;
}

static int run(int argc, char **argv)
{
    bool as_json = false, adds_lines = false;
    const char *rank = NULL;
    int status = OTTER_EXIT_OK;
    for (int option; (option = getopt_long(argc, argv, ":jh", long_options, NULL)) != -1;) {
        switch (option) {
        case 'j': as_json = true; break;
        case OPTION_ADD_LINES: adds_lines = true; break;
        default: status = otter_shared_option(option, &rank, argv, long_options);
        }
        if (status) {
            return status;
        }
    }
    char newest[NAME_MAX + 1];
    const char *path;
    status = otter_archive_argument(argc, argv, newest, &path);
    if (status) {
        return status;
    }
    return adds_lines ? add_all_lines(path) : check(path, rank, as_json);
}

const struct otter_command otter_command_check = {
    .name = "check",
    .summary = "verify that an archive is consistent",
    .print_help = otter_help_check,
    .run = run,
};
