// Matches the labels of two archives.
#include "report/diff_labels.h"

#include <stdio.h>
#include <string.h>

#include "report/analysis.h"
#include "report/sorted.h"

// ---- the labels of an archive

// Returns the length of `text` without its last ":12" or ":12:3", and the first of the numbers.
static size_t cut_line(const char *text, uint64_t *line)
{
    size_t length = strlen(text);
    for (size_t i = length; i > 0; length = i) {
        size_t end = i;
        while (i > 0 && text[i - 1] >= '0' && text[i - 1] <= '9') {
            i--;
        }
        if (i == end || i == 0 || text[i - 1] != ':') {
            break;
        }
        *line = strtoull(text + i, NULL, 10);
        i--;
    }
    return length;
}

// "app+0x1234": the module and the address.
static size_t cut_address(const char *where, uint64_t *address)
{
    const char *plus = strstr(where, "+0x");
    if (!plus) {
        return strlen(where);
    }
    *address = strtoull(plus + 1, NULL, 16);
    return (size_t)(plus - where);
}

// Kokkos calls a kernel without a label "lambda fib.cpp:12:3".
static bool has_line_in_name(const struct otter_label *label)
{
    return *label->where && !*otter_label_place(label);
}

static bool set(struct otter_diff_label *item, const struct otter_label *label, const char *text)
{
    uint64_t ignored;
    size_t what =
        has_line_in_name(label) ? cut_line(label->what, &item->place) : strlen(label->what);
    size_t file = label->line > 0 ? cut_line(label->where, &ignored)
                                  : cut_address(label->where, &item->place);
    item->has_line = label->line > 0;
    item->place = label->line > 0 ? label->line : item->place;
    item->text = strdup(text);
    item->what = strndup(label->what, what);
    item->function = strdup(label->function);
    item->file = strndup(label->where, file);
    item->name = item->text;
    return item->text && item->what && item->function && item->file;
}

static void clear(struct otter_diff_label *item)
{
    free(item->text);
    free(item->what);
    free(item->function);
    free(item->file);
}

static int compare_texts(const void *a, const void *b)
{
    const struct otter_diff_label *x = a, *y = b;
    return strcmp(x->text, y->text);
}

static void remove_doubles(struct otter_diff_labels *list)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < list->n; i++) {
        if (n > 0 && strcmp(list->items[n - 1].text, list->items[i].text) == 0) {
            clear(&list->items[i]);
        } else {
            list->items[n++] = list->items[i];
        }
    }
    list->n = n;
}

enum otter_status otter_diff_labels_init(struct otter_diff_labels *list,
                                         const struct otter_labels *labels)
{
    *list = (struct otter_diff_labels){0};
    for (size_t i = 0; i < labels->n_regions; i++) {
        char text[OTTER_LABEL_SIZE];
        if (!OTTER_VECTOR_RESERVE(list)) {
            return OTTER_NO_MEMORY;
        }
        struct otter_diff_label *item = &list->items[list->n++];
        *item = (struct otter_diff_label){0};
        otter_label_text(&labels->regions[i], text, sizeof text);
        if (!set(item, &labels->regions[i], text)) {
            return OTTER_NO_MEMORY;
        }
    }
    OTTER_SORT(list, compare_texts);
    remove_doubles(list);
    return OTTER_OK;
}

void otter_diff_labels_finish(struct otter_diff_labels *list)
{
    for (uint32_t i = 0; i < list->n; i++) {
        clear(&list->items[i]);
    }
    free(list->items);
    *list = (struct otter_diff_labels){0};
}

// ---- matching

enum level { BY_FUNCTION, BY_FILE, BY_CONSTRUCT, N_LEVELS };

struct group {
    struct otter_diff_label **items;
    uint32_t n;
};

static enum level sort_level; // of qsort's comparison; the command has one thread

