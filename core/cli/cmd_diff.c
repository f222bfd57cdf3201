// otter diff: what has changed between two runs of a program, or two sides of several runs.
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/new_file.h"
#include "base/path.h"
#include "base/print.h"
#include "cli/command.h"
#include "cli/job.h"
#include "cli/open.h"
#include "cli/options.h"
#include "cli/rank_diffs.h"
#include "cli/report_table.h"
#include "cli/terminal.h"
#include "report/diff_condition.h"
#include "report/diff_data.h"
#include "report/wrap.h"
#include "trace/schema.h"

enum form { FORM_TEXT, FORM_CSV, FORM_JSON };

enum { MOST_CONDITIONS = 64 };

struct request {
    enum form form;
    const char *table; // NULL: the summary
    unsigned n_tables; // options that name a table
    const char *sort, *junit;
    struct otter_diff_style style;
    char *paths[2][OTTER_DIFF_MOST_RUNS]; // before, after
    uint32_t n_paths[2];
    bool is_after; // archives belong to the second side
    struct otter_condition conditions[MOST_CONDITIONS];
    size_t n_conditions;
    bool has_rank;
    uint32_t rank;
};

enum { OPTION_JUNIT = OTTER_FIRST_TABLE + OTTER_MOST_TABLES, OPTION_FINDINGS, OPTION_FAIL_IF };

