// otter report: what limits a program, and by how much.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text/print.h"
#include "cli/command.h"
#include "cli/request/memory.h"
#include "cli/request/newest.h"
#include "cli/request/open.h"
#include "analysis/job/each_rank.h"
#include "report/ranks/job_analysis.h"
#include "cli/progress.h"
#include "report/ranks/rank_predictions.h"
#include "report/ranks/rank_reports.h"
#include "report/ranks/rank_tables.h"
#include "report/form/terminal.h"
#include "cli/request/table_options.h"
#include "report/table/report_table.h"
#include "cli/runs.h"
#include "report/screen/age.h"
#include "report/predict/predict.h"
#include "analysis/findings/read.h"

enum form { FORM_SUMMARY, FORM_FINDINGS, FORM_PREDICTION };

enum { MAX_CHANGES = 16 };

struct request {
    enum form form;
    const char *rank;  // as typed; NULL: none
    unsigned n_tables; // options that name a table
    struct otter_table_request table;
    uint32_t first_threads, last_threads; // for FORM_PREDICTION; 0: as in the run
    struct otter_what_if changes[MAX_CHANGES];
    size_t n_changes;
    bool is_newest; // the user has named no archive
};

static const struct option other_options[] = {
    {"what-if", required_argument, NULL, 'w'}, {"sort", required_argument, NULL, 's'},
    {"filter", required_argument, NULL, 'f'},  {"label", required_argument, NULL, 'l'},
    {"top", required_argument, NULL, 't'},     {"full", no_argument, NULL, 'F'},
    {"findings", no_argument, NULL, 'A'},      {"csv", no_argument, NULL, 'c'},
    {"json", no_argument, NULL, 'j'},          OTTER_SHARED_OPTIONS};

static struct option long_options[OTTER_MAX_TABLES + sizeof other_options / sizeof *other_options];

// Lists an option for each table, then all others. --threads has a range for predictions.
static void list_options(void)
{
    unsigned n = otter_table_options(long_options);
    for (unsigned i = 0; i < n; i++) {
        if (strcmp(long_options[i].name, "threads") == 0) {
            long_options[i].has_arg = optional_argument;
        }
    }
    memcpy(&long_options[n], other_options, sizeof other_options);
}

static enum otter_status print_prediction(const struct otter_report *report,
                                          const struct request *request)
{
    struct otter_predictions predictions;
    enum otter_status status =
        otter_predict(report, request->changes, request->n_changes, request->first_threads,
                      request->last_threads, &predictions);
    if (status) {
        return status;
    }
    if (request->table.form == OTTER_TABLE_JSON) {
        status = otter_predictions_print_json(stdout, report, &predictions);
    } else {
        otter_predictions_print(stdout, report, &predictions);
    }
    OTTER_THEN(status, otter_predictions_check(&predictions));
    otter_predictions_finish(&predictions);
    return status;
}

static struct otter_screen screen_of_output(const struct otter_archive *archive,
                                            const struct request *request)
{
    static char age[OTTER_AGE_SIZE];
    bool has_age = request->is_newest &&
                   *otter_age_text(otter_archive_definitions(archive), time(NULL), age) != '\0';
    return (struct otter_screen){(int)otter_terminal_width(stdout), otter_terminal_has_bold(stdout),
                                 has_age ? age : NULL};
}

static enum otter_status print_report(const struct otter_report *report,
                                      const struct request *request)
{
    if (request->form == FORM_PREDICTION) {
        return print_prediction(report, request);
    }
    if (request->n_tables > 0) {
        return otter_table_print(stdout, report, &request->table);
    }
    if (request->table.form == OTTER_TABLE_JSON) {
        return otter_report_print_json(stdout, report);
    }
    struct otter_screen screen = screen_of_output(report->archive, request);
    if (request->form == FORM_FINDINGS) {
        otter_report_print_findings(stdout, report, screen);
    } else {
        otter_report_print_summary(stdout, report, screen);
    }
    return OTTER_OK;
}

