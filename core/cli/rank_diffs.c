// Compares the ranks of two merged archives, one after the other: the memory is that of one rank.
#include "cli/rank_diffs.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/path.h"
#include "base/print.h"
#include "base/visible.h"
#include "report/diff_ranks.h"
#include "report/json.h"
#include "trace/schema.h"

// The numbers of the ranks of an archive. *n: 0 for an archive of one process, and unreadable ones.
static uint32_t *read_ranks(const char *path, size_t *n)
{
    struct otter_archive *archive;
    struct otter_complaint complaint;
    *n = 0;
    if (otter_archive_open_definitions(path, &archive, &complaint)) {
        return NULL;
    }
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    size_t n_ranks = definitions->rank == OTTER_NONE ? definitions->n_ranks : 0;
    uint32_t *ranks = n_ranks > 0 ? malloc(n_ranks * sizeof *ranks) : NULL;
    for (; ranks && *n < n_ranks; ++*n) {
        ranks[*n] = definitions->ranks[*n].number;
    }
    otter_archive_close(archive);
    return ranks;
}

bool otter_path_has_ranks(const char *path)
{
    size_t n;
    free(read_ranks(path, &n));
    return n > 0;
}

static bool compare_rank(struct otter_diff_ranks *ranks, const char *before, const char *after,
                         uint32_t rank)
{
    static struct otter_diff diff; // too large for a stack
    struct otter_complaint complaint;
    char *paths[] = {otter_path("%s/" OTTER_RANK_PREFIX "%" PRIu32, before, rank),
                     otter_path("%s/" OTTER_RANK_PREFIX "%" PRIu32, after, rank)};
    bool is_compared = false;
    if (!paths[0] || !paths[1]) {
        otter_error("not enough memory");
    } else if (otter_diff_init(&diff, &paths[0], 1, &paths[1], 1, &complaint)) {
        otter_error("rank %" PRIu32 " is left out: %s", rank, complaint.text);
    } else if (!otter_diff_ranks_add(ranks, rank, &diff)) {
        otter_error("not enough memory");
    } else {
        is_compared = true;
    }
    otter_diff_finish(&diff);
    free(paths[0]);
    free(paths[1]);
    return is_compared;
}

// Compares the ranks that both have, and warns of the others. Both lists ascend.
static bool compare_ranks(struct otter_diff_ranks *ranks, const char *const paths[2],
                          uint32_t *const numbers[2], const size_t n[2])
{
    bool is_good = true;
    for (size_t i = 0, k = 0; i < n[0] || k < n[1];) {
        uint32_t before = i < n[0] ? numbers[0][i] : OTTER_NONE;
        uint32_t after = k < n[1] ? numbers[1][k] : OTTER_NONE;
        if (before == after) {
            is_good &= compare_rank(ranks, paths[0], paths[1], before);
        } else {
            otter_warning("'%s' has no rank %" PRIu32 ": the rank is left out",
                          paths[before < after], before < after ? before : after);
        }
        i += before <= after;
        k += after <= before;
    }
    return is_good;
}

static void print_text(const struct otter_diff_ranks *ranks, const char *const paths[2],
                       uint32_t n_rows)
{
    otter_print(stdout, "before  %s\nafter   %s\n%" PRIu32 " rank%s compared\n\n", paths[0],
                paths[1], ranks->ranks.n, otter_plural(ranks->ranks.n));
    if (ranks->ranks.n == 0) {
        return;
    }
    otter_diff_ranks_print(stdout, ranks, n_rows);
    char *before = otter_visible_word(paths[0]), *after = otter_visible_word(paths[1]);
    otter_print(stdout, "\nnext: otter diff --rank=%" PRIu32 " %s %s\n", ranks->ranks.items[0].rank,
                before ? before : "", after ? after : "");
    free(before);
    free(after);
}

bool otter_rank_diffs_print(const char *before, const char *after, bool is_json, uint32_t n_rows)
{
    size_t n[2];
    const char *const paths[2] = {before, after};
    uint32_t *const numbers[2] = {read_ranks(before, &n[0]), read_ranks(after, &n[1])};
    struct otter_diff_ranks ranks = {.ranks = {.n = 0}};
    bool is_good = compare_ranks(&ranks, paths, numbers, n);
    otter_diff_ranks_sort(&ranks);
    if (is_json) {
        is_good &= otter_json_print(stdout, otter_diff_ranks_json(&ranks)) == OTTER_OK;
    } else {
        print_text(&ranks, paths, n_rows);
    }
    otter_diff_ranks_finish(&ranks);
    free(numbers[0]);
    free(numbers[1]);
    return is_good;
}
