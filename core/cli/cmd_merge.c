// The command `otter merge`: makes one archive from the archives of a job's ranks.
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text/number.h"
#include "base/text/print.h"
#include "base/text/visible.h"
#include "cli/command.h"
#include "cli/request/job.h"
#include "cli/request/options.h"
#include "merge/job_folder.h"
#include "merge/merge.h"

enum { OPTION_OFFSETS = 256, OPTION_COPY };

static const struct option long_options[] = {
    {"output", required_argument, NULL, 'o'}, {"offsets", required_argument, NULL, OPTION_OFFSETS},
    {"copy", no_argument, NULL, OPTION_COPY}, {"force", no_argument, NULL, 'f'},
    {"help", no_argument, NULL, 'h'},         {NULL, 0, NULL, 0},
};

static void print_clocks(const struct otter_merge_result *result)
{
    char deviation[OTTER_MAX_NUMBER];
    otter_duration_text((double)result->clock_deviation_ns / 1e9, deviation);
    switch (result->clocks) {
    case OTTER_CLOCKS_EXACT: otter_print(stdout, "clocks: exact, one host\n"); return;
    case OTTER_CLOCKS_FILE:
        otter_print(stdout, "clocks: of %zu hosts, by the offsets file, deviation %s\n",
                    result->n_hosts, deviation);
        return;
    case OTTER_CLOCKS_MPI:
        otter_print(stdout, "clocks: of %zu hosts, as measured in MPI, uncertain by %s\n",
                    result->n_hosts, deviation);
        return;
    case OTTER_CLOCKS_REALTIME:
        otter_print(stdout,
                    "clocks: of %zu host%s, by their times of day, deviation about %s "
                    "(--offsets)\n",
                    result->n_hosts, otter_plural(result->n_hosts), deviation);
        return;
    case OTTER_CLOCKS_UNKNOWN: break;
    }
    otter_print(stdout,
                "clocks: unknown; ranks without a recorded time of day are assumed to start "
                "together\n");
}

static void print_result(const struct otter_merge_result *result)
{
    char ranks[OTTER_MAX_NUMBER], locations[OTTER_MAX_NUMBER];
    otter_print(stdout, "%s: %s rank%s, %s location%s\n", result->archive,
                otter_number_text(result->n_ranks, ranks), otter_plural(result->n_ranks),
                otter_number_text(result->n_locations, locations),
                otter_plural(result->n_locations));
    print_clocks(result);
    if (result->has_copied) {
        otter_note("event files are copies: hard links cannot be made there");
    }
    if (result->n_missing > result->n_left_out) {
        otter_warn_of_missing_ranks(result->archive);
    }
    char *word = otter_visible_word(result->archive);
    otter_print(stdout, "next: otter report %s\n", word);
    free(word);
}

static int run(int argc, char **argv)
{
    struct otter_merge_request request = {.output = NULL};
    for (int option; (option = getopt_long(argc, argv, ":o:fh", long_options, NULL)) != -1;) {
        switch (option) {
        case 'o': request.output = optarg; break;
        case OPTION_OFFSETS: request.offsets = optarg; break;
        case OPTION_COPY: request.copies = true; break;
        case 'f': request.is_forced = true; break;
        default: return otter_bad_option(option, argv, long_options);
        }
    }
    if (optind == argc) {
        otter_error("'otter merge' needs the folder of a job, or archives (otter help merge)");
        return OTTER_EXIT_USAGE;
    }
    if (request.output && strcmp(request.output, "-") == 0) {
        otter_error("an archive is a folder and cannot go to standard output (otter help merge)");
        return OTTER_EXIT_USAGE;
    }
    request.paths = argv + optind;
    request.n_paths = (size_t)(argc - optind);
    struct otter_merge_result result;
    struct otter_complaint complaint;
    bool is_job = request.n_paths == 1 && !request.output;
    int lock = is_job ? otter_job_folder_lock(request.paths[0]) : -1;
    enum otter_status failure = otter_merge(&request, &result, &complaint);
    otter_job_folder_unlock(lock);
    if (failure) {
        otter_error("%s", complaint.text);
        return OTTER_EXIT_FAILED;
    }
    print_result(&result);
    int status = result.n_left_out > 0 ? OTTER_EXIT_FAILED : OTTER_EXIT_OK;
    free(result.archive);
    return status;
}

const struct otter_command otter_command_merge = {
    .name = "merge",
    .summary = "combine the archives of a job's ranks into one",
    .print_help = otter_help_merge,
    .run = run,
};
