// Prints a table of all ranks of a merged archive. Memory is needed for all rows, and for the ranks
// that are read at the same time.
#include "report/ranks/rank_tables.h"

#include <inttypes.h>
#include <string.h>

#include "base/exit_status.h"
#include "base/log.h"
#include "analysis/job/each_rank.h"
#include "report/form/label_choice.h"
#include "report/ranks/job_analysis.h"
#include "report/table/rank_sheet.h"
#include "analysis/findings/read.h"

struct tables {
    const struct otter_table_request *request;
    struct otter_sheet all;
    struct otter_label_choice choice;
    uint32_t n_incomplete;
};

static void fill_chosen(const struct tables *tables, const struct otter_report *report,
                        struct otter_sheet *sheet, struct otter_label_choice *choice)
{
    struct otter_report own = *report;
    own.is_full = tables->request->is_full;
    own.choice = choice;
    otter_report_fill(&own, tables->request->table, sheet);
}

// All ranks share the choice of a label, so their tables are filled one after the other.
static void fill(const void *user, const struct otter_report *report,
                 const struct otter_rank_calls *calls, void *own)
{
    const struct tables *tables = user;
    (void)calls;
    if (!tables->choice.text) {
        fill_chosen(tables, report, own, NULL);
    }
}

static void add_table(void *user, const struct otter_report *report, void *own)
{
    struct tables *tables = user;
    if (tables->choice.text) {
        fill_chosen(tables, report, own, &tables->choice);
    }
    tables->n_incomplete += !otter_analysis_is_complete(report->analysis);
    otter_rank_sheet_add(&tables->all, otter_selected_rank(report->archive)->number, own);
}

static void finish(void *own)
{
    otter_sheet_finish(own);
}

int otter_rank_tables_print(struct otter_archive *archive,
                            const struct otter_table_request *request)
{
    struct tables tables = {.request = request, .choice.text = request->label};
    static const struct otter_rank_use use = {
        .size = sizeof(struct otter_sheet), .prepare = fill, .use = add_table, .finish = finish};
    uint32_t n_failed = otter_job_read_ranks(NULL, archive, &use, &tables, NULL);
    enum otter_status status = otter_label_choice_end(&tables.choice, request->table->option);
    if (tables.n_incomplete > 0) {
        otter_warning("%" PRIu32 " of %zu ranks are not complete, so all numbers are estimates",
                      tables.n_incomplete, otter_archive_definitions(archive)->n_ranks);
    }
    if (tables.all.columns && !status) {
        if (!strchr(request->table->option, '=')) {
            otter_rank_sheet_sort(&tables.all);
        }
        status = otter_table_print_sheet(stdout, &tables.all, request);
    }
    otter_sheet_finish(&tables.all);
    return status == OTTER_BAD_VALUE ? OTTER_EXIT_USAGE
           : status || n_failed > 0  ? OTTER_EXIT_FAILED
                                     : OTTER_EXIT_OK;
}
