// otter diff: what has changed between two runs of a program, or between two sets of runs.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/output/new_file.h"
#include "base/path.h"
#include "base/text/print.h"
#include "base/output/protected.h"
#include "base/text/visible.h"
#include "cli/command.h"
#include "cli/progress.h"
#include "cli/request/diff_request.h"
#include "cli/request/job.h"
#include "report/ranks/rank_diffs.h"
#include "report/form/terminal.h"
#include "report/diff/diff_data.h"
#include "report/diff/diff_ranks.h"
#include "trace/schema.h"

static struct otter_diff diff; // too large for a stack

static bool find_table(const struct otter_diff_request *request,
                       const struct otter_diff_table **table)
{
    *table = request->table ? otter_diff_find_table(&diff, request->table) : NULL;
    if (request->table && !*table) {
        otter_error("--critical-path=ranks needs the ranks of jobs: each of these archives has one "
                    "process (otter help merge)");
        return false;
    }
    const char *lack = *table ? otter_diff_lack_of_samples(*table) : NULL;
    if (lack) {
        otter_error("--functions: %s", lack);
        return false;
    }
    if (!*table || !request->sort) {
        return true;
    }
    struct otter_diff_table *sorted = &diff.tables[*table - diff.tables];
    unsigned column = otter_diff_find_column(sorted, request->sort);
    if (column == sorted->n_columns) {
        char names[512] = "";
        for (unsigned i = 0; i < sorted->n_columns; i++) {
            size_t used = strlen(names);
            snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "",
                     sorted->columns[i].name);
        }
        otter_error("--sort: the table has no column '%s'; its columns are %s", request->sort,
                    names);
        return false;
    }
    otter_diff_sort(sorted, column);
    return true;
}

static bool evaluate(struct otter_diff_request *request)
{
    char complaint[OTTER_CONDITION_TEXT];
    for (size_t i = 0; i < request->n_conditions; i++) {
        if (!otter_condition_evaluate(&request->conditions[i], &diff, complaint)) {
            otter_error("%s", complaint);
            return false;
        }
    }
    return true;
}

static enum otter_status print_json(const struct otter_diff_request *request,
                                    const struct otter_diff_table *table)
{
    if (table) {
        return otter_json_print(stdout, otter_diff_table_json(&diff, table, &request->style));
    }
    json_t *root = otter_diff_json(&diff);
    if (request->n_conditions > 0) {
        otter_json_set(root, "conditions",
                       otter_conditions_json(request->conditions, request->n_conditions));
    }
    return otter_json_print(stdout, root);
}

// Prints the ranks of jobs, and the command that compares the first of them.
static void print_ranks(const struct otter_diff_request *request)
{
    if (!diff.job) {
        return;
    }
    otter_diff_print_ranks(stdout, &diff, request->style.n_rows);
    uint32_t rank = otter_diff_first_rank(diff.job);
    if (rank != OTTER_NONE && request->n_paths[0] == 1 && request->n_paths[1] == 1) {
        char *before = otter_visible_word(request->paths[0][0]);
        char *after = otter_visible_word(request->paths[1][0]);
        otter_print(stdout, "\nnext: otter diff --rank=%" PRIu32 " %s %s\n", rank, before, after);
        free(before);
        free(after);
    }
}

static enum otter_status print(const struct otter_diff_request *request,
                               const struct otter_diff_table *table)
{
    if (request->form == OTTER_DIFF_JSON) {
        return print_json(request, table);
    }
    if (request->form == OTTER_DIFF_CSV) {
        otter_diff_print_csv(stdout, &diff, table, &request->style);
        return OTTER_OK;
    }
    if (table) {
        otter_diff_print_table(stdout, &diff, table, &request->style);
    } else {
        otter_diff_print_summary(stdout, &diff, &request->style);
        print_ranks(request);
    }
    otter_conditions_print(stdout, request->conditions, request->n_conditions);
    return OTTER_OK;
}

// Returns false after printing an error.
static bool write_junit(const struct otter_diff_request *request)
{
    struct otter_new_file file;
    if (!request->junit) {
        return true;
    }
    int error = otter_new_file_open(&file, request->junit);
    if (!error) {
        otter_conditions_print_junit(file.stream, request->conditions, request->n_conditions);
        error = otter_new_file_close(&file);
        error = error ? error : otter_new_file_publish(&file);
    }
    otter_new_file_finish(&file);
    if (error) {
        otter_error("cannot write '%s': %s", request->junit, otter_new_file_error(error));
    }
    return !error;
}

