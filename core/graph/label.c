// Makes labels from the regions of an archive.
#include "graph/label.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/free.h"
#include "base/path.h"
#include "trace/schema.h"

static const char openmp_prefix[] = "!$omp ";

static const struct otter_label unknown = {
    .what = "unknown", .where = "", .function = "", .file = ""};

// Takes ownership of `text`. Returns `text`, or NULL when `text` is NULL or out of memory.
static const char *own(struct otter_labels *labels, char *text)
{
    if (!text || !OTTER_VECTOR_RESERVE(&labels->texts)) {
        free(text);
        return NULL;
    }
    return labels->texts.items[labels->texts.n++] = text;
}

const char *otter_labels_copy(struct otter_labels *labels, const char *text)
{
    return own(labels, strdup(text));
}

static bool is_kokkos(const struct otter_region *region)
{
    return otter_construct_is_labelled(region->construct);
}

const char *otter_region_words(const struct otter_region *region)
{
    switch (region->construct) {
    case OTTER_CONSTRUCT_CRITICAL_BLOCK: return "!$omp critical region";
    case OTTER_CONSTRUCT_ORDERED_BLOCK: return "!$omp ordered region";
    case OTTER_CONSTRUCT_ATOMIC_BLOCK: return "!$omp atomic region";
    default: return region->canonical_name;
    }
}

// Splits "!$omp task @fib+0x1234" into "task" and "fib+0x1234"; with a line, into "task" and
// "fib.c:12". Returns false if out of memory.
static bool set_openmp(struct otter_labels *labels, struct otter_label *label,
                       const struct otter_region *region)
{
    const char *words = otter_region_words(region);
    bool has_prefix = strncmp(words, openmp_prefix, sizeof openmp_prefix - 1) == 0;
    label->what = words + (has_prefix ? sizeof openmp_prefix - 1 : 0);
    if (region->begin_line == 0) {
        size_t length = strlen(region->canonical_name);
        bool has_place = strncmp(region->name, region->canonical_name, length) == 0 &&
                         strncmp(region->name + length, " @", 2) == 0;
        label->where = has_place ? region->name + length + 2 : "";
        return true;
    }
    label->file = region->file;
    label->line = region->begin_line;
    label->where =
        own(labels, otter_path("%s:%u", otter_path_file(region->file), (unsigned)label->line));
    return label->where != NULL;
}

enum otter_status otter_labels_init_unknown(struct otter_labels *labels, size_t n_regions)
{
    *labels = (struct otter_labels){.regions = malloc((n_regions + 1) * sizeof *labels->regions)};
    for (size_t i = 0; labels->regions && i < n_regions; i++) {
        labels->regions[i] = unknown;
    }
    labels->n_regions = labels->regions ? n_regions : 0;
    return labels->regions ? OTTER_OK : OTTER_NO_MEMORY;
}

enum otter_status otter_labels_set(struct otter_labels *labels, uint32_t region,
                                   const struct otter_label *label)
{
    struct otter_label copy = {.what = otter_labels_copy(labels, label->what),
                               .where = otter_labels_copy(labels, label->where),
                               .function = otter_labels_copy(labels, label->function),
                               .file = otter_labels_copy(labels, label->file),
                               .line = label->line};
    if (!copy.what || !copy.where || !copy.function || !copy.file) {
        return OTTER_NO_MEMORY;
    }
    labels->regions[region] = copy;
    return OTTER_OK;
}

enum otter_status otter_labels_add(struct otter_labels *labels, const char *what, const char *where)
{
    struct otter_label label = unknown;
    label.what = otter_labels_copy(labels, what);
    label.where = otter_labels_copy(labels, where);
    bool is_good = label.what && label.where && OTTER_VECTOR_ADD(&labels->others, label);
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}

enum otter_status otter_labels_init(struct otter_labels *labels,
                                    const struct otter_definitions *definitions)
{
    if (otter_labels_init_unknown(labels, definitions->n_regions)) {
        return OTTER_NO_MEMORY;
    }
    for (size_t i = 0; i < definitions->n_regions; i++) {
        const struct otter_region *region = &definitions->regions[i];
        struct otter_label *label = &labels->regions[i];
        if (is_kokkos(region)) {
            label->what = *region->name ? region->name : OTTER_NO_LABEL;
        } else if (!set_openmp(labels, label, region)) {
            otter_labels_finish(labels);
            return OTTER_NO_MEMORY;
        }
    }
    return OTTER_OK;
}

