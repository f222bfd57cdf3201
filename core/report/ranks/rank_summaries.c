// Prints the summary of a merged archive: a line for each rank, and the totals.
#include "report/ranks/rank_summaries.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text/print.h"
#include "base/text/visible.h"
#include "analysis/job/each_rank.h"
#include "report/info/info.h"
#include "report/form/json.h"
#include "report/form/terminal.h"
#include "base/text/number.h"

enum { WIDE = 80 }; // columns; narrower tables lack locations and hosts

struct totals {
    uint64_t n_events, n_tasks, n_lost, n_locations;
};

struct summaries {
    struct totals all;
    unsigned width; // of the table
    bool has_cut_off;
    json_t *ranks; // NULL: text
};

static bool is_cut_off(const struct otter_archive *archive)
{
    const char *value = otter_archive_property(archive, "OTTER::CUT_OFF");
    return value && strcmp(value, "true") == 0;
}

static json_t *totals_json(const struct totals *totals)
{
    json_t *object = json_object();
    otter_json_set_number(object, "locations", totals->n_locations);
    otter_json_set_number(object, "events", totals->n_events);
    otter_json_set_number(object, "tasks", totals->n_tasks);
    otter_json_set_number(object, "lost", totals->n_lost);
    return object;
}

static void add_json(json_t *ranks, const struct otter_archive *archive,
                     const struct otter_rank *rank, const struct totals *totals, double seconds)
{
    json_t *object = totals_json(totals);
    otter_json_set_number(object, "rank", rank->number);
    otter_json_set(object, "time_span_s", seconds < 0 ? json_null() : json_real(seconds));
    otter_json_set_text(object, "host", rank->host);
    otter_json_set_number(object, "processors", otter_archive_number(archive, "OTTER::PROCESSORS"));
    otter_json_set_text(object, "program", rank->program);
    otter_json_set(object, "cut_off", json_boolean(is_cut_off(archive)));
    json_array_append_new(ranks, object);
}

static void print_line(unsigned width, const char *rank, const struct totals *totals,
                       const char *rest)
{
    char events[OTTER_MAX_NUMBER], tasks[OTTER_MAX_NUMBER], lost[OTTER_MAX_NUMBER];
    otter_print(stdout, "%5s", rank);
    if (width >= WIDE) {
        otter_print(stdout, " %9" PRIu64, totals->n_locations);
    }
    otter_print(stdout, " %12s %10s %6s%s\n", otter_number_text(totals->n_events, events),
                otter_number_text(totals->n_tasks, tasks), otter_number_text(totals->n_lost, lost),
                rest);
}

static void print_row(struct summaries *summaries, const struct otter_archive *archive,
                      const struct otter_rank *rank, const struct totals *own, double seconds)
{
    char number[OTTER_MAX_NUMBER], span[OTTER_MAX_NUMBER] = "-", count[OTTER_MAX_NUMBER] = "-",
                                   host[80] = "", rest[160];
    uint64_t n_processors = otter_archive_number(archive, "OTTER::PROCESSORS");
    bool has_sign = is_cut_off(archive);
    summaries->has_cut_off = summaries->has_cut_off || has_sign;
    snprintf(number, sizeof number, "%" PRIu32, rank->number);
    const char *processors = otter_archive_property(archive, "OTTER::PROCESSOR_LIST");
    bool has_list = processors && *processors;
    if (summaries->width >= WIDE) {
        snprintf(host, sizeof host, "  %.40s%s%.30s%s", rank->host, has_list ? " (" : "",
                 has_list ? processors : "", has_list ? ")" : "");
    }
    snprintf(rest, sizeof rest, " %9s %10s%s%s",
             seconds < 0 ? span : otter_duration_text(seconds, span),
             n_processors > 0 ? otter_number_text(n_processors, count) : count, host,
             has_sign ? " *" : "");
    print_line(summaries->width, number, own, rest);
}

static void read_rank(const void *user, struct otter_archive *archive, void *result)
{
    (void)user;
    otter_summary_init(result, archive);
}

static void finish_rank(void *result)
{
    otter_summary_finish(result);
}

static bool add_rank(void *user, struct otter_archive *archive, void *result)
{
    struct summaries *summaries = user;
    struct totals *all = &summaries->all;
    const struct otter_summary *summary = result;
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    const struct otter_rank *rank = otter_selected_rank(archive);
    struct totals own = {summary->n_events, summary->tasks_created,
                         otter_archive_number(archive, "OTTER::LOST"), definitions->n_locations};
    double seconds = otter_info_seconds(definitions, summary);
    if (summaries->ranks) {
        add_json(summaries->ranks, archive, rank, &own, seconds);
    } else {
        print_row(summaries, archive, rank, &own, seconds);
    }
    all->n_events += own.n_events;
    all->n_tasks += own.n_tasks;
    all->n_lost += own.n_lost;
    all->n_locations += own.n_locations;
    bool is_whole = summary->n_damaged == 0;
    if (!is_whole) {
        fflush(stdout);
        otter_error("rank %" PRIu32 ": %s", rank->number, summary->first_damage.text);
    }
    return is_whole;
}

static const struct otter_rank_steps steps = {.size = sizeof(struct otter_summary),
                                              .read = read_rank,
                                              .use = add_rank,
                                              .finish = finish_rank};

static void print_heading(const struct otter_archive *archive, unsigned width)
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
    otter_print(stdout, "\n\n rank%s       events      tasks   lost time span processors%s\n",
                width >= WIDE ? " locations" : "", width >= WIDE ? "  host" : "");
}

uint32_t otter_rank_summaries_print(struct otter_archive *archive)
{
    struct summaries summaries = {.width = otter_terminal_width(stdout)};
    print_heading(archive, summaries.width);
    uint32_t n_failed = otter_each_rank(archive, &steps, &summaries);
    print_line(summaries.width, "all", &summaries.all, "");
    if (summaries.has_cut_off) {
        otter_print(stdout, "\n* was killed, or ended without completing its archive\n");
    }
    const char *folder = otter_archive_definitions(archive)->folder;
    char *word = otter_visible_word(folder);
    otter_print(stdout, "\nnext: otter graph --hash %s\n", word);
    free(word);
    return n_failed;
}

uint32_t otter_rank_summaries_print_json(struct otter_archive *archive)
{
    struct summaries summaries = {.ranks = json_array()};
    uint32_t n_failed = otter_each_rank(archive, &steps, &summaries);
    const char *clocks = otter_archive_property(archive, "OTTER::CLOCKS");
    json_t *root = totals_json(&summaries.all);
    otter_json_set_text(root, "archive", otter_archive_definitions(archive)->folder);
    otter_json_set_number(root, "ranks_of_job", otter_archive_number(archive, "OTTER::RANKS"));
    otter_json_set_text(root, "clocks", clocks ? clocks : "unknown");
    otter_json_set(root, "ranks", summaries.ranks);
    return otter_json_print(stdout, root) ? n_failed + 1 : n_failed;
}
