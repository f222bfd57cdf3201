// Finds the regions that a user names, and suggests names.
#include "report/form/label_choice.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/order.h"
#include "base/text/nearest.h"
#include "base/text/strings.h"

enum { MAX_LISTED = 6 };

static bool is_between(const struct otter_report *report, uint32_t label, const char *text)
{
    return label >= report->analysis->definitions->n_regions && strcmp(text, OTTER_NO_LABEL) == 0;
}

bool otter_report_is_label(const struct otter_report *report, uint32_t region, const char *text)
{
    char whole[OTTER_LABEL_SIZE];
    const struct otter_label *label = otter_label_of(report->labels, region);
    return is_between(report, region, text) || strcmp(label->what, text) == 0 ||
           strcmp(otter_label_place(label), text) == 0 ||
           strcmp(otter_label_text(label, whole, sizeof whole), text) == 0 ||
           strcmp(otter_report_label(report, region, whole), text) == 0;
}

// ---- known names

void otter_known_labels_add(struct otter_known_labels *known, const char *name)
{
    bool is_new;
    known->strings = known->strings ? known->strings : otter_strings_create();
    otter_strings_intern(known->strings, name, &is_new);
    if (is_new) {
        OTTER_VECTOR_APPEND(known, strdup(name));
    }
}

static _Thread_local const char *wanted_name; // for qsort's comparison

// Sorts names by the distance of their most similar part from the wanted name.
static int compare_distances(const void *a, const void *b)
{
    const char *x = *(char *const *)a, *y = *(char *const *)b;
    size_t left = otter_nearest_distance_of_part(wanted_name, x);
    size_t right = otter_nearest_distance_of_part(wanted_name, y);
    if (left == right) {
        left = otter_nearest_distance(wanted_name, x);
        right = otter_nearest_distance(wanted_name, y);
    }
    return left != right ? OTTER_COMPARE(left, right) : strcmp(x, y);
}

void otter_known_labels_complain(struct otter_known_labels *known, const char *kind,
                                 const char *wanted, const char *where, const char *options)
{
    wanted_name = wanted;
    OTTER_SORT(known, compare_distances);
    otter_error("no %s '%s' in %s", kind, wanted, where);
    for (uint32_t i = 0; i < known->n && i < MAX_LISTED; i++) {
        otter_error("  known %s: '%s'", kind, known->items[i]);
    }
    if (known->n > MAX_LISTED) {
        otter_error("  and %u more: %s", known->n - MAX_LISTED, options);
    }
}

void otter_known_labels_finish(struct otter_known_labels *known)
{
    for (uint32_t i = 0; i < known->n; i++) {
        free(known->items[i]);
    }
    free(known->items);
    otter_strings_destroy(known->strings);
    *known = (struct otter_known_labels){0};
}

// ---- the choice

bool otter_label_choice_has(struct otter_label_choice *choice, const struct otter_report *report,
                            uint32_t region, const char *state)
{
    char text[OTTER_LABEL_SIZE];
    if (!choice || !choice->text) {
        return true;
    }
    bool is_chosen = state ? strcmp(state, choice->text) == 0
                           : otter_report_is_label(report, region, choice->text);
    choice->is_found |= is_chosen;
    if (!choice->is_found) {
        otter_known_labels_add(&choice->known,
                               state ? state : otter_report_label(report, region, text));
    }
    return is_chosen;
}

enum otter_status otter_label_choice_end(struct otter_label_choice *choice, const char *option)
{
    char options[80];
    bool is_missing = choice->text && !choice->is_found && choice->known.n > 0;
    snprintf(options, sizeof options, "'otter report --%s' lists them", option);
    if (is_missing) {
        otter_known_labels_complain(&choice->known, "label", choice->text, "this table", options);
    }
    otter_known_labels_finish(&choice->known);
    return is_missing ? OTTER_NOT_FOUND : OTTER_OK;
}
