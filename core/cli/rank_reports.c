// Reports all ranks of a merged archive, one after the other: the memory is that of one rank.
#include "cli/rank_reports.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/print.h"
#include "base/vector.h"
#include "cli/each_rank.h"
#include "report/json.h"
#include "report/labels.h"
#include "report/rank_table.h"

struct reports {
    OTTER_VECTOR(struct otter_rank_row);
};

static enum otter_status add_findings(struct reports *reports, struct otter_archive *archive,
                                      const struct otter_analysis *analysis,
                                      const struct otter_labels *labels, uint32_t rank)
{
    struct otter_findings findings;
    enum otter_status status = otter_findings_init(&findings, analysis);
    if (status) {
        return status;
    }
    struct otter_report report = {archive, analysis, &findings, labels, false};
    if (OTTER_VECTOR_RESERVE(reports)) {
        reports->items[reports->n++] = otter_rank_row_of(rank, &report);
    } else {
        status = OTTER_NO_MEMORY;
    }
    otter_findings_finish(&findings);
    return status;
}

static enum otter_status analyse(struct reports *reports, struct otter_archive *archive,
                                 struct otter_labels *labels, uint32_t rank,
                                 struct otter_complaint *complaint)
{
    struct otter_analysis analysis;
    enum otter_status status = otter_analysis_init(&analysis, archive, complaint);
    if (status) {
        return status;
    }
    otter_kernel_uses_set_lines(&analysis.kernels, labels);
    status = add_findings(reports, archive, &analysis, labels, rank);
    otter_analysis_finish(&analysis);
    return status;
}

static bool add_rank(void *user, struct otter_archive *archive, const struct otter_rank *rank)
{
    struct otter_labels labels;
    struct otter_complaint complaint;
    snprintf(complaint.text, sizeof complaint.text, "%s", otter_status_text(OTTER_NO_MEMORY));
    enum otter_status status = otter_labels_read(&labels, archive);
    if (!status) {
        status = analyse(user, archive, &labels, rank->number, &complaint);
        otter_labels_finish(&labels);
    }
    if (status) {
        otter_error("rank %" PRIu32 " is left out: %s", rank->number, complaint.text);
    }
    return !status;
}

static void print_text(const struct otter_archive *archive, struct reports *reports)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    const char *clocks = otter_archive_property(archive, "OTTER::CLOCKS");
    otter_print(stdout, "%s\n%zu of %" PRIu64 " ranks, clocks: %s\n\n", definitions->folder,
                definitions->n_ranks, otter_archive_number(archive, "OTTER::RANKS"),
                clocks ? clocks : "unknown");
    if (reports->n > 0) {
        otter_rank_rows_print(stdout, reports->items, reports->n);
        otter_print(stdout, "\nnext: otter report --rank=%" PRIu32 " %s\n", reports->items[0].rank,
                    definitions->folder);
    }
}

uint32_t otter_rank_reports_print(struct otter_archive *archive, bool is_json)
{
    struct reports reports = {.n = 0};
    uint32_t n_failed = otter_each_rank(archive, add_rank, &reports);
    if (!is_json) {
        print_text(archive, &reports);
    } else {
        json_t *root = json_object();
        otter_json_set_text(root, "archive", otter_archive_definitions(archive)->folder);
        otter_json_set(root, "ranks", otter_rank_rows_json(reports.items, reports.n));
        otter_json_print(stdout, root);
    }
    free(reports.items);
    return n_failed;
}
