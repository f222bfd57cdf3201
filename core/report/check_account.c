// Analyses an archive to check that the account of the threads' time adds up.
#include "report/check_account.h"

#include "analysis/analysis.h"
#include "check/deviation.h"

enum otter_status otter_check_account(struct otter_archive *archive,
                                      struct otter_check_report *report,
                                      struct otter_graph *fragments,
                                      struct otter_complaint *complaint)
{
    struct otter_check_result *result = &report->results[OTTER_CHECK_ACCOUNT];
    struct otter_analysis analysis;
    if (report->results[OTTER_CHECK_TEAMS].not_applicable) {
        otter_graph_destroy(fragments);
        return OTTER_OK; // of another tool
    }
    enum otter_status status =
        otter_analysis_init_of_graph(&analysis, archive, fragments, complaint);
    if (status) {
        result->not_applicable = "no thread was in a region";
        return status == OTTER_BAD_ARCHIVE ? OTTER_OK : status;
    }
    result->not_applicable = NULL;
    result->n_tested = analysis.account.n_threads;
    const char *flaw = otter_analysis_flaw(&analysis);
    if (flaw) {
        otter_deviate(report, OTTER_CHECK_ACCOUNT, OTTER_QUIRK_NONE, OTTER_NOWHERE, "%s", flaw);
    }
    otter_analysis_finish(&analysis);
    return OTTER_OK;
}