static int compare_keys(const struct otter_diff_label *a, const struct otter_diff_label *b)
{
    int order = strcmp(a->what, b->what);
    order = order || sort_level > BY_FILE ? order : strcmp(a->file, b->file);
    return order || sort_level > BY_FUNCTION ? order : strcmp(a->function, b->function);
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

static void match_equal_texts(const struct group *own, const struct group *others)
{
    for (uint32_t i = 0; i < own->n; i++) {
        for (uint32_t k = 0; k < others->n; k++) {
            if (!others->items[k]->is_matched && !own->items[i]->is_matched &&
                strcmp(own->items[i]->text, others->items[k]->text) == 0) {
                match(own->items[i], others->items[k]);
            }
        }
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

static void match_groups(const struct group *own, const struct group *others)
{
    bool is_even = own->n == others->n;
    if (sort_level == BY_FUNCTION && !is_even) {
        match_equal_texts(own, others);
    }
    if (sort_level == BY_FUNCTION || (sort_level == BY_FILE && is_even) ||
        (is_even && (lacks_lines(own) || lacks_lines(others)))) {
        match_in_order(own, others);
    }
}

static bool list_unmatched(struct otter_diff_labels *list, struct group *group)
{
    group->items = malloc((list->n + (size_t)1) * sizeof *group->items);
    group->n = 0;
    for (uint32_t i = 0; group->items && i < list->n; i++) {
        if (!list->items[i].is_matched) {
            group->items[group->n++] = &list->items[i];
        }
    }
    if (group->n > 1) {
        qsort(group->items, group->n, sizeof *group->items, compare_places);
    }
    return group->items != NULL;
}

// Returns the labels from `first` on that have its key.
static struct group group_at(const struct group *all, uint32_t first)
{
    struct group group = {all->items + first, 0};
    while (first + group.n < all->n && compare_keys(group.items[0], group.items[group.n]) == 0) {
        group.n++;
    }
    return group;
}

static void match_all(const struct group *own, const struct group *others)
{
    for (uint32_t i = 0, k = 0; i < own->n && k < others->n;) {
        struct group left = group_at(own, i), right = group_at(others, k);
        int order = compare_keys(left.items[0], right.items[0]);
        if (order == 0) {
            match_groups(&left, &right);
        }
        i += order <= 0 ? left.n : 0;
        k += order >= 0 ? right.n : 0;
    }
}

enum otter_status otter_diff_labels_match(struct otter_diff_labels *list,
                                          struct otter_diff_labels *reference)
{
    bool is_good = true;
    for (uint32_t i = 0; i < reference->n; i++) {
        reference->items[i].is_matched = false;
    }
    for (unsigned level = 0; level < N_LEVELS && is_good; level++) {
        struct group own = {0}, others = {0};
        sort_level = (enum level)level;
        is_good = list_unmatched(list, &own) && list_unmatched(reference, &others);
        if (is_good) {
            match_all(&own, &others);
        }
        free(own.items);
        free(others.items);
    }
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}

const char *otter_diff_labels_name(const struct otter_diff_labels *list, const char *text)
{
    uint32_t low = 0, high = list->n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = strcmp(list->items[middle].text, text);
        if (order == 0) {
            return list->items[middle].name;
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return text;
}

static bool add_moved(struct otter_diff_labels *list, const struct otter_diff_label *label)
{
    uint32_t at = OTTER_SORTED_BEFORE(list, label, compare_texts);
    if (at < list->n && compare_texts(&list->items[at], label) == 0) {
        return true;
    }
    if (!OTTER_VECTOR_RESERVE(list)) {
        return false;
    }
    struct otter_diff_label *item = &list->items[list->n++];
    *item = (struct otter_diff_label){.text = strdup(label->text), .what = strdup(label->name)};
    item->name = item->what;
    bool is_good = item->text && item->what;
    if (is_good) {
        OTTER_SORT(list, compare_texts);
    }
    return is_good;
}

bool otter_diff_labels_add_moved(struct otter_diff_labels *list,
                                 const struct otter_diff_labels *other)
{
    bool is_good = true;
    for (uint32_t i = 0; i < other->n && is_good; i++) {
        const struct otter_diff_label *label = &other->items[i];
        is_good = strcmp(label->name, label->text) == 0 || add_moved(list, label);
    }
    return is_good;
}
