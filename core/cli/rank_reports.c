// Reports all ranks of a merged archive, one after the other: the memory is that of one rank.
#include "cli/rank_reports.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/print.h"
#include "base/vector.h"
#include "cli/each_rank.h"
#include "cli/rank_ranges.h"
#include "report/json.h"
#include "report/rank_table.h"
#include "report/read.h"

struct reports {
    OTTER_VECTOR(struct otter_rank_row);
};

static enum otter_status add_row(struct reports *reports, const struct otter_report *report,
                                 uint32_t rank)
{
    if (!OTTER_VECTOR_RESERVE(reports)) {
        return OTTER_NO_MEMORY;
    }
    reports->items[reports->n++] = otter_rank_row_of(rank, report);
    return OTTER_OK;
}

static bool add_rank(void *user, struct otter_archive *archive, const struct otter_rank *rank)
{
    struct otter_labels labels;
    struct otter_analysis analysis;
    struct otter_findings findings;
    struct otter_complaint complaint;
    struct otter_reading reading = {&labels, &analysis, &findings, NULL, NULL};
    enum otter_status status = otter_reading_init(&reading, archive, &complaint);
    if (!status) {
        struct otter_report report = {archive, &analysis, &findings, &labels, false};
        status = add_row(user, &report, rank->number);
    }
    if (status) {
        otter_error("rank %" PRIu32 " is left out: %s", rank->number, complaint.text);
    }
    otter_reading_finish(&reading);
    return !status;
}

struct program {
    const struct otter_rank *ranks;
    const char *path;
};

static bool runs_program(const void *user, size_t rank)
{
    const struct program *program = user;
    return strcmp(program->ranks[rank].program, program->path) == 0;
}

// A job may have several programs: then a line names each, and its ranks.
static void print_programs(const struct otter_definitions *definitions)
{
    struct program program = {definitions->ranks, definitions->ranks[0].program};
    size_t n_same = 0;
    while (n_same < definitions->n_ranks && runs_program(&program, n_same)) {
        n_same++;
    }
    for (size_t i = 0; i < definitions->n_ranks && n_same < definitions->n_ranks; i++) {
        size_t first = definitions->n_ranks, n = 0;
        program.path = definitions->ranks[i].program;
        for (size_t k = definitions->n_ranks; k-- > 0;) {
            first = runs_program(&program, k) ? k : first;
            n += runs_program(&program, k);
        }
        if (first == i) {
            otter_print(stdout, "%s: rank%s ", program.path, otter_plural(n));
            otter_rank_ranges_print(stdout, definitions, runs_program, &program);
            otter_print(stdout, "\n");
        }
    }
}

static void print_text(const struct otter_archive *archive, struct reports *reports)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    const char *clocks = otter_archive_property(archive, "OTTER::CLOCKS");
    otter_print(stdout, "%s\n%zu of %" PRIu64 " ranks, clocks: %s\n", definitions->folder,
                definitions->n_ranks, otter_archive_number(archive, "OTTER::RANKS"),
                clocks ? clocks : "unknown");
    print_programs(definitions);
    otter_print(stdout, "\n");
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
