// Fills the table of functions.
#include <math.h>

#include "analysis/sample/functions.h"
#include "report/table/table_fill.h"

// Returns what the thread did: the label that it executed, or its state.
static const char *label_of(const struct otter_report *report, const struct otter_function_use *use,
                            char text[OTTER_LABEL_SIZE])
{
    static const char *const states[] = {
        [OTTER_STATE_OUTSIDE] = "(outside)",  [OTTER_STATE_WAITING] = "(waiting)",
        [OTTER_STATE_LOCK] = "(lock)",        [OTTER_STATE_FORKING] = "(forking)",
        [OTTER_STATE_MPI] = "(MPI)",          [OTTER_STATE_PAUSED] = "(paused)",
        [OTTER_STATE_LOST] = "(events lost)", [OTTER_STATE_UNRECORDED] = "(other threads)",
    };
    return use->state == OTTER_STATE_EXECUTING ? otter_report_label(report, use->label, text)
                                               : states[use->state];
}

static void add_row(const struct otter_report *report, struct otter_sheet *table,
                    const struct otter_functions *functions, const struct otter_function_use *use)
{
    char text[OTTER_LABEL_SIZE];
    double low, high, all = (double)functions->samples.n * functions->samples.period;
    double whole = otter_report_seconds(report, report->analysis->account.total) / 100;
    if ((int)use->state == (int)OTTER_STATE_UNRECORDED) {
        whole = NAN; // the thread time does not contain this thread
    }
    double self = (double)use->n_self * functions->samples.period;
    double total = (double)use->n_total * functions->samples.period;
    otter_sample_share(use->n_self, functions->samples.n, &low, &high);
    double values[] = {self / whole,
                       low * all / whole,
                       high * all / whole,
                       otter_sheet_text(table, label_of(report, use, text)),
                       otter_sheet_text(table, use->where),
                       (double)use->n_self,
                       total / whole,
                       self,
                       total};
    otter_sheet_add(table, *use->function ? use->function : "(unknown code)", values);
}

// A reader sees whether samples are missing: the threads executed longer than the samples say, in
// the kernel or while samples were lost.
static void add_sums(const struct otter_report *report, struct otter_sheet *table,
                     const struct otter_functions *functions)
{
    const struct otter_account *account = &report->analysis->account;
    double all = (double)functions->samples.n * functions->samples.period;
    double whole = otter_report_seconds(report, account->total) / 100;
    double executed = otter_report_seconds(report, account->executing);
    double none = otter_sheet_text(table, "");
    double sampled[] = {all / whole, NAN, NAN, none, none, (double)functions->samples.n,
                        NAN,         all, NAN};
    double by_events[] = {executed / whole, NAN, NAN, none, none, NAN, NAN, executed, NAN};
    otter_sheet_add_sum(table, "all samples", sampled);
    otter_sheet_add_sum(table, "executed by threads", by_events);
    if (functions->samples.n_lost > 0) {
        double lost[] = {NAN, NAN, NAN, none, none, (double)functions->samples.n_lost,
                         NAN, NAN, NAN};
        otter_sheet_add_sum(table, "samples lost", lost);
    }
}

static const char *reason_for_no_rows(const struct otter_functions *functions)
{
    if (*functions->samples.damage.text) {
        return "the samples cannot be read";
    }
    if (functions->samples.n_lost > 0) {
        return "all samples were lost";
    }
    return functions->samples.period > 0 ? "the program ran too shortly for samples"
                                         : "no samples: otter record --sample takes them";
}

void otter_fill_functions(const struct otter_report *report, struct otter_sheet *table)
{
    static const struct otter_column columns[] = {
        {"self_percent", "self", OTTER_COLUMN_PERCENT},
        {"least_percent", "from", OTTER_COLUMN_PERCENT},
        {"most_percent", "to", OTTER_COLUMN_PERCENT},
        {"label", "label", OTTER_COLUMN_TEXT},
        {"line", "line", OTTER_COLUMN_TEXT},
        {"samples", "samples", OTTER_COLUMN_COUNT},
        {"total_percent", "total", OTTER_COLUMN_PERCENT},
        {"self_s", "time", OTTER_COLUMN_SECONDS},
        {"total_s", "total time", OTTER_COLUMN_SECONDS},
    };
    OTTER_SET_COLUMNS(table, "function", columns);
    struct otter_functions functions;
    table->is_short_of_memory = otter_functions_read(&functions, report->analysis, report->labels);
    for (uint32_t i = 0; i < functions.n; i++) {
        add_row(report, table, &functions, &functions.items[i]);
    }
    if (functions.n > 0) {
        add_sums(report, table, &functions);
    } else {
        table->note = reason_for_no_rows(&functions);
    }
    otter_functions_finish(&functions);
}