// Warns about missing events, unless the summary is printed, which contains this warning.
static void warn_of_missing_events(const struct otter_report *report, const struct request *request)
{
    bool is_summary = request->form == FORM_SUMMARY && request->n_tables == 0;
    otter_reading_warn_of_damage(report->archive);
    if (!is_summary && !otter_analysis_is_complete(report->analysis)) {
        otter_warning("the archive is not complete, so all numbers are estimates: otter check %s",
                      report->analysis->definitions->folder);
    }
}

// Replays take longer than anything else. Until they are over, the line on the terminal stays, and
// the output is held back.
static void begin_output(struct otter_archive *archive, const struct request *request)
{
    static char held[1 << 16];
    bool is_summary = request->form == FORM_SUMMARY && request->n_tables == 0 &&
                      request->table.form == OTTER_TABLE_TEXT;
    if (!is_summary && request->form != FORM_PREDICTION) {
        otter_progress_end(archive);
        return;
    }
    setvbuf(stdout, held, _IOFBF, sizeof held);
    otter_progress_step("replaying the run");
}

static enum otter_status analyse(struct otter_archive *archive, const struct request *request,
                                 struct otter_complaint *complaint)
{
    struct otter_labels labels;
    struct otter_analysis analysis;
    struct otter_findings findings;
    struct otter_reading reading = {
        .labels = &labels, .analysis = &analysis, .findings = &findings};
    otter_announce_memory(archive, OTTER_NEED_OF_ANALYSIS);
    otter_progress_begin(archive, 1);
    enum otter_status status = otter_reading_init(&reading, archive, complaint);
    if (!status) {
        struct otter_report report = {.archive = archive,
                                      .analysis = &analysis,
                                      .findings = &findings,
                                      .labels = &labels,
                                      .is_full = request->table.is_full,
                                      .counts = &findings.counts};
        warn_of_missing_events(&report, request);
        begin_output(archive, request);
        status = print_report(&report, request);
        snprintf(complaint->text, sizeof complaint->text, "cannot report '%s': %s",
                 otter_archive_definitions(archive)->folder, otter_status_text(status));
    }
    otter_progress_end(archive);
    otter_reading_finish(&reading);
    return status;
}

static int predict_ranks(struct otter_archive *archive, const struct request *request)
{
    return otter_rank_predictions_print(
        archive, &(struct otter_prediction_request){request->changes, request->n_changes,
                                                    request->first_threads, request->last_threads,
                                                    request->table.form == OTTER_TABLE_JSON});
}

static int report_ranks(struct otter_archive *archive, const struct request *request)
{
    if (request->form == FORM_PREDICTION) {
        return predict_ranks(archive, request);
    }
    if (request->n_tables > 0) {
        const struct otter_job_table *table = otter_job_table_of(request->table.table->option);
        return table ? otter_job_print_table(archive, table, &request->table)
                     : otter_rank_tables_print(archive, &request->table);
    }
    struct otter_rank_reports reports;
    bool needs_path = request->form == FORM_SUMMARY && request->table.form == OTTER_TABLE_TEXT;
    otter_rank_reports_init(&reports, archive, NULL, needs_path ? OTTER_BYTES_OF_EVENT : 0);
    if (request->table.form == OTTER_TABLE_JSON) {
        otter_json_print(stdout, otter_rank_reports_json(&reports, archive));
    } else if (request->form == FORM_FINDINGS) {
        otter_job_findings_print(stdout, &reports.findings, &reports.job,
                                 screen_of_output(archive, request), true);
    } else {
        otter_rank_reports_explain(&reports, archive);
        otter_rank_reports_print(stdout, &reports, archive, screen_of_output(archive, request));
    }
    bool is_good = reports.n_failed == 0;
    otter_rank_reports_finish(&reports);
    return is_good ? OTTER_EXIT_OK : OTTER_EXIT_FAILED;
}

