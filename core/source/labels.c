// Makes the labels of an archive, and merges regions with equal labels.
#include "source/labels.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "source/lines.h"
#include "trace/schema.h"

// The regions that are compared.
struct regions {
    const struct otter_definitions *definitions;
    const struct otter_labels *labels;
};

static int compare_labels(const struct regions *regions, uint32_t x, uint32_t y)
{
    const struct otter_region *a = &regions->definitions->regions[x];
    const struct otter_region *b = &regions->definitions->regions[y];
    const struct otter_label *left = otter_label_of(regions->labels, x);
    const struct otter_label *right = otter_label_of(regions->labels, y);
    int order = OTTER_BY_1(a, b, construct);
    order = order ? order : OTTER_BY_1(left, right, line);
    order = order ? order : strcmp(left->file, right->file);
    order = order ? order : strcmp(left->what, right->what);
    order = order ? order : strcmp(left->where, right->where);
    return order ? order : strcmp(a->description, b->description);
}

static int compare(const void *a, const void *b, void *user)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    int order = compare_labels(user, x, y);
    return order ? order : OTTER_COMPARE(x, y);
}

// Returns for each region the first region with an equal label, perhaps the region itself. The
// caller frees the array. NULL: out of memory.
static uint32_t *find_same(const struct otter_definitions *definitions,
                           const struct otter_labels *labels)
{
    size_t n = definitions->n_regions;
    uint32_t *same = malloc((n + 1) * sizeof *same);
    uint32_t *order = malloc((n + 1) * sizeof *order);
    if (!same || !order) {
        free(same);
        free(order);
        return NULL;
    }
    for (uint32_t i = 0; i < n; i++) {
        same[i] = order[i] = i;
    }
    struct regions regions = {definitions, labels};
    qsort_r(order, n, sizeof *order, compare, &regions);
    for (size_t i = 1; i < n; i++) {
        bool is_same = otter_label_of(labels, order[i])->line > 0 &&
                       compare_labels(&regions, order[i - 1], order[i]) == 0;
        same[order[i]] = is_same ? same[order[i - 1]] : order[i];
    }
    free(order);
    return same;
}

static int compare_texts(const void *a, const void *b, void *labels)
{
    const struct otter_label *left = otter_label_of(labels, *(const uint32_t *)a);
    const struct otter_label *right = otter_label_of(labels, *(const uint32_t *)b);
    int order = strcmp(left->what, right->what);
    return order ? order : strcmp(left->where, right->where);
}

// Sets the notes of different regions whose labels have the same text. Kokkos labels have none,
// since users choose their names, and a memory block has one label for its allocation and one for
// its end.
static enum otter_status add_notes(struct otter_labels *labels,
                                   const struct otter_definitions *definitions,
                                   const uint32_t *same)
{
    size_t n = 0;
    uint32_t *order = malloc((labels->n_regions + 1) * sizeof *order);
    if (!order) {
        return OTTER_NO_MEMORY;
    }
    for (uint32_t i = 0; i < labels->n_regions; i++) {
        bool is_kokkos = otter_construct_is_labelled(definitions->regions[i].construct);
        if (same[i] == i && !is_kokkos) {
            order[n++] = i;
        }
    }
    qsort_r(order, n, sizeof *order, compare_texts, labels);
    for (size_t i = 0; i < n; i++) {
        bool has_twin = (i > 0 && compare_texts(&order[i - 1], &order[i], labels) == 0) ||
                        (i + 1 < n && compare_texts(&order[i], &order[i + 1], labels) == 0);
        const char *note = definitions->regions[order[i]].description;
        labels->regions[order[i]].note = has_twin && *note ? note : NULL;
    }
    free(order);
    return OTTER_OK;
}

enum otter_status otter_labels_read(struct otter_labels *labels, struct otter_archive *archive)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    enum otter_status status = otter_labels_init(labels, definitions);
    if (status) {
        return status;
    }
    status = otter_lines_resolve(archive, labels);
    uint32_t *same = status ? NULL : find_same(definitions, labels);
    if (!same || add_notes(labels, definitions, same)) {
        free(same);
        otter_labels_finish(labels);
        return OTTER_NO_MEMORY;
    }
    otter_archive_merge_regions(archive, same);
    return OTTER_OK;
}
