// Fills the tables of functions and lines.
#include <math.h>
#include <string.h>

#include "analysis/sample/functions.h"
#include "base/order.h"
#include "base/text/number.h"
#include "report/form/label_choice.h"
#include "report/table/table_fill.h"

enum { N_COLUMNS = 10 };

// Returns what the thread did: the label that it executed, or its state.
static const char *label_of(const struct otter_report *report, const struct otter_function_use *use,
                            char text[OTTER_LABEL_SIZE])
{
    static const char *const states[] = {
        [OTTER_STATE_OUTSIDE] = "(outside)",
        [OTTER_STATE_WAITING] = "(waiting)",
        [OTTER_STATE_LOCK] = "(lock)",
        [OTTER_STATE_FORKING] = "(forking)",
        [OTTER_STATE_MPI] = "(MPI)",
        [OTTER_STATE_PAUSED] = "(paused)",
        [OTTER_STATE_LOST] = "(events lost)",
        [OTTER_STATE_UNUSED] = "(unused)",
        [OTTER_STATE_UNRECORDED] = "(other threads)",
    };
    return use->state == OTTER_STATE_EXECUTING ? otter_report_label(report, use->label, text)
                                               : states[use->state];
}

struct filling {
    const struct otter_report *report;
    struct otter_sheet *table;
    const struct otter_functions *functions;
    // Seconds: of all samples; of 1 % of the thread time, but of all samples if that is more.
    double all, whole;
};

// Adds the row of a function, or of a line, `is_line`. The thread time does not contain threads
// without events.
static void add_row(const struct filling *filling, const struct otter_function_use *use,
                    bool is_line)
{
    char text[OTTER_LABEL_SIZE];
    struct otter_sheet *table = filling->table;
    const struct otter_report *report = filling->report;
    const char *function = *use->function ? use->function : "(unknown code)";
    const char *line = *use->where || !is_line ? use->where : "(unknown line)";
    const char *label = label_of(report, use, text);
    bool is_executing = use->state == OTTER_STATE_EXECUTING;
    if (!otter_label_choice_has(report->choice, report, use->label, is_executing ? NULL : label)) {
        return;
    }
    const struct otter_samples *samples = &filling->functions->samples;
    double low, high, wall = otter_report_seconds(report, report->analysis->account.wall) / 100;
    bool is_counted =
        (int)use->state != (int)OTTER_STATE_UNRECORDED && use->state != OTTER_STATE_UNUSED;
    double whole = is_counted ? filling->whole : NAN;
    double self = (double)use->n_self * samples->period;
    otter_sample_share(use->n_self, samples->n, &low, &high);
    double values[N_COLUMNS];
    unsigned n = 0;
    values[n++] = self / whole;
    values[n++] = (high - low) / 2 * filling->all / whole;
    if (!is_line) {
        values[n++] = (double)use->n_total * samples->period / whole;
    }
    values[n++] = otter_sheet_text(table, label);
    values[n++] = fmin((double)use->n_path * samples->period / wall, 100);
    values[n++] = otter_sheet_text(table, is_line ? function : line);
    values[n++] = (double)use->n_self;
    values[n++] = self;
    values[n++] = low * filling->all / whole;
    values[n++] = high * filling->all / whole;
    otter_sheet_add(table, is_line ? line : function, values);
}

// These sums show whether samples are missing: threads then executed longer than the samples
// account for, in the kernel or while samples were lost. Samples with unknown callers make totals
// too small. A few always lack callers, such as samples in calls from a program into a library.
static void add_sums(const struct filling *filling)
{
    const struct otter_report *report = filling->report;
    const struct otter_samples *samples = &filling->functions->samples;
    double executed = otter_report_seconds(report, report->analysis->account.executing);
    double n_cut = samples->n_cut > samples->n / 50 ? (double)samples->n_cut : 0;
    double n_lost = (double)samples->n_lost;
    char lost[OTTER_MAX_NUMBER];
    const struct {
        const char *name, *hint;
        double n, seconds;
    } sums[] = {{"all samples", "", (double)samples->n, filling->all},
                {"executed by threads", "", NAN, executed},
                {"of unknown callers", "see otter-report(1)", n_cut, n_cut * samples->period},
                {"samples lost", otter_number_text(samples->n_lost, lost), n_lost, NAN}};
    struct otter_sheet *table = filling->table;
    double none = otter_sheet_text(table, "");
    for (size_t i = 0; i < sizeof(sums) / sizeof(*sums); i++) {
        double values[N_COLUMNS];
        for (unsigned k = 0; k < table->n_columns; k++) {
            values[k] = table->columns[k].kind == OTTER_COLUMN_TEXT ? none : NAN;
        }
        values[otter_sheet_find_column(table, "self_percent")] = sums[i].seconds / filling->whole;
        values[otter_sheet_find_column(table, "label")] = otter_sheet_text(table, sums[i].hint);
        values[otter_sheet_find_column(table, "samples")] = sums[i].n;
        values[otter_sheet_find_column(table, "self_s")] = sums[i].seconds;
        if (!(sums[i].n == 0)) {
            otter_sheet_add_sum(table, sums[i].name, values);
        }
    }
}

