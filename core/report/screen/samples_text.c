// Says what the samples add to a summary.
#include "report/screen/samples_text.h"

#include <string.h>

#include "base/text/number.h"
#include "base/text/print.h"
#include "base/text/utf8.h"
#include "report/form/json.h"
#include "report/form/wrap.h"

enum { MAX_NAME = 120 }; // bytes

static const double MIN_PERCENT = 20;     // of the samples of a label
static const double MAX_ERROR = 25;       // half of the interval
static const double MIN_PATH_PERCENT = 1; // of the wall time

const struct otter_functions *otter_report_functions(const struct otter_report *report,
                                                     struct otter_functions *own)
{
    *own = (struct otter_functions){.n_on_path = 0};
    if (report->functions || report->analysis->definitions->n_contexts == 0) {
        return report->functions;
    }
    return otter_functions_read(own, report->analysis, report->labels) ? NULL : own;
}

// ---- lines

// Returns the bytes of a name that are printed.
static int length_of(const char *name)
{
    return (int)otter_utf8_cut(name, MAX_NAME);
}

struct otter_hottest otter_hottest_line(const struct otter_report *report,
                                        const struct otter_finding *finding)
{
    uint64_t n = 0;
    double least, most;
    bool may_have = report->functions && finding->region != OTTER_NONE &&
                    finding->kind != OTTER_FINDING_BLOCKED;
    const struct otter_function_use *line =
        may_have ? otter_functions_hottest(report->functions, finding->region, &n) : NULL;
    otter_sample_share(line ? line->n_self : 0, n, &least, &most);
    bool is_sure = 100 * least >= MIN_PERCENT && 100 * (most - least) / 2 <= MAX_ERROR;
    if (!line || !is_sure || !*line->function) {
        return (struct otter_hottest){.function = "", .where = ""};
    }
    return (struct otter_hottest){.function = line->function,
                                  .where = line->where,
                                  .percent = 100 * (double)line->n_self / (double)n,
                                  .least = 100 * least,
                                  .most = 100 * most};
}

void otter_hottest_print(FILE *out, const struct otter_report *report,
                         const struct otter_finding *finding, int width)
{
    char text[400];
    struct otter_hottest line = otter_hottest_line(report, finding);
    bool has_line = *line.where;
    if (!*line.function) {
        return;
    }
    snprintf(text, sizeof text, "Hottest: %.*s%s%.*s%s, %.0f %% +-%.0f %% of its samples.",
             length_of(line.where), line.where, has_line ? " (" : "", length_of(line.function),
             line.function, has_line ? ")" : "", line.percent, (line.most - line.least) / 2);
    otter_print_wrapped_at(out, width, 4, text);
}

json_t *otter_hottest_json(const struct otter_report *report, const struct otter_finding *finding)
{
    struct otter_hottest line = otter_hottest_line(report, finding);
    if (!*line.function) {
        return NULL;
    }
    json_t *object = json_object();
    otter_json_set_text(object, "function", line.function);
    otter_json_set_text(object, "line", line.where);
    otter_json_set(object, "percent", json_real(line.percent));
    otter_json_set(object, "least_percent", json_real(line.least));
    otter_json_set(object, "most_percent", json_real(line.most));
    return object;
}

// ---- the realised path

struct path_share {
    double percent, least, most; // of the wall time
};

static uint32_t n_on_path(const struct otter_report *report)
{
    const struct otter_functions *functions = report->functions;
    return functions && functions->samples.period > 0 ? functions->n_on_path : 0;
}

static struct path_share share_of(const struct otter_report *report,
                                  const struct otter_path_function *function)
{
    struct path_share share;
    // a sample stands for a period
    double wall = otter_report_seconds(report, report->analysis->account.wall);
    double n_periods = wall / report->functions->samples.period;
    uint64_t n = n_periods > (double)function->n ? (uint64_t)n_periods : function->n;
    otter_sample_share(function->n, n, &share.least, &share.most);
    share.percent = 100 * (double)function->n / (double)n;
    share.least *= 100;
    share.most *= 100;
    return share;
}

// The times of functions are too small if samples are missing.
static void print_lost(FILE *out, const struct otter_report *report, int width)
{
    const struct otter_samples *samples = &report->functions->samples;
    char lost[OTTER_MAX_NUMBER], all[OTTER_MAX_NUMBER], line[200];
    if (samples->n_lost > 0) {
        snprintf(line, sizeof line,
                 "%s of %s samples %s lost, so the shares of functions may be wrong: record with a "
                 "lower rate (--sample) or a higher max-size",
                 otter_number_text(samples->n_lost, lost),
                 otter_number_text(samples->n + samples->n_lost, all),
                 samples->n_lost == 1 ? "was" : "were");
        otter_print(out, "\n");
        otter_print_wrapped_at(out, width, 0, line);
    }
}

json_t *otter_samples_json(const struct otter_report *report)
{
    if (!report->functions || report->functions->samples.period <= 0) {
        return json_null();
    }
    const struct otter_samples *samples = &report->functions->samples;
    json_t *object = json_object();
    otter_json_set(object, "count", otter_json_number(samples->n));
    otter_json_set(object, "lost", otter_json_number(samples->n_lost));
    otter_json_set(object, "without_callers", otter_json_number(samples->n_cut));
    otter_json_set(object, "period_s", json_real(samples->period));
    return object;
}

void otter_path_functions_print(FILE *out, const struct otter_report *report, int width)
{
    char text[600] = "";
    for (uint32_t i = 0; i < n_on_path(report); i++) {
        const struct otter_path_function *function = &report->functions->on_path[i];
        struct path_share share = share_of(report, function);
        const char *name = *function->function ? function->function : "unknown code";
        size_t used = strlen(text);
        if (share.percent < MIN_PATH_PERCENT) {
            break;
        }
        snprintf(text + used, sizeof text - used, "%s%.*s %.0f %% +-%.0f %%",
                 i > 0 ? ", " : "critical path by functions: ", length_of(name), name,
                 share.percent, (share.most - share.least) / 2);
    }
    if (*text) {
        otter_print(out, "\n");
        otter_print_wrapped_at(out, width, 0, text);
    }
    if (report->functions) {
        print_lost(out, report, width);
    }
}

json_t *otter_path_functions_json(const struct otter_report *report)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < n_on_path(report); i++) {
        const struct otter_path_function *function = &report->functions->on_path[i];
        struct path_share share = share_of(report, function);
        json_t *object = json_object();
        otter_json_set_text(object, "function", function->function);
        otter_json_set(object, "percent", json_real(share.percent));
        otter_json_set(object, "least_percent", json_real(share.least));
        otter_json_set(object, "most_percent", json_real(share.most));
        json_array_append_new(list, object);
    }
    return list;
}
