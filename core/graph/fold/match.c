// Finds the items of a team that represent items of other members.
#include "graph/fold/internal.h"

#include <stdlib.h>

#include "base/free.h"
#include "base/order.h"

// Orders segments by the barrier at which they start. Segments at one barrier are ordered by
// length, the longest first.
static int compare(const void *a, const void *b)
{
    const struct otter_fold_segment *left = a;
    const struct otter_fold_segment *right = b;
    return otter_order(
        OTTER_BY_1(left, right, start),
        otter_order(OTTER_BY_1(right, left, n_items), OTTER_BY_1(left, right, number)));
}

// Returns whether the items of `part` are a subsequence of the items of `whole`.
// Sets matches[i] to the item of `whole` that matches item i of `part`.
static bool is_part_of(const struct otter_fold *fold, const struct otter_hash *hashes,
                       const struct otter_fold_segment *part,
                       const struct otter_fold_segment *whole, size_t *matches)
{
    size_t k = whole->first_item;
    size_t end = whole->first_item + whole->n_items;
    for (size_t i = 0; i < part->n_items; i++, k++) {
        const struct otter_fold_item *item = &fold->items.items[part->first_item + i];
        while (k < end &&
               (fold->items.items[k].is_task != item->is_task ||
                !otter_hash_is_equal(hashes[fold->items.items[k].unit], hashes[item->unit]))) {
            k++;
        }
        if (k == end) {
            return false;
        }
        matches[i] = k;
    }
    return true;
}

static void drop(struct otter_fold *fold, const struct otter_fold_segment *segment,
                 const size_t *matches)
{
    for (size_t i = 0; i < segment->n_items; i++) {
        const struct otter_fold_item *item = &fold->items.items[segment->first_item + i];
        const struct otter_fold_item *representative = &fold->items.items[matches[i]];
        fold->is_unit_dropped[item->unit] = true;
        fold->representatives[item->exit] = representative->exit;
        fold->representatives[item->entry] = representative->entry;
    }
}

// Drops each segment from `first` to before `end` that a longer segment contains. All of them start
// at the same barrier. `kept` has room for all segments, `matches` for all items.
static void match_group(struct otter_fold *fold, const struct otter_hash *hashes, size_t first,
                        size_t end, size_t *matches, size_t *kept)
{
    size_t n_kept = 0;
    for (size_t i = first; i < end; i++) {
        struct otter_fold_segment *segment = &fold->segments.items[i];
        size_t k = 0;
        while (k < n_kept &&
               !is_part_of(fold, hashes, segment, &fold->segments.items[kept[k]], matches)) {
            k++;
        }
        if (k < n_kept) {
            drop(fold, segment, matches);
        } else {
            segment->is_kept = true;
            kept[n_kept++] = i;
        }
    }
}

bool otter_fold_match(struct otter_fold *fold)
{
    struct otter_hash *hashes =
        otter_graph_unit_hashes(fold->graph, fold->labels, fold->units, fold->n_units);
    fold->is_unit_dropped = calloc(fold->n_units + (size_t)1, sizeof *fold->is_unit_dropped);
    size_t *matches = malloc((fold->items.n + 1) * sizeof *matches);
    size_t *kept = malloc((fold->segments.n + 1) * sizeof *kept);
    bool is_good = hashes && fold->is_unit_dropped && matches && kept;
    if (is_good && fold->segments.n > 0) {
        qsort(fold->segments.items, fold->segments.n, sizeof *fold->segments.items, compare);
        for (size_t first = 0, end; first < fold->segments.n; first = end) {
            end = first;
            while (end < fold->segments.n &&
                   fold->segments.items[end].start == fold->segments.items[first].start) {
                end++;
            }
            match_group(fold, hashes, first, end, matches, kept);
        }
    }
    OTTER_FREE(hashes, matches, kept);
    return is_good;
}