static int report_archive(const char *path, const struct request *request)
{
    struct otter_archive *archive;
    struct otter_complaint complaint;
    const struct otter_report_table *table = request->n_tables > 0 ? request->table.table : NULL;
    if (!otter_open_ranks(path, request->rank, &archive)) {
        return OTTER_EXIT_FAILED;
    }
    if (otter_has_ranks(archive)) {
        int exit_status = report_ranks(archive, request);
        otter_archive_close(archive);
        return exit_status;
    }
    if (table && !table->fill) {
        otter_error("--%s needs the ranks of a job: '%s' is the archive of one process (otter "
                    "help merge)",
                    table->option, path);
        otter_archive_close(archive);
        return OTTER_EXIT_USAGE;
    }
    enum otter_status status = analyse(archive, request, &complaint);
    // these statuses have messages of their own
    if (status && status != OTTER_NOT_FOUND && status != OTTER_BAD_VALUE) {
        otter_error("%s", complaint.text);
    }
    otter_archive_close(archive);
    return status == OTTER_BAD_VALUE ? OTTER_EXIT_USAGE
           : status                  ? OTTER_EXIT_FAILED
                                     : OTTER_EXIT_OK;
}

// Reads "4" or "1..64".
static bool read_threads(const char *text, struct request *request)
{
    char *end;
    errno = 0;
    unsigned long first = strtoul(text, &end, 10), last = first;
    if (strncmp(end, "..", 2) == 0) {
        last = strtoul(end + 2, &end, 10);
    }
    if (errno || *end || *text == '-' || first == 0 || last < first || last > 65536) {
        otter_error("--threads takes a number or a range up to 65536, such as 1..64, not '%s' "
                    "(otter help report)",
                    text);
        return false;
    }
    request->form = FORM_PREDICTION;
    request->first_threads = (uint32_t)first;
    request->last_threads = (uint32_t)last;
    return true;
}

static bool read_change(char *text, struct request *request)
{
    if (request->n_changes == MAX_CHANGES) {
        otter_error("--what-if takes at most %d changes; '%s' is one too many", MAX_CHANGES, text);
        return false;
    }
    if (!otter_what_if_read(text, &request->changes[request->n_changes])) {
        otter_error(
            "--what-if takes LABEL=FACTORx, such as 'forces=0.5x', 'function:NAME=FACTORx', "
            "'balance LABEL', 'cut-off LABEL at DEPTH', 'drop' with barrier, taskwait or lock and "
            "LABEL, or 'rank N:' before one of these, not '%s' (otter help report)",
            text);
        return false;
    }
    request->form = FORM_PREDICTION;
    request->n_changes++;
    return true;
}

// Plain "--threads" is a table; "--threads 1..64" and "--threads=8" are predictions.
static const char *range_argument(char **argv)
{
    const char *next = argv[optind];
    bool is_range =
        !optarg && next && strstr(next, "..") && strspn(next, "0123456789.") == strlen(next);
    return is_range ? argv[optind++] : optarg;
}

static int read_table(struct request *request, const char *name, char **argv)
{
    if (strcmp(name, "threads") == 0) {
        const char *range = range_argument(argv);
        if (range) {
            return read_threads(range, request) ? OTTER_EXIT_OK : OTTER_EXIT_USAGE;
        }
    }
    request->n_tables++;
    request->table.table = otter_table_of(name, optarg);
    if (!request->table.table) {
        otter_table_complain(name, optarg);
        return OTTER_EXIT_USAGE;
    }
    return OTTER_EXIT_OK;
}

static int set_form(struct otter_table_request *table, enum otter_table_form form)
{
    bool is_good = table->form == OTTER_TABLE_TEXT || table->form == form;
    if (!is_good) {
        otter_error("--csv and --json exclude each other "
                    "(otter help report)");
    }
    table->form = form;
    return is_good ? OTTER_EXIT_OK : OTTER_EXIT_USAGE;
}

