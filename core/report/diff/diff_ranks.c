// Prints each rank of two jobs; ranks whose work changed most come first.
#include "report/diff/diff_ranks.h"

#include <inttypes.h>
#include <math.h>

#include "base/text/print.h"

static double change_of_work(const struct otter_diff_rank *rank)
{
    double change = otter_diff_change(&rank->numbers[OTTER_DIFF_WORK]);
    return isnan(change) ? 0 : fabs(change);
}

static int compare_ranks(const void *left, const void *right)
{
    const struct otter_diff_rank *a = *(const struct otter_diff_rank *const *)left;
    const struct otter_diff_rank *b = *(const struct otter_diff_rank *const *)right;
    double x = change_of_work(a), y = change_of_work(b);
    return x != y ? (x < y) - (x > y) : (a->rank > b->rank) - (a->rank < b->rank);
}

// Returns the ranks in the order in which they are printed. The caller frees the array.
static const struct otter_diff_rank **sort(const struct otter_diff_job *job)
{
    const struct otter_diff_rank **ranks = malloc((job->ranks.n + (size_t)1) * sizeof *ranks);
    for (uint32_t i = 0; i < job->ranks.n; i++) {
        ranks[i] = &job->ranks.items[i];
    }
    qsort(ranks, job->ranks.n, sizeof *ranks, compare_ranks);
    return ranks;
}

uint32_t otter_diff_first_rank(const struct otter_diff_job *job)
{
    const struct otter_diff_rank **ranks = sort(job);
    uint32_t first = job->ranks.n > 0 ? ranks[0]->rank : OTTER_NONE;
    free(ranks);
    return first;
}

static const char *graphs_text(enum otter_diff_graphs graphs)
{
    static const char *const texts[] = {
        [OTTER_DIFF_GRAPHS_EQUAL] = "equal",
        [OTTER_DIFF_GRAPHS_TEAMS] = "equal except for threads",
        [OTTER_DIFF_GRAPHS_VARY] = "different on one side",
        [OTTER_DIFF_GRAPHS_DIFFER] = "different",
    };
    return texts[graphs];
}

static void print_rank(FILE *out, const struct otter_diff_rank *rank)
{
    const struct otter_diff_value *wall = &rank->numbers[OTTER_DIFF_WALL];
    const struct otter_diff_value *work = &rank->numbers[OTTER_DIFF_WORK];
    char texts[4][OTTER_CELL_SIZE];
    otter_print(out, "%6" PRIu32 " %10s %10s %10s %10s %8.1f %%  %s\n", rank->rank,
                otter_sheet_number(OTTER_COLUMN_SECONDS, wall->after.median, texts[0]),
                otter_diff_percent_text(wall, texts[1]),
                otter_sheet_number(OTTER_COLUMN_SECONDS, work->after.median, texts[2]),
                otter_diff_percent_text(work, texts[3]),
                rank->numbers[OTTER_DIFF_EFFICIENCY].after.median, graphs_text(rank->graphs));
}

void otter_diff_print_ranks(FILE *out, const struct otter_diff *diff, uint32_t n_rows)
{
    uint32_t n = diff->job->ranks.n;
    const struct otter_diff_rank **ranks = sort(diff->job);
    if (n > 0) {
        otter_print(out, "\n%6s %10s %10s %10s %10s %10s  %s\n", "rank", "wall", "change", "work",
                    "change", "efficiency", "task graph");
    }
    for (uint32_t i = 0; i < n && i < n_rows; i++) {
        print_rank(out, ranks[i]);
    }
    if (n > n_rows) {
        otter_print(out, "%" PRIu32 " more: --top=%" PRIu32 "\n", n - n_rows, n);
    }
    free(ranks);
}

// ---- JSON

static json_t *rank_json(const struct otter_diff_rank *rank)
{
    json_t *object = json_object();
    otter_json_set_number(object, "rank", rank->rank);
    otter_json_set_text(object, "graphs", graphs_text(rank->graphs));
    for (unsigned i = 0; i < OTTER_N_DIFF_NUMBERS; i++) {
        json_t *number = json_object();
        otter_json_set(number, "before", json_real(rank->numbers[i].before.median));
        otter_json_set(number, "after", json_real(rank->numbers[i].after.median));
        otter_json_set(object, otter_diff_column(i)->name, number);
    }
    return object;
}

json_t *otter_diff_ranks_json(const struct otter_diff_job *job)
{
    json_t *rows = json_array();
    const struct otter_diff_rank **ranks = sort(job);
    for (uint32_t i = 0; i < job->ranks.n; i++) {
        json_array_append_new(rows, rank_json(ranks[i]));
    }
    free(ranks);
    return rows;
}
