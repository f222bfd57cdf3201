// Analyses an archive to check that the account of the threads' time adds up.
#include "report/check/check_account.h"

#include "analysis/findings/findings.h"
#include "check/deviation.h"

static enum otter_status check_findings(const struct otter_analysis *analysis,
                                        struct otter_check_report *report)
{
    struct otter_findings findings;
    enum otter_status status = otter_findings_init(&findings, analysis);
    if (status) {
        return status;
    }
    if (findings.has_excess) {
        const struct otter_excess *excess = &findings.excess;
        otter_deviate(report, OTTER_CHECK_ACCOUNT, OTTER_QUIRK_NONE, OTTER_NOWHERE,
                      "%s at %s costs %.0f ticks, and at most %.0f are possible",
                      excess->kind == OTTER_FINDING_UNEXPLAINED ? "the sum of all causes"
                                                                : otter_finding_name(excess->kind),
                      excess->label < analysis->definitions->n_regions
                          ? analysis->definitions->regions[excess->label].name
                          : "all places",
                      excess->cost, excess->most);
    }
    otter_findings_finish(&findings);
    return OTTER_OK;
}

enum otter_status otter_check_account(struct otter_archive *archive,
                                      struct otter_check_report *report,
                                      struct otter_graph *fragments,
                                      struct otter_complaint *complaint)
{
    struct otter_check_result *result = &report->results[OTTER_CHECK_ACCOUNT];
    struct otter_analysis analysis;
    if (report->results[OTTER_CHECK_TEAMS].not_applicable) {
        otter_graph_destroy(fragments);
        return OTTER_OK; // another tool wrote the archive
    }
    struct otter_analysis_extras extras = {.fragments = fragments};
    enum otter_status status = otter_analysis_init(&analysis, archive, &extras, complaint);
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
    status = check_findings(&analysis, report);
    otter_analysis_finish(&analysis);
    return status;
}
