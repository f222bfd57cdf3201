// otter view: one HTML file with the report and pictures.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/log.h"
#include "base/text/print.h"
#include "base/text/visible.h"
#include "cli/command.h"
#include "analysis/job/each_rank.h"
#include "cli/request/open.h"
#include "cli/request/output_name.h"
#include "cli/progress.h"
#include "report/ranks/rank_reports.h"
#include "report/form/json.h"
#include "base/text/number.h"
#include "analysis/findings/read.h"
#include "view/view.h"

enum { OPTION_FROM = 256, OPTION_TO };

static const struct option long_options[] = {{"output", required_argument, NULL, 'o'},
                                             {"size", required_argument, NULL, 's'},
                                             {"from", required_argument, NULL, OPTION_FROM},
                                             {"to", required_argument, NULL, OPTION_TO},
                                             OTTER_SHARED_OPTIONS};

// Parses "20M": a number with a unit that is a power of 1000.
static bool read_size(const char *text, uint64_t *size)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    static const char units[] = "kMG";
    static const uint64_t factors[] = {1000, 1000000, 1000000000};
    const char *unit = *end ? strchr(units, *end) : NULL;
    uint64_t factor = unit ? factors[unit - units] : 1;
    bool is_good = *text >= '0' && *text <= '9' && !errno && (!*end || (unit && !end[1])) &&
                   value <= UINT64_C(1000000000000) / factor;
    *size = (uint64_t)value * factor;
    if (!is_good || *size < OTTER_MIN_PAGE) {
        otter_error("--size takes a number of bytes from 1M on, such as 20M, not '%s' "
                    "(otter help view)",
                    text);
        return false;
    }
    return true;
}

// Parses "1.5s" or "300ms" as seconds.
static bool read_time(const char *option, const char *text, double *seconds)
{
    char *end;
    double value = strtod(text, &end);
    double factor = strcmp(end, "ms") == 0 ? 1e-3 : strcmp(end, "us") == 0 ? 1e-6 : 1;
    bool is_good = strspn(text, "0123456789.") == (size_t)(end - text) && end != text &&
                   (factor < 1 || !*end || strcmp(end, "s") == 0);
    if (!is_good) {
        otter_error("--%s takes a time since the start, such as 1.5s or 300ms, not '%s' "
                    "(otter help view)",
                    option, text);
        return false;
    }
    *seconds = value * factor;
    return true;
}

// Returns OTTER_EXIT_OK if the option is valid.
static int read_option(struct otter_view_request *request, int option)
{
    bool is_right = true;
    request->has_window = request->has_window || option == OPTION_FROM || option == OPTION_TO;
    switch (option) {
    case 'o': request->output = optarg; break;
    case 's': is_right = read_size(optarg, &request->size); break;
    case OPTION_FROM: is_right = read_time("from", optarg, &request->from); break;
    default: is_right = read_time("to", optarg, &request->to);
    }
    return is_right ? OTTER_EXIT_OK : OTTER_EXIT_USAGE;
}

// Returns whether a browser can open the path later: /dev/stdout is a link to an open file.
static bool is_file(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0 && S_ISREG(about.st_mode);
}

// Prints the size of the page, and lists ranks without pictures.
static void note_page(const struct otter_view_request *request,
                      const struct otter_view_result *result)
{
    char size[OTTER_MAX_NUMBER], ranks[OTTER_MAX_NUMBER];
    char left_out[OTTER_MAX_NUMBER + 40] = "";
    if (result->n_left_out > 0) {
        snprintf(left_out, sizeof left_out, ", %s rank%s without pictures%s",
                 otter_number_text(result->n_left_out, ranks), otter_plural(result->n_left_out),
                 result->failure.text[0] || result->n_unread > 0 ? "" : " (--size)");
    }
    char *word = otter_visible_word(request->output);
    otter_note("%s: %s%s%s; to open it: xdg-open %s", request->output,
               otter_size_text((double)result->size, size),
               result->is_complete ? "" : ", short bars summed up (--size)", left_out, word);
    free(word);
}

static json_t *sentences_of(const struct otter_rank_reports *reports)
{
    json_t *sentences = json_array();
    for (unsigned i = 0; i < reports->n_sentences; i++) {
        json_array_append_new(sentences, otter_json_text(reports->sentences[i]));
    }
    return sentences;
}

static char *print_reports(struct otter_rank_reports *reports, const struct otter_archive *archive)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    otter_rank_reports_print(out, reports, archive, (struct otter_screen){.width = 80});
    fclose(out);
    return text;
}

