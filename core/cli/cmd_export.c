// otter export: an archive as a file for other tools.
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/job/each_rank.h"
#include "analysis/job/rank_calls.h"
#include "base/log.h"
#include "base/text/number.h"
#include "base/text/print.h"
#include "cli/command.h"
#include "cli/progress.h"
#include "cli/request/open.h"
#include "cli/request/output_name.h"
#include "export/convert.h"

enum { OPTION_TABLE = 256, OPTION_STACKS };

static const struct option long_options[] = {{"stacks", required_argument, NULL, OPTION_STACKS},
                                             {"table", required_argument, NULL, OPTION_TABLE},
                                             {"to", required_argument, NULL, 't'},
                                             {"output", required_argument, NULL, 'o'},
                                             OTTER_SHARED_OPTIONS};

// Returns the format, or NULL after printing an error. `name` may be NULL.
static const struct otter_conversion_format *find_format(const char *name)
{
    size_t n;
    const struct otter_conversion_format *formats = otter_conversion_formats(&n);
    char names[256] = "";
    for (size_t i = 0; i < n; i++) {
        if (name && strcmp(formats[i].name, name) == 0) {
            return &formats[i];
        }
        strcat(strcat(names, i ? ", " : ""), formats[i].name);
    }
    if (name) {
        otter_error("unknown format '%s'; the formats are: %s (otter help export)", name, names);
    } else {
        otter_error("--to=FORMAT is missing; the formats are: %s (otter help export)", names);
    }
    return NULL;
}

// Sets the table to write, for a format with tables; `name` may be NULL. Returns false after
// printing an error.
static bool find_table(const char *name, struct otter_conversion_request *request)
{
    size_t n;
    const struct otter_conversion_table *tables = otter_conversion_tables(&n);
    char names[256] = "";
    if (name && !request->format->has_tables) {
        otter_error("--table is for csv and json, not for %s (otter help export)",
                    request->format->name);
        return false;
    }
    request->table = request->format->has_tables ? &tables[0] : NULL;
    for (size_t i = 0; i < n; i++) {
        if (!name || strcmp(tables[i].name, name) == 0) {
            request->table = name ? &tables[i] : request->table;
            return true;
        }
        strcat(strcat(names, i ? ", " : ""), tables[i].name);
    }
    otter_error("unknown table '%s'; the tables are: %s (otter help export)", name, names);
    return false;
}

// Sets whether stacks contain functions; `name` may be NULL. Returns false after printing an error.
static bool find_stacks(const char *name, struct otter_conversion_request *request)
{
    request->has_functions = !name || strcmp(name, "functions") == 0;
    if (name && !request->format->has_stacks) {
        otter_error("--stacks is for collapsed, not for %s (otter help export)",
                    request->format->name);
        return false;
    }
    if (!request->has_functions && strcmp(name, "labels") != 0) {
        otter_error("unknown stacks '%s'; the stacks are: functions, labels (otter help export)",
                    name);
        return false;
    }
    return true;
}

// Returns false after a message if the format cannot be written to standard output.
static bool check_output(const struct otter_conversion_request *request)
{
    const struct otter_conversion_format *format = request->format;
    if (!format->write && request->path && strcmp(request->path, "-") == 0) {
        otter_error("%s writes a folder, which cannot go to standard output (otter help export)",
                    format->name);
        return false;
    }
    return !format->is_binary || !otter_output_is_terminal(request->path, format->name, "export");
}

// Returns the name of the default file, "run.tasks.csv"; the caller frees it.
static char *default_name(const struct otter_archive *archive,
                          const struct otter_conversion_request *request)
{
    char ending[64];
    snprintf(ending, sizeof ending, "%s%s%s", request->table ? "." : "",
             request->table ? request->table->name : "", request->format->ending);
    return otter_output_name(archive, ending);
}

// Prints the contents of the file and, unless it is a pipe, its size.
static void note_file(const struct otter_conversion_request *request)
{
    char size[OTTER_MAX_NUMBER];
    struct stat info;
    const char *table = request->table ? "table " : "";
    const char *contents = request->table ? request->table->name : request->format->help;
    if (stat(request->path, &info) == 0 && S_ISREG(info.st_mode)) {
        otter_note("%s: %s, %s%s", request->path, otter_size_text((double)info.st_size, size),
                   table, contents);
    } else {
        otter_note("%s: %s%s", request->path, table, contents);
    }
}

static bool write_file(struct otter_archive *archive, struct otter_conversion_request *request)
{
    struct otter_complaint complaint;
    char *name = request->path ? NULL : default_name(archive, request);
    request->path = request->path ? request->path : name;
    otter_announce_memory(archive, OTTER_NEED_OF_ANALYSIS);
    if (strcmp(request->path, "-") != 0 || !isatty(STDOUT_FILENO)) {
        bool has_pass_of_messages = request->format->has_messages && otter_has_ranks(archive) &&
                                    otter_rank_has_calls(otter_archive_definitions(archive));
        otter_progress_begin(archive, has_pass_of_messages ? 2 : 1);
    }
    bool is_written = otter_convert_archive(archive, request, &complaint) == OTTER_OK;
    otter_progress_end(archive);
    if (!is_written) {
        otter_error("%s", complaint.text);
    } else if (strcmp(request->path, "-") != 0) {
        note_file(request);
    }
    free(name);
    return is_written;
}

// Returns an exit status.
static int export_archive(int argc, char **argv, const char *rank,
                          struct otter_conversion_request *request)
{
    struct otter_archive *archive;
    int status = otter_open_argument(argc, argv, rank, &archive);
    if (status) {
        return status;
    }
    bool is_written = write_file(archive, request);
    otter_archive_close(archive);
    return is_written ? OTTER_EXIT_OK : OTTER_EXIT_FAILED;
}

static int run(int argc, char **argv)
{
    struct otter_conversion_request request = {0};
    const char *format = NULL, *table = NULL, *stacks = NULL, *rank = NULL;
    int status = OTTER_EXIT_OK;
    for (int option; (option = getopt_long(argc, argv, ":t:o:h", long_options, NULL)) != -1;) {
        switch (option) {
        case 't': format = optarg; break;
        case 'o': request.path = optarg; break;
        case OPTION_STACKS: stacks = optarg; break;
        case OPTION_TABLE: table = optarg; break;
        default: status = otter_shared_option(option, &rank, argv, long_options);
        }
        if (status) {
            return status;
        }
    }
    request.format = find_format(format);
    bool is_right = request.format && find_table(table, &request) &&
                    find_stacks(stacks, &request) && check_output(&request);
    return is_right ? export_archive(argc, argv, rank, &request) : OTTER_EXIT_USAGE;
}

const struct otter_command otter_command_export = {
    .name = "export",
    .summary = "write a file for other tools: Perfetto, speedscope, ...",
    .print_help = otter_help_export,
    .run = run,
};