// Returns OTTER_EXIT_OK if the option is valid.
static int read_option(struct request *request, int option, char **argv)
{
    struct otter_table_request *table = &request->table;
    switch (option) {
    case 't':
        return otter_table_read_rows("report", optarg, &table->n_rows) ? OTTER_EXIT_OK
                                                                       : OTTER_EXIT_USAGE;
    case 'w': return read_change(optarg, request) ? OTTER_EXIT_OK : OTTER_EXIT_USAGE;
    case 's': table->sort = optarg; return OTTER_EXIT_OK;
    case 'f': table->filter = optarg; return OTTER_EXIT_OK;
    case 'l': table->label = optarg; return OTTER_EXIT_OK;
    case 'A': request->form = FORM_FINDINGS; return OTTER_EXIT_OK;
    case 'F': table->is_full = true; return OTTER_EXIT_OK;
    case 'c': return set_form(table, OTTER_TABLE_CSV);
    case 'j': return set_form(table, OTTER_TABLE_JSON);
    default: break;
    }
    if (option < OTTER_FIRST_TABLE) {
        return otter_shared_option(option, &request->rank, argv, long_options);
    }
    return read_table(request, long_options[option - OTTER_FIRST_TABLE].name, argv);
}

// Reports options that need a table, and requests for two things to print.
static int check_request(const struct request *request)
{
    const struct otter_table_request *table = &request->table;
    bool is_other = request->form != FORM_SUMMARY;
    bool has_form = table->form == OTTER_TABLE_TEXT ||
                    (table->form == OTTER_TABLE_JSON && request->form == FORM_PREDICTION);
    if (request->n_tables > 1 || (is_other && (request->n_tables > 0 || !has_form))) {
        otter_error("'otter report' prints one thing at a time: a table, findings, JSON or a "
                    "prediction "
                    "(otter help report)");
        return OTTER_EXIT_USAGE;
    }
    const struct {
        bool is_given;
        const char *name;
    } options[] = {{table->form == OTTER_TABLE_CSV, "csv"},
                   {table->sort, "sort"},
                   {table->filter, "filter"},
                   {table->is_full, "full"},
                   {table->n_rows > 0, "top"}};
    const char *option = NULL;
    for (size_t i = 0; i < sizeof options / sizeof *options && !option; i++) {
        option = options[i].is_given ? options[i].name : NULL;
    }
    if (option && request->n_tables == 0) {
        otter_error("--%s needs a table: name it, for example 'otter report --tasks' "
                    "(otter help report)",
                    option);
        return OTTER_EXIT_USAGE;
    }
    if (table->label &&
        (request->n_tables == 0 || !otter_report_table_is_of_samples(table->table))) {
        otter_error("--label needs the table of functions or lines: 'otter report --functions' "
                    "or '--lines'; --filter selects the rows of other tables (otter help report)");
        return OTTER_EXIT_USAGE;
    }
    return OTTER_EXIT_OK;
}

// Prints several archives, for which there is only a summary. Returns an exit status.
static int report_runs(char *const *paths, int n, const struct request *request)
{
    if (request->form != FORM_SUMMARY || request->n_tables > 0 || request->rank) {
        otter_error("several archives give one summary, as text or JSON: leave the other "
                    "options out, or compare two sides with 'otter diff' (otter help report)");
        return OTTER_EXIT_USAGE;
    }
    return otter_report_runs(paths, (uint32_t)n, request->table.form == OTTER_TABLE_JSON);
}

static int run(int argc, char **argv)
{
    enum { USUAL_ROWS = 20 };
    struct request request = {.n_tables = 0};
    list_options();
    for (int option;
         (option = getopt_long(argc, argv, ":t:w:s:f:cjh", long_options, NULL)) != -1;) {
        int status = read_option(&request, option, argv);
        if (status) {
            return status;
        }
    }
    if (check_request(&request)) {
        return OTTER_EXIT_USAGE;
    }
    if (argc - optind > 1) {
        return report_runs(argv + optind, argc - optind, &request);
    }
    request.table.n_rows = request.table.n_rows > 0 ? request.table.n_rows : USUAL_ROWS;
    char newest[NAME_MAX + 1];
    const char *path;
    int status = otter_archive_argument(argc, argv, newest, &path);
    request.is_newest = path == newest;
    return status ? status : report_archive(path, &request);
}

const struct otter_command otter_command_report = {
    .name = "report",
    .summary = "show what limits a program, and by how much",
    .print_help = otter_help_report,
    .run = run,
};