static const struct option other_options[] = {
    {"findings", no_argument, NULL, OPTION_FINDINGS},
    {"sort", required_argument, NULL, 's'},
    {"top", required_argument, NULL, 't'},
    {"filter", required_argument, NULL, 'f'},
    {"fail-if", required_argument, NULL, OPTION_FAIL_IF},
    {"junit", required_argument, NULL, OPTION_JUNIT},
    {"rank", required_argument, NULL, OTTER_OPTION_RANK},
    {"after", no_argument, NULL, 'a'},
    {"csv", no_argument, NULL, 'c'},
    {"json", no_argument, NULL, 'j'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static struct option long_options[OTTER_MOST_TABLES + sizeof other_options / sizeof *other_options];

static void list_options(void)
{
    unsigned n = otter_table_options(long_options);
    memcpy(long_options + n, other_options, sizeof other_options);
}

// The options of the tables, in lines.
static void print_tables(FILE *out)
{
    char list[1000] = "";
    size_t used = 0;
    for (unsigned i = 0; i < otter_n_report_tables && used < sizeof list; i++) {
        bool is_compared = !strstr(otter_report_tables[i].option, "critical-path=");
        used += (size_t)snprintf(list + used, sizeof list - used, is_compared ? "--%s " : "",
                                 otter_report_tables[i].option);
    }
    if (used < sizeof list) {
        snprintf(list + used, sizeof list - used, "--findings");
    }
    otter_print_wrapped_at(out, 80, 2, list);
}

static void print_help(FILE *out)
{
    otter_print(
        out,
        "Usage: otter diff [OPTIONS] BEFORE AFTER\n"
        "       otter diff [OPTIONS] BEFORE... --after AFTER...\n"
        "\n"
        "Says what has changed between two archives: time and what it is due to, work and span,\n"
        "efficiency, time by label, findings, the task graph. Labels match also if their lines\n"
        "have shifted. With several archives of each side, noise is told from change.\n"
        "The summary of two merged archives compares all ranks.\n"
        "\n"
        "Tables, which --sort, --top and --filter apply to:\n");
    print_tables(out);
    otter_print(
        out,
        "  -s, --sort=COLUMN   the column to compare, as CSV and JSON name it\n"
        "  -t, --top=N         rows (default 20)\n"
        "  -f, --filter=TEXT   only rows with this text, which may contain * and ?\n"
        "\n"
        "Conditions:\n"
        "      --fail-if='time(kernel \"forces\") > +5%%'   exit status 1 if it holds; may be\n"
        "                      repeated. A sign makes it a change, which has to exceed noise:\n"
        "                      'efficiency < -3%%', 'wall > 2 s', 'count(task) > +0', 'hash != same'\n"
        "      --junit=FILE    the conditions as test cases, in JUnit's XML\n"
        "\n"
        "Options:\n"
        "  -a, --after         the archives from here on are AFTER\n"
        "      --rank=N        " OTTER_HELP_OF_RANK "\n"
        "  -c, --csv           a table in full, or the summary's numbers, as CSV\n"
        "  -j, --json          a table, or everything, as JSON\n"
        "  -h, --help          this text\n"
        "\n"
        "Exit status: 0; 1 if a condition holds, or an archive cannot be analysed; 2 for a wrong\n"
        "command line or condition.\n");
}

// ---- the command line

static bool read_rows(const char *text, uint32_t *n_rows)
{
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    if (errno || end == text || *end || *text == '-' || value == 0 || value > UINT32_MAX) {
        otter_error("--top takes a number of rows from 1 on, not '%s' (otter help diff)", text);
        return false;
    }
    *n_rows = (uint32_t)value;
    return true;
}

static bool add_path(struct request *request, char *path)
{
    uint32_t *n = &request->n_paths[request->is_after];
    if (*n == OTTER_DIFF_MOST_RUNS) {
        otter_error("'otter diff' compares at most %d archives of a side: leave '%s' out",
                    OTTER_DIFF_MOST_RUNS, path);
        return false;
    }
    request->paths[request->is_after][(*n)++] = path;
    return true;
}

static bool add_condition(struct request *request, const char *text)
{
    char complaint[OTTER_CONDITION_TEXT];
    if (request->n_conditions == MOST_CONDITIONS) {
        otter_error("--fail-if takes at most %d conditions; '%s' is too much", MOST_CONDITIONS,
                    text);
        return false;
    }
    if (!otter_condition_parse(&request->conditions[request->n_conditions++], text, complaint)) {
        otter_error("%s (otter help diff)", complaint);
        return false;
    }
    return true;
}

static bool choose_table(struct request *request, int option)
{
    request->n_tables++;
    request->table = "findings";
    if (option == OPTION_FINDINGS) {
        return true;
    }
    const char *name = long_options[option - OTTER_FIRST_TABLE].name;
    const struct otter_report_table *table = otter_table_of(name, optarg);
    if (!table || strstr(table->option, "critical-path=")) {
        otter_error("'otter diff' compares no table '--%s=%s' (otter help diff)", name, optarg);
        return false;
    }
    request->table = table->name;
    return true;
}

static bool set_form(struct request *request, enum form form)
{
    bool is_good = request->form == FORM_TEXT || request->form == form;
    if (!is_good) {
        otter_error("--csv and --json are two forms of one output: leave one out "
                    "(otter help diff)");
    }
    request->form = form;
    return is_good;
}

// Returns false after printing an error.
static bool read_option(struct request *request, int option, char **argv)
{
    switch (option) {
    case 1: return add_path(request, optarg);
    case 'a': request->is_after = true; return true;
    case 's': request->sort = optarg; return true;
    case OTTER_OPTION_RANK:
        request->has_rank = true;
        return otter_read_rank(optarg, &request->rank);
    case 't': return read_rows(optarg, &request->style.n_rows);
    case 'f': request->style.filter = optarg; return true;
    case OPTION_FAIL_IF: return add_condition(request, optarg);
    case OPTION_JUNIT: request->junit = optarg; return true;
    case 'c': return set_form(request, FORM_CSV);
    case 'j': return set_form(request, FORM_JSON);
    default: break;
    }
    if (option < OTTER_FIRST_TABLE) {
        return otter_bad_option(option, argv, long_options) == OTTER_EXIT_OK;
    }
    return choose_table(request, option);
}

// "BEFORE AFTER" needs no --after. Returns false after printing an error.
static bool split_paths(struct request *request)
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

// Refuses options that contradict each other, or that nothing uses.
static bool is_sensible(const struct request *request)
{
    const char *complaint = NULL;
    if (request->n_tables > 1) {
        complaint = "'otter diff' prints one table at a time";
    } else if (request->sort && request->n_tables == 0) {
        complaint = "--sort applies to a table: name it, for example 'otter diff --tasks'";
    } else if (request->junit && request->n_conditions == 0) {
        complaint = "--junit writes conditions: name one by --fail-if";
    }
    if (complaint) {
        otter_error("%s (otter help diff)", complaint);
    }
    return !complaint;
}

// Returns false after printing an error, or with *is_help.
static bool read_request(struct request *request, int argc, char **argv, bool *is_help)
{
    list_options();
    for (int option;
         (option = getopt_long(argc, argv, "-:as:t:f:cjh", long_options, NULL)) != -1;) {
        *is_help = option == 'h';
        if (*is_help || !read_option(request, option, argv)) {
            return false;
        }
    }
    for (; optind < argc; optind++) { // behind "--"
        if (!add_path(request, argv[optind])) {
            return false;
        }
    }
    return is_sensible(request) && split_paths(request);
}

// ---- the comparison

static struct otter_diff diff; // too large for a stack

static bool find_table(const struct request *request, const struct otter_diff_table **table)
{
    *table = request->table ? otter_diff_find_table(&diff, request->table) : NULL;
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
        otter_error("--sort: the table has no column '%s'; there are %s", request->sort, names);
        return false;
    }
    otter_diff_sort(sorted, column);
    return true;
}

static bool evaluate(struct request *request)
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

static enum otter_status print_json(const struct request *request,
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

static enum otter_status print(const struct request *request, const struct otter_diff_table *table)
{
    if (request->form == FORM_JSON) {
        return print_json(request, table);
    }
    if (request->form == FORM_CSV) {
        otter_diff_print_csv(stdout, &diff, table, &request->style);
        return OTTER_OK;
    }
    if (table) {
        otter_diff_print_table(stdout, &diff, table, &request->style);
    } else {
        otter_diff_print_summary(stdout, &diff, &request->style);
    }
    otter_conditions_print(stdout, request->conditions, request->n_conditions);
    return OTTER_OK;
}

// Returns false after printing an error.
static bool write_junit(const struct request *request)
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
        otter_error("cannot write '%s': %s", request->junit, strerror(error));
    }
    return !error;
}