static int compare(struct otter_diff_request *request)
{
    const struct otter_diff_table *table;
    if (!find_table(request, &table) || !evaluate(request)) {
        return OTTER_EXIT_USAGE;
    }
    enum otter_status status = print(request, table);
    if (status) {
        otter_error("cannot print the comparison: %s", otter_status_text(status));
        return OTTER_EXIT_FAILED;
    }
    bool is_good = write_junit(request);
    for (size_t i = 0; i < request->n_conditions; i++) {
        is_good = is_good && !otter_condition_fails(&request->conditions[i]);
    }
    return is_good ? OTTER_EXIT_OK : OTTER_EXIT_FAILED;
}

// Returns false after printing an error.
static bool prepare_jobs(const struct otter_diff_request *request)
{
    bool is_ready = true;
    for (int side = 0; side < 2; side++) {
        for (uint32_t i = 0; i < request->n_paths[side] && is_ready; i++) {
            is_ready = otter_prepare_job(request->paths[side][i]) &&
                       otter_protected_add(request->paths[side][i]);
        }
    }
    return is_ready;
}

static bool has_jobs(const struct otter_diff_request *request)
{
    bool has_ranks = false;
    for (int side = 0; side < 2 && !request->has_rank; side++) {
        for (uint32_t i = 0; i < request->n_paths[side]; i++) {
            has_ranks = has_ranks || otter_path_has_ranks(request->paths[side][i]);
        }
    }
    return has_ranks;
}

// Replaces the path of an archive with the path of its rank.
static void name_ranks(struct otter_diff_request *request)
{
    for (int side = 0; side < 2 && request->has_rank; side++) {
        for (uint32_t i = 0; i < request->n_paths[side]; i++) {
            request->paths[side][i] = otter_path("%s/" OTTER_RANK_PREFIX "%" PRIu32,
                                                 request->paths[side][i], request->rank);
        }
    }
}

static void free_ranks(struct otter_diff_request *request)
{
    for (int side = 0; side < 2 && request->has_rank; side++) {
        for (uint32_t i = 0; i < request->n_paths[side]; i++) {
            free(request->paths[side][i]);
        }
    }
}

// Reads all archives. Returns false after printing an error.
static bool read_archives(struct otter_diff_request *request, struct otter_diff_job *job,
                          uint32_t *n_failed)
{
    struct otter_complaint complaint;
    struct otter_diff_wish wish = {.changes = request->changes, .n = request->n_changes};
    struct otter_diff_paths paths = {.before = request->paths[0],
                                     .after = request->paths[1],
                                     .n_before = request->n_paths[0],
                                     .n_after = request->n_paths[1],
                                     .wish = request->is_predicting ? &wish : NULL};
    if (has_jobs(request)) {
        if (request->is_predicting) {
            otter_error("a prediction is for one process: choose a rank of both jobs with "
                        "--rank=N");
            return false;
        }
        return otter_rank_diffs_read(&diff, job, &paths, n_failed);
    }
    name_ranks(request);
    if (otter_diff_init(&diff, &paths, &complaint)) {
        otter_error("%s", complaint.text);
        return false;
    }
    return true;
}

static void begin_progress(const struct otter_diff_request *request)
{
    otter_progress_begin_several(OTTER_DIFF_PASSES);
    for (int side = 0; side < 2; side++) {
        for (uint32_t i = 0; i < request->n_paths[side]; i++) {
            otter_progress_add(request->paths[side][i]);
        }
    }
}

static int run(int argc, char **argv)
{
    static struct otter_diff_request request; // too large for a stack
    request =
        (struct otter_diff_request){.style = {.n_rows = 20, .width = otter_terminal_width(stdout)}};
    int status = otter_diff_request_read(&request, argc, argv);
    if (status) {
        return status;
    }
    if (!prepare_jobs(&request)) {
        return OTTER_EXIT_FAILED;
    }
    struct otter_diff_job job = {.most = NULL};
    uint32_t n_failed = 0;
    int result = OTTER_EXIT_FAILED;
    begin_progress(&request);
    bool is_read = read_archives(&request, &job, &n_failed);
    otter_progress_end(NULL);
    if (is_read) {
        result = compare(&request);
    }
    otter_diff_finish(&diff);
    otter_diff_job_finish(&job);
    free_ranks(&request);
    return result == OTTER_EXIT_OK && n_failed > 0 ? OTTER_EXIT_FAILED : result;
}

const struct otter_command otter_command_diff = {
    .name = "diff",
    .summary = "show what has changed between two runs",
    .print_help = otter_help_diff,
    .run = run,
};
