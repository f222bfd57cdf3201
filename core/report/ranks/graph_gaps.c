// Prints warnings about everything that may be missing from a task graph.
#include "report/ranks/graph_gaps.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/text/visible.h"
#include "base/text/number.h"
#include "report/info/region_totals.h"

// struct otter_build_findings contains only numbers.
static void add_findings(struct otter_build_findings *sum,
                         const struct otter_build_findings *findings)
{
    sum->n_unfinished_tasks += findings->n_unfinished_tasks;
    sum->n_unknown_tasks += findings->n_unknown_tasks;
    sum->n_orphans += findings->n_orphans;
    sum->n_unknown_forks += findings->n_unknown_forks;
    sum->n_unknown_fulfillers += findings->n_unknown_fulfillers;
    sum->n_unmatched_leaves += findings->n_unmatched_leaves;
    sum->n_uneven_barriers += findings->n_uneven_barriers;
    sum->n_unknown_operations += findings->n_unknown_operations;
    sum->n_late_operations += findings->n_late_operations;
    sum->n_damaged_locations += findings->n_damaged_locations;
    sum->n_pauses += findings->n_pauses;
}

void otter_graph_gaps_add(struct otter_graph_gaps *gaps, const struct otter_archive *archive,
                          const struct otter_build_findings *findings)
{
    enum otter_missing missing = otter_missing_dependences(archive);
    double seconds;
    add_findings(&gaps->findings, findings);
    gaps->n_archives++;
    gaps->n_lost += otter_archive_number(archive, "OTTER::LOST");
    gaps->missing = missing ? missing : gaps->missing;
    if (otter_archive_is_stopped(archive, &seconds)) {
        gaps->n_stopped++;
        gaps->stopped_after_s = seconds;
    }
}

// Warns in one line about all parts that the builder lacked.
static void warn_of_findings(const struct otter_graph_gaps *gaps, const char *path)
{
    const struct otter_build_findings *findings = &gaps->findings;
    const struct {
        uint64_t n;
        const char *one, *many;
    } found[] = {
        {gaps->n_lost, "event was lost", "events were lost"},
        {findings->n_damaged_locations, "thread cannot be read completely",
         "threads cannot be read completely"},
        {findings->n_unfinished_tasks, "task never ended", "tasks never ended"},
        {findings->n_unknown_tasks, "task was never created", "tasks were never created"},
        {findings->n_unknown_forks, "thread is in an unknown team", "threads are in unknown teams"},
        {findings->n_unknown_fulfillers, "event was fulfilled by an unknown thread",
         "events were fulfilled by unknown threads"},
        {findings->n_unknown_operations, "operation of a device was started by no known thread",
         "operations of devices were started by no known thread"},
        {findings->n_late_operations, "operation of a device ended after a wait for it",
         "operations of devices ended after waits for them"},
        {findings->n_unmatched_leaves, "end has no beginning", "ends have no beginning"},
        {findings->n_uneven_barriers, "barrier was not reached by its whole team",
         "barriers were not reached by their whole team"},
    };
    char text[512] = "";
    size_t used = 0;
    for (size_t i = 0; i < sizeof found / sizeof *found; i++) {
        if (found[i].n > 0 && used < sizeof text) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%" PRIu64 " %s",
                                     used ? ", " : "", found[i].n,
                                     found[i].n == 1 ? found[i].one : found[i].many);
        }
    }
    if (used) {
        char *word = otter_visible_word(path);
        otter_warning("the graph may have gaps: %s; for details: otter check %s", text, word);
        free(word);
    }
}

static void warn_of_stop(const struct otter_graph_gaps *gaps)
{
    char duration[OTTER_MAX_NUMBER];
    double seconds = gaps->stopped_after_s;
    if (gaps->n_stopped > 0 && gaps->n_archives > 1) {
        otter_warning("%" PRIu32 " of %" PRIu32 " ranks end early in the graph, where their "
                      "events end: max-size was reached; the program continued",
                      gaps->n_stopped, gaps->n_archives);
    } else if (gaps->n_stopped > 0) {
        otter_warning(
            "the graph ends where events end: max-size was reached%s%s; the program continued",
            seconds >= 0 ? " after " : "",
            seconds >= 0 ? otter_duration_text(seconds, duration) : "");
    }
}

void otter_graph_gaps_warn(const struct otter_graph_gaps *gaps, const char *path)
{
    warn_of_findings(gaps, path);
    if (gaps->missing) {
        otter_warning("the graph has %s dependences: %s",
                      gaps->missing == OTTER_MISSING_KINDS ? "uncertain" : "no",
                      otter_missing_reason(gaps->missing));
    }
    warn_of_stop(gaps);
}