static int compare(struct request *request)
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
static bool prepare_jobs(const struct request *request)
{
    bool is_ready = true;
    for (int side = 0; side < 2; side++) {
        for (uint32_t i = 0; i < request->n_paths[side] && is_ready; i++) {
            is_ready = otter_prepare_job(request->paths[side][i]);
        }
    }
    return is_ready;
}

// Whether the summary of two merged archives is requested.
static bool compares_ranks(const struct request *request)
{
    bool is_summary = request->n_tables == 0 && request->n_conditions == 0 &&
                      !request->style.filter && request->form != FORM_CSV;
    return is_summary && !request->has_rank && request->n_paths[0] == 1 &&
           request->n_paths[1] == 1 && otter_path_has_ranks(request->paths[0][0]) &&
           otter_path_has_ranks(request->paths[1][0]);
}

// Returns false after printing an error.
static bool names_ranks(const struct request *request)
{
    for (int side = 0; side < 2 && !request->has_rank; side++) {
        for (uint32_t i = 0; i < request->n_paths[side]; i++) {
            if (otter_path_has_ranks(request->paths[side][i])) {
                otter_error("'%s' is a merged archive: only the summary of two merged archives "
                            "compares all ranks; choose one with --rank=N, or by '%s/rank-0'",
                            request->paths[side][i], request->paths[side][i]);
                return false;
            }
        }
    }
    return true;
}

// A path of an archive becomes that of its rank.
static bool name_ranks(struct request *request)
{
    bool has_memory = true;
    for (int side = 0; side < 2 && request->has_rank; side++) {
        for (uint32_t i = 0; i < request->n_paths[side]; i++) {
            char *path = otter_path("%s/" OTTER_RANK_PREFIX "%" PRIu32, request->paths[side][i],
                                    request->rank);
            has_memory &= path != NULL;
            request->paths[side][i] = path;
        }
    }
    return has_memory;
}

static void free_ranks(struct request *request)
{
    for (int side = 0; side < 2 && request->has_rank; side++) {
        for (uint32_t i = 0; i < request->n_paths[side]; i++) {
            free(request->paths[side][i]);
        }
    }
}

static int run(int argc, char **argv)
{
    static struct request request; // too large for a stack
    bool is_help = false;
    request = (struct request){.style = {.n_rows = 20, .width = otter_terminal_width(stdout)}};
    if (!read_request(&request, argc, argv, &is_help)) {
        if (is_help) {
            print_help(stdout);
        }
        return is_help ? OTTER_EXIT_OK : OTTER_EXIT_USAGE;
    }
    struct otter_complaint complaint;
    int result = OTTER_EXIT_FAILED;
    if (!prepare_jobs(&request)) {
        return OTTER_EXIT_FAILED;
    }
    if (compares_ranks(&request)) {
        bool is_good = otter_rank_diffs_print(request.paths[0][0], request.paths[1][0],
                                              request.form == FORM_JSON, request.style.n_rows);
        return is_good ? OTTER_EXIT_OK : OTTER_EXIT_FAILED;
    }
    if (!names_ranks(&request)) {
        return OTTER_EXIT_FAILED;
    }
    if (!name_ranks(&request)) {
        otter_error("not enough memory");
    } else if (otter_diff_init(&diff, request.paths[0], request.n_paths[0], request.paths[1],
                               request.n_paths[1], &complaint)) {
        otter_error("%s", complaint.text);
    } else {
        result = compare(&request);
    }
    otter_diff_finish(&diff);
    free_ranks(&request);
    return result;
}

const struct otter_command otter_command_diff = {
    .name = "diff",
    .summary = "say what has changed between two runs",
    .print_help = print_help,
    .run = run,
};