void otter_labels_finish(struct otter_labels *labels)
{
    for (size_t i = 0; i < labels->texts.n; i++) {
        free(labels->texts.items[i]);
    }
    OTTER_FREE(labels->texts.items, labels->regions, labels->others.items);
    *labels = (struct otter_labels){0};
}

const struct otter_label *otter_label_of(const struct otter_labels *labels, uint32_t region)
{
    return region < labels->n_regions ? &labels->regions[region]
           : otter_label_is_known(labels, region)
               ? &labels->others.items[region - labels->n_regions]
               : &unknown;
}

// Returns whether `text` contains a word that begins with "fib.cpp:" and a digit.
static bool has_line_of(const char *text, const char *file)
{
    size_t length = strcspn(file, ":");
    for (const char *at = text; length && (at = strstr(at, ":")) != NULL; at++) {
        bool is_line = at[1] >= '0' && at[1] <= '9';
        const char *begin = (size_t)(at - text) >= length ? at - length : NULL;
        if (is_line && begin && strncmp(begin, file, length) == 0 &&
            (begin == text || begin[-1] == ' ' || begin[-1] == '/')) {
            return true;
        }
    }
    return false;
}

const char *otter_label_place(const struct otter_label *label)
{
    return label->line > 0 && has_line_of(label->what, label->where) ? "" : label->where;
}

const char *otter_label_function(const struct otter_label *label)
{
    return strncmp(label->where, "Kokkos::", strlen("Kokkos::")) == 0 ? "" : label->function;
}

char *otter_label_text(const struct otter_label *label, char *text, size_t size)
{
    const char *place = otter_label_place(label);
    snprintf(text, size, "%s%s%s", label->what, *label->what && *place ? " " : "", place);
    return text;
}

// ---- labels with numbers

struct numbered {
    uint32_t region;
    int construct;
    const char *text;
};

static bool is_digit(char letter)
{
    return letter >= '0' && letter <= '9';
}

// Returns a copy of the text with '#' for each number; NULL if out of memory.
static char *without_numbers(const char *text)
{
    char *plain = strdup(text), *to = plain;
    for (const char *at = text; plain && *at; at++) {
        if (!is_digit(*at) || at == text || !is_digit(at[-1])) {
            *to++ = is_digit(*at) ? '#' : *at;
        }
    }
    if (plain) {
        *to = '\0';
    }
    return plain;
}

static int compare_numbered(const void *a, const void *b)
{
    const struct numbered *one = a, *other = b;
    int order = one->construct - other->construct;
    return order ? order : strcmp(one->text, other->text);
}

// Lists all Kokkos labels; labels that become equal without numbers are neighbours.
// Returns false if out of memory.
static bool list_numbered(struct otter_labels *labels, const struct otter_definitions *definitions,
                          struct numbered *list, size_t *n)
{
    for (uint32_t i = 0; i < labels->n_regions; i++) {
        const struct otter_region *region = &definitions->regions[i];
        if (is_kokkos(region)) {
            const char *text = own(labels, without_numbers(labels->regions[i].what));
            if (!text) {
                return false;
            }
            list[(*n)++] = (struct numbered){i, (int)region->construct, text};
        }
    }
    qsort(list, *n, sizeof *list, compare_numbered);
    return true;
}

// Merges `first` and the labels after it that are equal without numbers. Returns their number.
static size_t merge(struct otter_labels *labels, const struct numbered *first,
                    const struct numbered *end, bool *is_changed)
{
    const struct numbered *at = first;
    bool differ = false;
    for (; at < end && compare_numbered(first, at) == 0; at++) {
        const char *what = labels->regions[at->region].what;
        differ = differ || strcmp(what, labels->regions[first->region].what) != 0;
    }
    for (const struct numbered *one = first; differ && one < at; one++) {
        labels->regions[one->region].what = one->text;
    }
    *is_changed = *is_changed || differ;
    return (size_t)(at - first);
}

enum otter_status otter_labels_merge_numbers(struct otter_labels *labels,
                                             const struct otter_definitions *definitions,
                                             bool *is_changed)
{
    size_t n = 0;
    struct numbered *list = malloc((labels->n_regions + 1) * sizeof *list);
    bool is_done = list && list_numbered(labels, definitions, list, &n);
    *is_changed = false;
    for (size_t i = 0; is_done && i < n;) {
        i += merge(labels, &list[i], &list[n], is_changed);
    }
    free(list);
    return is_done ? OTTER_OK : OTTER_NO_MEMORY;
}
