// Prints the summary of a merged archive: a line for each rank, and the totals.
#include "cli/rank_summaries.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/print.h"
#include "base/visible.h"
#include "cli/each_rank.h"
#include "report/info.h"
#include "report/number.h"

struct totals {
    uint64_t n_events, n_tasks, n_lost, n_locations;
};

static void print_line(const char *rank, const struct totals *totals, const char *span,
                       const char *host)
{
    char events[OTTER_MAX_NUMBER], tasks[OTTER_MAX_NUMBER], lost[OTTER_MAX_NUMBER];
    otter_print(stdout, "%6s %9" PRIu64 " %14s %12s %10s", rank, totals->n_locations,
                otter_number_text(totals->n_events, events),
                otter_number_text(totals->n_tasks, tasks), otter_number_text(totals->n_lost, lost));
    if (*span) {
        otter_print(stdout, " %10s  %s", span, host);
    }
    otter_print(stdout, "\n");
}

static bool print_rank(void *user, struct otter_archive *archive, const struct otter_rank *rank)
{
    struct totals *all = user;
    struct otter_summary summary;
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    if (otter_summary_init(&summary, archive)) {
        otter_error("cannot read archive '%s': out of memory", definitions->folder);
        return false;
    }
    struct totals own = {summary.n_events, summary.tasks_created,
                         otter_archive_number(archive, "OTTER::LOST"), definitions->n_locations};
    char number[OTTER_MAX_NUMBER], span[OTTER_MAX_NUMBER] = "-";
    double seconds = otter_info_seconds(definitions, &summary);
    snprintf(number, sizeof number, "%" PRIu32, rank->number);
    print_line(number, &own, seconds < 0 ? span : otter_duration_text(seconds, span), rank->host);
    all->n_events += own.n_events;
    all->n_tasks += own.n_tasks;
    all->n_lost += own.n_lost;
    all->n_locations += own.n_locations;
    bool is_whole = summary.n_damaged == 0;
    if (!is_whole) {
        fflush(stdout);
        otter_error("rank %" PRIu32 ": %s", rank->number, summary.first_damage.text);
    }
    otter_summary_finish(&summary);
    return is_whole;
}

static void print_heading(const struct otter_archive *archive)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    const char *clocks = otter_archive_property(archive, "OTTER::CLOCKS");
    uint64_t deviation_ns = 0;
    for (size_t i = 0; i < definitions->n_ranks; i++) {
        uint64_t own_ns = definitions->ranks[i].clock_deviation_ns;
        deviation_ns = own_ns > deviation_ns ? own_ns : deviation_ns;
    }
    otter_print(stdout, "%s\n  ranks        %zu of %" PRIu64 "\n  clocks       %s",
                definitions->folder, definitions->n_ranks,
                otter_archive_number(archive, "OTTER::RANKS"), clocks ? clocks : "unknown");
    if (deviation_ns > 0) {
        otter_print(stdout, ", deviation about %.3g us", (double)deviation_ns / 1000);
    }
    otter_print(stdout, "\n\n%6s %9s %14s %12s %10s %10s  %s\n", "rank", "locations", "events",
                "tasks", "lost", "time span", "host");
}

uint32_t otter_rank_summaries_print(struct otter_archive *archive)
{
    struct totals all = {0};
    print_heading(archive);
    uint32_t n_failed = otter_each_rank(archive, print_rank, &all);
    print_line("all", &all, "", "");
    char *word = otter_visible_word(otter_archive_definitions(archive)->folder);
    otter_print(stdout, "\nnext: otter graph --hash %s\n", word ? word : "");
    free(word);
    return n_failed;
}
