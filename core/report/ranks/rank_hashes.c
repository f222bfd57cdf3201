// Prints the hashes of a merged archive's ranks, and which ranks have the same graph.
#include "report/ranks/rank_hashes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/text/print.h"
#include "base/text/visible.h"
#include "report/ranks/rank_ranges.h"
#include "report/diff/diff_structure.h"
#include "report/form/wrap.h"
#include "trace/schema.h"

static bool is_same(const struct otter_rank_hash *a, const struct otter_rank_hash *b)
{
    return a->is_known && b->is_known && memcmp(&a->hash, &b->hash, sizeof a->hash) == 0;
}

// Returns whether rank i is the first with its hash.
static bool is_first(const struct otter_rank_hash *hashes, size_t i)
{
    size_t k = 0;
    while (k < i && !is_same(&hashes[k], &hashes[i])) {
        k++;
    }
    return hashes[i].is_known && k == i;
}

struct group {
    const struct otter_rank_hash *hashes, *hash;
};

static bool is_of_group(const void *user, size_t rank)
{
    const struct group *group = user;
    return is_same(group->hash, &group->hashes[rank]);
}

// "ranks 0-2, 5 did the same": all ranks with the hash of rank `first`.
static void print_group(const struct otter_definitions *definitions,
                        const struct otter_rank_hash *hashes, size_t first)
{
    struct group group = {hashes, &hashes[first]};
    size_t n_same = 0;
    for (size_t i = first; i < definitions->n_ranks; i++) {
        n_same += is_of_group(&group, i);
    }
    otter_print(stdout, n_same == 1 ? "rank " : "ranks ");
    otter_rank_ranges_print(stdout, definitions, is_of_group, &group);
    otter_print(stdout, n_same == 1 ? " differs from all other ranks\n" : " did the same\n");
}

static bool read_run(struct otter_diff_run *run, const struct otter_definitions *definitions,
                     size_t rank, struct otter_diff_run *reference,
                     struct otter_complaint *complaint)
{
    char *path = otter_path("%s/" OTTER_RANK_PREFIX "%" PRIu32, definitions->folder,
                            definitions->ranks[rank].number);
    bool is_read = !otter_diff_run_init(run, path, NULL, reference, NULL, complaint);
    free(path);
    return is_read;
}

// Prints where the graphs of two ranks first differ. Archives without task events have no such
// place.
static void print_place(const struct otter_definitions *definitions, size_t first, size_t other)
{
    char names[2][32], text[OTTER_DIFF_PLACE] = "";
    const char *const ranks[] = {names[0], names[1]};
    struct otter_complaint complaint;
    struct otter_diff_run runs[2] = {{.path = NULL}};
    snprintf(names[0], sizeof names[0], "rank %" PRIu32, definitions->ranks[first].number);
    snprintf(names[1], sizeof names[1], "rank %" PRIu32, definitions->ranks[other].number);
    bool is_good = read_run(&runs[0], definitions, first, NULL, &complaint) &&
                   read_run(&runs[1], definitions, other, &runs[0], &complaint) &&
                   !otter_diff_structure_place(&runs[0], &runs[1], ranks, text, &complaint);
    if (is_good) {
        char line[OTTER_DIFF_PLACE + 100];
        snprintf(line, sizeof line, "%s differs from %s: %s", names[1], names[0],
                 *text ? text : "in what each thread does (equal with --fold-team)");
        otter_print_wrapped(stdout, 0, line);
    }
    otter_diff_run_finish(&runs[1]);
    otter_diff_run_finish(&runs[0]);
}

static void print_next(const struct otter_definitions *definitions, size_t first, size_t other)
{
    char *folder = otter_visible_word(definitions->folder);
    otter_print(stdout,
                "next: otter diff %s/" OTTER_RANK_PREFIX "%04" PRIu32 " %s/" OTTER_RANK_PREFIX
                "%04" PRIu32 "\n",
                folder, definitions->ranks[first].number, folder, definitions->ranks[other].number);
    free(folder);
}

void otter_rank_hashes_print(const struct otter_definitions *definitions,
                             const struct otter_rank_hash *hashes)
{
    char text[OTTER_HASH_TEXT];
    size_t n_groups = 0, firsts[2] = {0, 0};
    for (size_t i = 0; i < definitions->n_ranks; i++) {
        if (hashes[i].is_known) {
            otter_print(stdout, "%s  rank %" PRIu32 "\n", otter_hash_text(hashes[i].hash, text),
                        definitions->ranks[i].number);
        }
    }
    for (size_t i = 0; i < definitions->n_ranks; i++) {
        if (is_first(hashes, i)) {
            print_group(definitions, hashes, i);
            firsts[n_groups < 2 ? n_groups : 1] = n_groups < 2 ? i : firsts[1];
            n_groups++;
        }
    }
    if (n_groups > 1) {
        print_place(definitions, firsts[0], firsts[1]);
        print_next(definitions, firsts[0], firsts[1]);
    }
}
