// Matches the labels of two archives whose sources or builds may differ.
#include <stdlib.h>
#include <string.h>

#include "report/diff/diff_labels.h"

enum level { BY_FUNCTION, BY_FILE, BY_CONSTRUCT, N_LEVELS };

enum { MAX_SCORED = 128 }; // labels of a function that are compared with all others

struct group {
    struct otter_diff_label **items;
    uint32_t n;
};

static _Thread_local enum level sort_level; // for qsort's comparison

static int compare_functions(const struct otter_diff_label *a, const struct otter_diff_label *b)
{
    int order = sort_level > BY_FILE ? 0 : strcmp(a->file, b->file);
    return order || sort_level > BY_FUNCTION ? order : strcmp(a->function, b->function);
}

static int compare_keys(const struct otter_diff_label *a, const struct otter_diff_label *b)
{
    int order = compare_functions(a, b);
    return order ? order : strcmp(a->what, b->what);
}

static int compare_places(const void *a, const void *b)
{
    const struct otter_diff_label *x = *(struct otter_diff_label *const *)a;
    const struct otter_diff_label *y = *(struct otter_diff_label *const *)b;
    int order = compare_keys(x, y);
    order = order ? order : (x->place > y->place) - (x->place < y->place);
    return order ? order : strcmp(x->text, y->text);
}

static void match(struct otter_diff_label *item, struct otter_diff_label *other)
{
    item->name = other->text;
    item->is_matched = other->is_matched = true;
}

// ---- the best match, if there is only one

// Returns how many labels of a function have a counterpart `shift` lines further down in the other
// function, with the same construct.
static uint32_t count_moved(const struct group *own, const struct group *others, uint64_t shift)
{
    uint32_t n = 0;
    for (uint32_t i = 0, k = 0; i < own->n && k < others->n;) {
        const struct otter_diff_label *a = own->items[i], *b = others->items[k];
        int order = strcmp(a->what, b->what);
        int64_t rest = (int64_t)(a->place + shift - b->place);
        n += order == 0 && rest == 0 && a->has_line == b->has_line;
        bool is_own_first = order < 0 || (order == 0 && rest <= 0);
        i += is_own_first;
        k += !is_own_first;
    }
    return n;
}

// Returns whether the tasks around both labels belong to the same construct in the same function.
static bool is_around_alike(const struct otter_diff_label *a, const struct otter_diff_labels *list,
                            const struct otter_diff_label *b,
                            const struct otter_diff_labels *reference)
{
    if (a->around == OTTER_NONE || b->around == OTTER_NONE) {
        return false;
    }
    const struct otter_diff_label *x = &list->items[a->around], *y = &reference->items[b->around];
    return strcmp(x->what, y->what) == 0 && strcmp(x->function, y->function) == 0;
}

// for each pair of labels of two functions; 0: different constructs
static uint32_t scores[MAX_SCORED][MAX_SCORED];

static void score(const struct group *own, const struct otter_diff_labels *list,
                  const struct group *others, const struct otter_diff_labels *reference)
{
    for (uint32_t i = 0; i < own->n; i++) {
        for (uint32_t k = 0; k < others->n; k++) {
            const struct otter_diff_label *a = own->items[i], *b = others->items[k];
            bool has_shift = a->has_line == b->has_line;
            bool is_as_often = a->n > 0 && a->n == b->n;
            uint32_t n_moved = has_shift ? count_moved(own, others, b->place - a->place) : 0;
            scores[i][k] =
                strcmp(a->what, b->what) != 0
                    ? 0
                    : 1 + 2 * n_moved + is_as_often + is_around_alike(a, list, b, reference);
        }
    }
}

// Returns the partner with the highest score; OTTER_NONE if there are several or none.
// `is_own`: the label `i` is in the first function.
static uint32_t best_of(uint32_t i, bool is_own, const struct group *partners)
{
    uint32_t best = OTTER_NONE, most = 0;
    for (uint32_t k = 0; k < partners->n; k++) {
        uint32_t found = partners->items[k]->is_matched ? 0 : is_own ? scores[i][k] : scores[k][i];
        best = found > most ? k : found == most ? OTTER_NONE : best;
        most = found > most ? found : most;
    }
    return best;
}

// Lowers the scores of pairs that cross the match of `i` and `k`: only one of the two labels comes
// before it.
static void lower_crossing(const struct group *own, const struct group *others, uint32_t i,
                           uint32_t k)
{
    for (uint32_t a = 0; a < own->n; a++) {
        bool is_before = own->items[a]->place < own->items[i]->place;
        for (uint32_t b = 0; b < others->n; b++) {
            bool is_crossing = (others->items[b]->place < others->items[k]->place) != is_before;
            scores[a][b] -= is_crossing && scores[a][b] > 1;
        }
    }
}

