// Parses the command line of `otter diff`.
#include "cli/request/diff_request.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/exit_status.h"
#include "base/log.h"
#include "cli/request/memory.h"
#include "cli/request/open.h"
#include "cli/request/options.h"
#include "cli/request/table_options.h"

enum {
    OPTION_JUNIT = OTTER_FIRST_TABLE + OTTER_MAX_TABLES,
    OPTION_FINDINGS,
    OPTION_CAUSES,
    OPTION_PREDICT,
    OPTION_FAIL_IF
};

static const struct option other_options[] = {{"findings", no_argument, NULL, OPTION_FINDINGS},
                                              {"causes", no_argument, NULL, OPTION_CAUSES},
                                              {"sort", required_argument, NULL, 's'},
                                              {"top", required_argument, NULL, 't'},
                                              {"filter", required_argument, NULL, 'f'},
                                              {"predict", no_argument, NULL, OPTION_PREDICT},
                                              {"what-if", required_argument, NULL, 'w'},
                                              {"fail-if", required_argument, NULL, OPTION_FAIL_IF},
                                              {"junit", required_argument, NULL, OPTION_JUNIT},
                                              {"after", no_argument, NULL, 'a'},
                                              {"csv", no_argument, NULL, 'c'},
                                              {"json", no_argument, NULL, 'j'},
                                              OTTER_SHARED_OPTIONS};

static struct option long_options[OTTER_MAX_TABLES + sizeof other_options / sizeof *other_options];

static void list_options(void)
{
    unsigned n = otter_table_options(long_options);
    memcpy(long_options + n, other_options, sizeof other_options);
}

// ---- the command line

static bool add_path(struct otter_diff_request *request, char *path)
{
    uint32_t *n = &request->n_paths[request->is_after];
    if (*n == OTTER_DIFF_MOST_RUNS) {
        otter_error("'otter diff' compares at most %d archives per side: leave '%s' out",
                    OTTER_DIFF_MOST_RUNS, path);
        return false;
    }
    request->paths[request->is_after][(*n)++] = path;
    return true;
}

static bool add_condition(struct otter_diff_request *request, const char *text)
{
    char complaint[OTTER_CONDITION_TEXT];
    if (request->n_conditions == OTTER_DIFF_CONDITIONS) {
        otter_error("--fail-if takes at most %d conditions; '%s' is one too many",
                    OTTER_DIFF_CONDITIONS, text);
        return false;
    }
    if (!otter_condition_parse(&request->conditions[request->n_conditions++], text, complaint)) {
        otter_error("%s (otter help diff)", complaint);
        return false;
    }
    return true;
}

static bool add_change(struct otter_diff_request *request, char *text)
{
    if (request->n_changes == OTTER_DIFF_CHANGES) {
        otter_error("--what-if takes at most %d changes; '%s' is one too many", OTTER_DIFF_CHANGES,
                    text);
        return false;
    }
    if (!otter_what_if_read(text, &request->changes[request->n_changes++])) {
        otter_error("--what-if takes a change as in 'otter report', such as 'forces=0.5x', not "
                    "'%s' (otter help report)",
                    text);
        return false;
    }
    request->is_predicting = true;
    return true;
}

static bool choose_table(struct otter_diff_request *request, int option)
{
    request->n_tables++;
    request->table = option == OPTION_CAUSES ? "causes" : "findings";
    if (option == OPTION_FINDINGS || option == OPTION_CAUSES) {
        return true;
    }
    const char *name = long_options[option - OTTER_FIRST_TABLE].name;
    const struct otter_report_table *table = otter_table_of(name, optarg);
    if (!table || !otter_diff_is_compared(table, true)) {
        otter_error("'otter diff' cannot compare the table '--%s%s%s' (otter help diff)", name,
                    optarg ? "=" : "", optarg ? optarg : "");
        return false;
    }
    request->table = table->name;
    return true;
}

static bool set_form(struct otter_diff_request *request, enum otter_diff_form form)
{
    bool is_good = request->form == OTTER_DIFF_TEXT || request->form == form;
    if (!is_good) {
        otter_error("--csv and --json exclude each other "
                    "(otter help diff)");
    }
    request->form = form;
    return is_good;
}

// Returns false after printing an error.
static bool read_option(struct otter_diff_request *request, int option, char **argv)
{
    switch (option) {
    case 1: return add_path(request, optarg);
    case 'a': request->is_after = true; return true;
    case 's': request->sort = optarg; return true;
    case OTTER_OPTION_RANK:
        request->has_rank = true;
        return otter_read_rank(optarg, &request->rank);
    case OTTER_OPTION_MEMORY: return otter_set_memory(optarg);
    case OTTER_OPTION_JOBS: return otter_set_jobs(optarg);
    case 't': return otter_table_read_rows("diff", optarg, &request->style.n_rows);
    case 'f': request->style.filter = optarg; return true;
    case 'w': return add_change(request, optarg);
    case OPTION_PREDICT: request->is_predicting = true; return true;
    case OPTION_FAIL_IF: return add_condition(request, optarg);
    case OPTION_JUNIT: request->junit = optarg; return true;
    case 'c': return set_form(request, OTTER_DIFF_CSV);
    case 'j': return set_form(request, OTTER_DIFF_JSON);
    default: break;
    }
    if (option < OTTER_FIRST_TABLE) {
        return otter_bad_option(option, argv, long_options) == OTTER_EXIT_OK;
    }
    return choose_table(request, option);
}

// "BEFORE AFTER" needs no --after. Returns false after printing an error.
static bool split_paths(struct otter_diff_request *request)
{
    if (!request->is_after && request->n_paths[0] == 2) {
        request->paths[1][0] = request->paths[0][1];
        request->n_paths[0] = request->n_paths[1] = 1;
        return true;
    }
    if (request->n_paths[0] == 0 || request->n_paths[1] == 0) {
        otter_error("'otter diff' compares two archives, or two lists: 'otter diff BEFORE AFTER', "
                    "'otter diff B1 B2 --after A1 A2' (otter help diff)");
        return false;
    }
    return true;
}

// Refuses options that contradict each other or would have no effect.
static bool is_sensible(const struct otter_diff_request *request)
{
    const char *complaint = NULL;
    if (request->n_tables > 1) {
        complaint = "'otter diff' prints one table at a time";
    } else if (request->sort && request->n_tables == 0) {
        complaint = "--sort applies to a table: name it, for example 'otter diff --tasks'";
    } else if (request->is_predicting &&
               (request->n_tables > 0 || request->form == OTTER_DIFF_CSV)) {
        complaint = "predictions are in the summary, as text or JSON: leave tables and --csv out";
    } else if (request->junit && request->n_conditions == 0) {
        complaint = "--junit writes conditions: give one with --fail-if";
    }
    if (complaint) {
        otter_error("%s (otter help diff)", complaint);
    }
    return !complaint;
}

int otter_diff_request_read(struct otter_diff_request *request, int argc, char **argv)
{
    list_options();
    for (int option;
         (option = getopt_long(argc, argv, "-:as:t:f:w:cjh", long_options, NULL)) != -1;) {
        if (option == 'h') {
            return OTTER_EXIT_HELP;
        }
        if (!read_option(request, option, argv)) {
            return OTTER_EXIT_USAGE;
        }
    }
    for (; optind < argc; optind++) { // after "--"
        if (!add_path(request, argv[optind])) {
            return OTTER_EXIT_USAGE;
        }
    }
    return is_sensible(request) && split_paths(request) ? OTTER_EXIT_OK : OTTER_EXIT_USAGE;
}
