// Fills the tables of both critical paths, step by step.
#include <math.h>

#include "analysis/detail/chain.h"
#include "base/order.h"
#include "report/table/table_fill.h"

static void add_link(const struct otter_report *report, struct otter_sheet *table,
                     const struct otter_chain_link *link, const double *reasons, double thread)
{
    char text[OTTER_LABEL_SIZE];
    const struct otter_analysis *analysis = report->analysis;
    const char *label =
        link->label == OTTER_NONE ? "-" : otter_report_label(report, link->label, text);
    for (unsigned i = 0; i < OTTER_N_CHAIN_REASONS; i++) {
        double values[] = {otter_report_seconds(report, link->begin[i] - analysis->timeline.begin),
                           otter_report_seconds(report, link->ticks[i]), reasons[i],
                           (double)link->n[i], thread};
        if (link->n[i] > 0) {
            otter_sheet_add(table, label, values);
        }
    }
}

static void add_links(const struct otter_report *report, struct otter_sheet *table,
                      const struct otter_chain *chain)
{
    const struct otter_definitions *definitions = report->analysis->definitions;
    double reasons[OTTER_N_CHAIN_REASONS], several = otter_sheet_text(table, "several");
    for (unsigned i = 0; i < OTTER_N_CHAIN_REASONS; i++) {
        reasons[i] = otter_sheet_text(table, otter_chain_reason_name((enum otter_chain_reason)i));
    }
    double first_thread = table->texts.n;
    for (size_t i = 0; i < definitions->n_locations; i++) {
        otter_sheet_text(table, definitions->locations[i].name);
    }
    for (uint32_t i = 0; i < chain->links.n; i++) {
        const struct otter_chain_link *link = &chain->links.items[i];
        double thread = link->has_others               ? several
                        : link->location == OTTER_NONE ? NAN
                                                       : first_thread + link->location;
        add_link(report, table, link, reasons, thread);
    }
}

static int compare_begins(const void *a, const void *b)
{
    const struct otter_row *x = a, *y = b;
    return OTTER_BY_1(x, y, values[0]);
}

static void fill(const struct otter_report *report, struct otter_sheet *table,
                 enum otter_chain_path path)
{
    static const struct otter_column columns[] = {
        {"begin_s", "begin", OTTER_COLUMN_SECONDS},
        {"duration_s", "duration", OTTER_COLUMN_SECONDS},
        {"reason", "reason", OTTER_COLUMN_TEXT},
        {"steps", "steps", OTTER_COLUMN_COUNT},
        {"thread", "thread", OTTER_COLUMN_TEXT},
    };
    OTTER_SET_COLUMNS(table, "label", columns);
    struct otter_chain chain;
    otter_chain_init(&chain, report->analysis, path, !report->is_full);
    add_links(report, table, &chain);
    otter_chain_finish(&chain);
    OTTER_SORT(&table->rows, compare_begins);
    if (report->max_steps > 0) {
        otter_sheet_keep(table, otter_sheet_find_column(table, "duration_s"), report->max_steps);
    }
}

void otter_fill_chain(const struct otter_report *report, struct otter_sheet *table)
{
    fill(report, table, OTTER_CHAIN_REALISED);
}

void otter_fill_span_chain(const struct otter_report *report, struct otter_sheet *table)
{
    fill(report, table, OTTER_CHAIN_SPAN);
}
