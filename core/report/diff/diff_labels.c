// The labels of an archive and the names that a comparison gives them.
#include "report/diff/diff_labels.h"

#include <string.h>

#include "analysis/path/costs.h"
#include "base/free.h"
#include "report/form/analysis.h"
#include "base/order.h"

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

// Returns whether the name of a kernel without a label contains the line: "lambda fib.cpp:12:3".
static bool has_line_in_name(const struct otter_label *label)
{
    return *label->where && !*otter_label_place(label);
}

static void set(struct otter_diff_label *item, const struct otter_label *label, const char *text)
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
    item->around = OTTER_NONE;
}

static void clear(struct otter_diff_label *item)
{
    OTTER_FREE(item->text, item->what, item->function, item->file);
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

void otter_diff_labels_init(struct otter_diff_labels *list, const struct otter_labels *labels,
                            const struct otter_definitions *definitions)
{
    *list = (struct otter_diff_labels){0};
    for (uint32_t i = 0; i < labels->n_regions; i++) {
        char text[OTTER_LABEL_SIZE];
        if (otter_definitions_construct(definitions, i) == OTTER_CONSTRUCT_CODE) {
            continue;
        }
        struct otter_diff_label item = {0};
        set(&item, &labels->regions[i], otter_label_text(&labels->regions[i], text, sizeof text));
        OTTER_VECTOR_APPEND(list, item);
    }
    OTTER_SORT(list, compare_texts);
    remove_doubles(list);
}

void otter_diff_labels_finish(struct otter_diff_labels *list)
{
    for (uint32_t i = 0; i < list->n; i++) {
        clear(&list->items[i]);
    }
    free(list->items);
    *list = (struct otter_diff_labels){0};
}

// ---- places in the graph

// Returns the label of each region, OTTER_NONE for those without.
static uint32_t *index_regions(const struct otter_diff_labels *list,
                               const struct otter_labels *labels)
{
    uint32_t *indexes = malloc((labels->n_regions + 1) * sizeof *indexes);
    for (size_t i = 0; i < labels->n_regions; i++) {
        char text[OTTER_LABEL_SIZE];
        struct otter_diff_label key = {
            .text = otter_label_text(&labels->regions[i], text, sizeof text)};
        uint32_t at = OTTER_SORTED_BEFORE(list, &key, compare_texts);
        bool is_found = at < list->n && compare_texts(&list->items[at], &key) == 0;
        indexes[i] = is_found ? at : OTTER_NONE;
    }
    return indexes;
}

// Returns the region of the task that creates the node's task, or that encounters the node.
static uint32_t region_around(const struct otter_graph *graph, uint32_t node)
{
    uint32_t task = graph->nodes[node].task;
    if (task != OTTER_NONE && graph->nodes[node].kind == OTTER_NODE_FRAGMENT) {
        task = graph->tasks[task].creator;
    }
    uint32_t first = task == OTTER_NONE ? OTTER_NONE : graph->tasks[task].first_node;
    return first == OTTER_NONE ? OTTER_NONE : graph->nodes[first].region;
}

void otter_diff_labels_place(struct otter_diff_labels *list, const struct otter_labels *labels,
                             const struct otter_graph *graph)
{
    uint32_t *indexes = index_regions(list, labels);
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        const struct otter_node *node = &graph->nodes[i];
        bool is_again = node->kind == OTTER_NODE_FRAGMENT && !otter_node_begins_task(graph, i);
        if (node->region >= labels->n_regions || is_again || indexes[node->region] == OTTER_NONE) {
            continue;
        }
        struct otter_diff_label *item = &list->items[indexes[node->region]];
        uint32_t around = region_around(graph, i);
        around = around < labels->n_regions ? indexes[around] : OTTER_NONE;
        item->around = item->n == 0 || item->around == around ? around : OTTER_NONE;
        item->n++;
    }
    free(indexes);
}

const char *otter_diff_labels_name(const struct otter_diff_labels *list, const char *text)
{
    uint32_t low = 0, high = list->n;
    OTTER_SEARCH(low, high, i, strcmp(list->items[i].text, text) < 0)
    bool is_found = low < list->n && strcmp(list->items[low].text, text) == 0;
    return is_found ? list->items[low].name : text;
}

static void add_moved(struct otter_diff_labels *list, const struct otter_diff_label *label)
{
    uint32_t at = OTTER_SORTED_BEFORE(list, label, compare_texts);
    if (at < list->n && compare_texts(&list->items[at], label) == 0) {
        return;
    }
    char *name = strdup(label->name);
    struct otter_diff_label moved = {.text = strdup(label->text), .what = name, .name = name};
    OTTER_VECTOR_APPEND(list, moved);
    memmove(&list->items[at + 1], &list->items[at], (list->n - 1 - at) * sizeof *list->items);
    list->items[at] = moved;
}

void otter_diff_labels_add_moved(struct otter_diff_labels *list,
                                 const struct otter_diff_labels *other)
{
    for (uint32_t i = 0; i < other->n; i++) {
        const struct otter_diff_label *label = &other->items[i];
        if (strcmp(label->name, label->text) != 0) {
            add_moved(list, label);
        }
    }
}

const char *otter_diff_label_was(const struct otter_diff_label *label)
{
    size_t n_shared = 0; // up to the last blank before the first difference
    for (size_t i = 0; label->text[i] && label->text[i] == label->name[i]; i++) {
        n_shared = label->text[i] == ' ' ? i + 1 : n_shared;
    }
    return label->text[n_shared] ? label->text + n_shared : label->text;
}
