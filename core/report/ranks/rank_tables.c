// Prints a table of all ranks of a merged archive. Memory is needed only for one rank and all rows.
#include "report/ranks/rank_tables.h"

#include <inttypes.h>
#include <string.h>

#include "base/exit_status.h"
#include "base/log.h"
#include "report/ranks/each_rank.h"
#include "report/form/label_choice.h"
#include "report/ranks/job_analysis.h"
#include "report/table/rank_sheet.h"
#include "analysis/findings/read.h"

struct tables {
    const struct otter_table_request *request;
    struct otter_rank_sheet all;
    struct otter_label_choice choice;
    uint32_t rank; // number of the rank that is being read
    uint32_t n_incomplete;
};

static enum otter_status add_table(void *user, const struct otter_report *report)
{
    struct tables *tables = user;
    struct otter_report own = *report;
    struct otter_sheet sheet;
    own.is_full = tables->request->is_full;
    own.choice = &tables->choice;
    if (!otter_report_fill(&own, tables->request->table, &sheet)) {
        return OTTER_NO_MEMORY;
    }
    otter_reading_warn_of_damage(report->archive);
    tables->n_incomplete += !otter_analysis_is_complete(report->analysis);
    otter_rank_sheet_add(&tables->all, tables->rank, &sheet);
    otter_sheet_finish(&sheet);
    return tables->all.sheet.is_short_of_memory ? OTTER_NO_MEMORY : OTTER_OK;
}

static bool add_rank(void *user, struct otter_archive *archive, const struct otter_rank *rank)
{
    struct tables *tables = user;
    tables->rank = rank->number;
    if (tables->all.sheet.is_short_of_memory) {
        return false; // a message has been printed
    }
    return otter_job_read_report(archive, rank, add_table, tables);
}

int otter_rank_tables_print(struct otter_archive *archive,
                            const struct otter_table_request *request)
{
    struct tables tables = {.request = request, .choice.text = request->label};
    uint32_t n_failed = otter_each_rank(archive, add_rank, &tables);
    enum otter_status status = otter_label_choice_end(&tables.choice, request->table->option);
    if (tables.n_incomplete > 0) {
        otter_warning("%" PRIu32 " of %zu ranks are not complete, so all numbers are estimates",
                      tables.n_incomplete, otter_archive_definitions(archive)->n_ranks);
    }
    if (tables.all.sheet.columns && !status) {
        if (!strchr(request->table->option, '=')) {
            otter_rank_sheet_sort(&tables.all);
        }
        status = otter_table_print_sheet(stdout, &tables.all.sheet, request);
    }
    otter_sheet_finish(&tables.all.sheet);
    return status == OTTER_BAD_VALUE ? OTTER_EXIT_USAGE
           : status || n_failed > 0  ? OTTER_EXIT_FAILED
                                     : OTTER_EXIT_OK;
}