static bool match_best(const struct group *own, const struct group *others)
{
    bool has_found = false;
    for (uint32_t i = 0; i < own->n; i++) {
        uint32_t k = own->items[i]->is_matched ? OTTER_NONE : best_of(i, true, others);
        if (k != OTTER_NONE && best_of(k, false, own) == i) {
            match(own->items[i], others->items[k]);
            lower_crossing(own, others, i, k);
            has_found = true;
        }
    }
    return has_found;
}

// ---- in order

static uint32_t count_unmatched(const struct group *group)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < group->n; i++) {
        n += !group->items[i]->is_matched;
    }
    return n;
}

static void match_in_order(const struct group *own, const struct group *others)
{
    for (uint32_t i = 0, k = 0; i < own->n && k < others->n;) {
        if (own->items[i]->is_matched) {
            i++;
        } else if (others->items[k]->is_matched) {
            k++;
        } else {
            match(own->items[i++], others->items[k++]);
        }
    }
}

// Both lists are sorted by place, and labels of the same place by text.
static void match_equal_texts(const struct group *own, const struct group *others)
{
    for (uint32_t i = 0, k = 0; i < own->n && k < others->n;) {
        struct otter_diff_label *a = own->items[i], *b = others->items[k];
        int order = (a->place > b->place) - (a->place < b->place);
        order = order ? order : strcmp(a->text, b->text);
        if (order == 0 && !a->is_matched && !b->is_matched) {
            match(a, b);
        }
        i += order <= 0;
        k += order >= 0;
    }
}

static bool lacks_lines(const struct group *group)
{
    bool lacks = true;
    for (uint32_t i = 0; i < group->n; i++) {
        lacks = lacks && !group->items[i]->has_line;
    }
    return lacks;
}

static void match_constructs(const struct group *own, const struct group *others)
{
    bool is_even = count_unmatched(own) == count_unmatched(others);
    if (sort_level == BY_FUNCTION && !is_even) {
        match_equal_texts(own, others);
    } else if (is_even && (sort_level < BY_CONSTRUCT || lacks_lines(own) || lacks_lines(others))) {
        match_in_order(own, others);
    }
}

// ---- all labels

typedef int compare_function(const struct otter_diff_label *a, const struct otter_diff_label *b);

// Returns the group of labels that begins with `first`: all that compare as equal.
static struct group group_at(const struct group *all, uint32_t first, compare_function *compare)
{
    struct group group = {all->items + first, 0};
    while (first + group.n < all->n && compare(group.items[0], group.items[group.n]) == 0) {
        group.n++;
    }
    return group;
}

static void match_all_constructs(const struct group *own, const struct group *others)
{
    for (uint32_t i = 0, k = 0; i < own->n && k < others->n;) {
        struct group left = group_at(own, i, compare_keys);
        struct group right = group_at(others, k, compare_keys);
        int order = compare_keys(left.items[0], right.items[0]);
        if (order == 0) {
            match_constructs(&left, &right);
        }
        i += order <= 0 ? left.n : 0;
        k += order >= 0 ? right.n : 0;
    }
}

static void match_all_functions(const struct group *own, const struct otter_diff_labels *list,
                                const struct group *others,
                                const struct otter_diff_labels *reference)
{
    for (uint32_t i = 0, k = 0; i < own->n && k < others->n;) {
        struct group left = group_at(own, i, compare_functions);
        struct group right = group_at(others, k, compare_functions);
        int order = compare_functions(left.items[0], right.items[0]);
        if (order == 0 && left.n <= MAX_SCORED && right.n <= MAX_SCORED) {
            score(&left, list, &right, reference);
            while (match_best(&left, &right)) {
            }
        }
        i += order <= 0 ? left.n : 0;
        k += order >= 0 ? right.n : 0;
    }
}

static void list_unmatched(struct otter_diff_labels *list, struct group *group)
{
    group->items = malloc((list->n + (size_t)1) * sizeof *group->items);
    group->n = 0;
    for (uint32_t i = 0; i < list->n; i++) {
        if (!list->items[i].is_matched) {
            group->items[group->n++] = &list->items[i];
        }
    }
    if (group->n > 1) {
        qsort(group->items, group->n, sizeof *group->items, compare_places);
    }
}

void otter_diff_labels_match(struct otter_diff_labels *list, struct otter_diff_labels *reference)
{
    for (uint32_t i = 0; i < reference->n; i++) {
        reference->items[i].is_matched = false;
    }
    for (unsigned level = 0; level < N_LEVELS; level++) {
        struct group own = {0}, others = {0};
        sort_level = (enum level)level;
        list_unmatched(list, &own);
        list_unmatched(reference, &others);
        if (level == BY_FUNCTION) {
            match_all_functions(&own, list, &others, reference);
        }
        match_all_constructs(&own, &others);
        free(own.items);
        free(others.items);
    }
}