// Returns the ranks in memory; NULL: none.
static struct otter_view_rank *ranks_of(const struct otter_rank_reports *reports)
{
    const struct otter_kept_ranks *kept = &reports->kept;
    struct otter_view_rank *ranks = kept->n > 0 ? calloc(kept->n, sizeof *ranks) : NULL;
    for (uint32_t i = 0; i < kept->n; i++) {
        ranks[i] = (struct otter_view_rank){kept->items[i].archive, kept->items[i].own};
    }
    return ranks;
}

// Prints an error for each rank that cannot be analysed.
static enum otter_status write_job(struct otter_archive *archive,
                                   const struct otter_view_request *request,
                                   struct otter_view_result *result, uint32_t *n_failed,
                                   struct otter_complaint *complaint)
{
    struct otter_rank_reports reports;
    const struct otter_rank_use store = {.size = otter_view_rank_size(),
                                         .begin = otter_view_rank_begin,
                                         .finish = otter_view_rank_finish};
    otter_rank_reports_init(&reports, archive, &store, OTTER_VIEW_BYTES_OF_EVENT);
    otter_rank_reports_explain(&reports, archive);
    json_t *report = otter_rank_reports_json(&reports, archive);
    json_t *sentences = sentences_of(&reports);
    char *text = print_reports(&reports, archive);
    uint32_t *numbers = calloc(reports.n + 1, sizeof *numbers);
    for (uint32_t i = 0; i < reports.n; i++) {
        numbers[i] = reports.items[i].rank;
    }
    struct otter_view_rank *ranks = ranks_of(&reports);
    struct otter_view_job job = {.job = &reports.job,
                                 .numbers = numbers,
                                 .n_numbers = reports.n,
                                 .report_text = text,
                                 .report = report,
                                 .sentences = sentences,
                                 .ranks = ranks};
    enum otter_status status = otter_view_write_job(archive, &job, request, result, complaint);
    *n_failed = reports.n_failed + (status ? 0 : result->n_unread);
    free(ranks);
    free(numbers);
    free(text);
    json_decref(report);
    json_decref(sentences);
    otter_rank_reports_finish(&reports);
    return status;
}

static bool write_page(struct otter_archive *archive, struct otter_view_request *request)
{
    struct otter_view_result result;
    struct otter_complaint complaint;
    char *name = request->output ? NULL : otter_output_name(archive, ".html");
    bool is_named = request->output;
    request->output = is_named ? request->output : name;
    uint32_t n_failed = 0;
    request->step = otter_progress_step;
    if (!otter_has_ranks(archive)) {
        otter_reading_warn_of_damage(archive);
    }
    otter_progress_begin(archive, 1);
    enum otter_status status = otter_has_ranks(archive)
                                   ? write_job(archive, request, &result, &n_failed, &complaint)
                                   : otter_view_write(archive, request, &result, &complaint);
    otter_progress_end(archive);
    bool is_written = status == OTTER_OK;
    if (!is_written) {
        if (complaint.text[0]) {
            otter_error("%s", complaint.text);
        }
    } else if (strcmp(request->output, "-") != 0 && is_file(request->output)) {
        note_page(request, &result);
    }
    free(name);
    if (is_written && result.failure.text[0]) {
        otter_error("%s", result.failure.text);
        return false;
    }
    return is_written && n_failed == 0;
}

static int run(int argc, char **argv)
{
    struct otter_view_request request = {.size = 20000000, .to = 1e300};
    const char *rank = NULL;
    for (int option; (option = getopt_long(argc, argv, ":o:s:h", long_options, NULL)) != -1;) {
        bool is_own =
            option == 'o' || option == 's' || option == OPTION_FROM || option == OPTION_TO;
        int status = is_own ? read_option(&request, option)
                            : otter_shared_option(option, &rank, argv, long_options);
        if (status) {
            return status;
        }
    }
    if (request.from >= request.to) {
        otter_error("--from is after --to, so no part of the run is selected (otter help view)");
        return OTTER_EXIT_USAGE;
    }
    if (otter_output_is_terminal(request.output, "the page", "view")) {
        return OTTER_EXIT_USAGE;
    }
    struct otter_archive *archive;
    int status = otter_open_argument(argc, argv, rank, &archive);
    if (status) {
        return status;
    }
    bool is_written = write_page(archive, &request);
    otter_archive_close(archive);
    return is_written ? OTTER_EXIT_OK : OTTER_EXIT_FAILED;
}

const struct otter_command otter_command_view = {
    .name = "view",
    .summary = "write one HTML file with the report and pictures",
    .print_help = otter_help_view,
    .run = run,
};