static const char *reason_for_no_rows(const struct otter_samples *samples)
{
    if (*samples->damage.text) {
        return "the samples cannot be read";
    }
    if (samples->n_lost > 0) {
        return "all samples were lost";
    }
    return samples->period > 0 ? "the program ran too briefly to be sampled"
                               : "no samples: otter record --sample takes them";
}

// Adds the rows of all functions, or of all lines.
static void fill(const struct otter_report *report, struct otter_sheet *table, bool is_of_lines)
{
    struct otter_functions own = {.uses.n = 0};
    struct filling filling = {.report = report, .table = table, .functions = report->functions};
    if (!filling.functions) {
        filling.functions = &own;
        otter_functions_read(&own, report->analysis, report->labels);
    }
    const struct otter_samples *samples = &filling.functions->samples;
    const struct otter_function_uses *uses =
        is_of_lines ? &filling.functions->lines : &filling.functions->uses;
    filling.all = (double)samples->n * samples->period;
    // the last sample of a short run stands for more time than passed
    filling.whole =
        fmax(otter_report_seconds(report, report->analysis->account.total), filling.all) / 100;
    for (uint32_t i = 0; i < uses->n; i++) {
        add_row(&filling, &uses->items[i], is_of_lines);
    }
    if (uses->n > 0) {
        add_sums(&filling);
    } else {
        table->note = reason_for_no_rows(samples);
    }
    otter_functions_finish(&own);
}

void otter_fill_functions(const struct otter_report *report, struct otter_sheet *table)
{
    static const struct otter_column columns[N_COLUMNS] = {
        {"self_percent", "self", OTTER_COLUMN_PERCENT},
        {"error_percent", "+-", OTTER_COLUMN_PERCENT},
        {"total_percent", "total", OTTER_COLUMN_PERCENT},
        {"label", "label", OTTER_COLUMN_TEXT},
        {"path_percent", "path", OTTER_COLUMN_PERCENT},
        {"line", "line", OTTER_COLUMN_TEXT},
        {"samples", "samples", OTTER_COLUMN_COUNT},
        {"self_s", "time", OTTER_COLUMN_SECONDS},
        {"least_percent", "from", OTTER_COLUMN_PERCENT},
        {"most_percent", "to", OTTER_COLUMN_PERCENT},
    };
    OTTER_SET_COLUMNS(table, "function", columns);
    fill(report, table, false);
}

void otter_fill_lines(const struct otter_report *report, struct otter_sheet *table)
{
    static const struct otter_column columns[] = {
        {"self_percent", "self", OTTER_COLUMN_PERCENT},
        {"error_percent", "+-", OTTER_COLUMN_PERCENT},
        {"label", "label", OTTER_COLUMN_TEXT},
        {"path_percent", "path", OTTER_COLUMN_PERCENT},
        {"function", "function", OTTER_COLUMN_TEXT},
        {"samples", "samples", OTTER_COLUMN_COUNT},
        {"self_s", "time", OTTER_COLUMN_SECONDS},
        {"least_percent", "from", OTTER_COLUMN_PERCENT},
        {"most_percent", "to", OTTER_COLUMN_PERCENT},
    };
    OTTER_SET_COLUMNS(table, "line", columns);
    fill(report, table, true);
}

// ---- one row for each function

static int compare_names(const void *a, const void *b)
{
    const struct otter_function_use *x = a, *y = b;
    return strcmp(x->function, y->function);
}

static void add_sum(struct otter_sheet *table, const struct otter_function_use *sum, double period)
{
    double values[] = {(double)sum->n_self * period, (double)sum->n_total * period,
                       (double)sum->n_path * period, (double)sum->n_self};
    otter_sheet_add(table, *sum->function ? sum->function : "(unknown code)", values);
}

void otter_fill_function_sums(const struct otter_report *report, struct otter_sheet *table)
{
    static const struct otter_column columns[] = {
        {"self_s", "time", OTTER_COLUMN_SECONDS},
        {"total_s", "total time", OTTER_COLUMN_SECONDS},
        {"path_s", "on the path", OTTER_COLUMN_SECONDS},
        {"samples", "samples", OTTER_COLUMN_COUNT},
    };
    OTTER_SET_COLUMNS(table, "function", columns);
    struct otter_functions functions;
    otter_functions_read(&functions, report->analysis, report->labels);
    struct otter_function_uses *uses = &functions.uses;
    OTTER_SORT(uses, compare_names);
    for (uint32_t i = 0, end; i < uses->n; i = end) {
        struct otter_function_use sum = uses->items[i];
        for (end = i + 1; end < uses->n && compare_names(&sum, &uses->items[end]) == 0; end++) {
            sum.n_self += uses->items[end].n_self;
            sum.n_total += uses->items[end].n_total;
            sum.n_path += uses->items[end].n_path;
        }
        add_sum(table, &sum, functions.samples.period);
    }
    otter_functions_finish(&functions);
}
