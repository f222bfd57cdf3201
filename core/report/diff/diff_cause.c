// Finds the part of thread time that changed most between two sides.
#include "report/diff/diff_cause.h"

#include <math.h>
#include <string.h>

#define MIN_SHARE 0.1 // share of the change below which a part is not a cause

size_t otter_diff_kind_length(const char *text)
{
    return strcspn(text, ":");
}

const char *otter_diff_place_of(const char *text)
{
    const char *colon = strstr(text, ": ");
    return colon ? colon + strlen(": ") : "";
}

// ---- labels of one side

// `text` may end with a note, as in "single a.c:3, other"; names have no notes.
static bool is_name(const char *name, const char *text)
{
    size_t length = strlen(name);
    return strncmp(name, text, length) == 0 && (text[length] == '\0' || text[length] == ',');
}

static bool has_label(const struct otter_diff_side *side, const char *text)
{
    for (uint32_t i = 0; i < side->n; i++) {
        const struct otter_diff_labels *labels = &side->runs[i].labels;
        for (uint32_t k = 0; k < labels->n; k++) {
            if (is_name(labels->items[k].name, text)) {
                return true;
            }
        }
    }
    return false;
}

static bool is_one_sided(const struct otter_diff *diff, const struct otter_diff_row *row,
                         const char *label)
{
    return *label && ((row->n_before == 0 && !has_label(&diff->before, label)) ||
                      (row->n_after == 0 && !has_label(&diff->after, label)));
}

// ---- candidates

// Keeps `part` if it changed more than the best so far. A part is a row, or the sum of a kind's
// rows whose labels only one side has.
static void offer(struct otter_diff_cause *best, struct otter_diff_cause part)
{
    double sign = best->total < 0 ? -1 : 1;
    if (sign * part.change > sign * best->change) {
        part.total = best->total;
        *best = part;
    }
}

// Returns whether a row is of the same kind as the rows that were added up in `sum`.
static bool is_of_kind(const struct otter_diff_cause *sum, const struct otter_diff_row *row)
{
    size_t length = otter_diff_kind_length(row->text);
    return sum->is_executed || (otter_diff_kind_length(sum->row->text) == length &&
                                strncmp(sum->row->text, row->text, length) == 0);
}

// Adds up the rows of a kind whose labels only one side has.
struct replaced {
    struct otter_diff_cause sum;
    bool has_before, has_after;
};

static void add_replaced(struct replaced *sums, size_t *n, const struct otter_diff_cause *part)
{
    size_t i = 0;
    while (i < *n && !is_of_kind(&sums[i].sum, part->row)) {
        i++;
    }
    if (i == *n) {
        sums[(*n)++] = (struct replaced){
            .sum = {.row = part->row, .is_executed = part->is_executed, .is_one_sided = true}};
    }
    struct otter_diff_cause *sum = &sums[i].sum;
    sum->change += part->change;
    sums[i].has_before |= part->row->n_before > 0;
    sums[i].has_after |= part->row->n_after > 0;
    if (fabs(part->change) > fabs(otter_diff_change(&sum->row->values[0]))) {
        sum->row = part->row;
    }
}

// New or removed code has no counterpart on the other side, so its largest row represents it.
static void offer_replaced(struct otter_diff_cause *best, const struct replaced *replaced)
{
    struct otter_diff_cause part = replaced->sum;
    if (!replaced->has_before || !replaced->has_after) {
        part.is_one_sided = false;
        part.change = otter_diff_change(&part.row->values[0]);
    }
    offer(best, part);
}

bool otter_diff_is_inflated(const struct otter_diff *diff, const struct otter_diff_row *label)
{
    if (otter_diff_change(&label->values[0]) <= 0 || diff->graphs > OTTER_DIFF_GRAPHS_TEAMS ||
        strcmp(diff->before.runs[0].program, diff->after.runs[0].program) != 0) {
        return false;
    }
    const struct otter_diff_value *count = otter_diff_count(diff, label->text);
    return count && otter_diff_change(count) == 0;
}

// Threads that share caches and memory inflate the work of all labels, so all inflation is one
// part.
static void add_inflation(struct otter_diff_cause *sum, const struct otter_diff_cause *part)
{
    sum->change += part->change;
    if (!sum->row || part->change > otter_diff_change(&sum->row->values[0])) {
        sum->row = part->row;
    }
}

static void offer_table(const struct otter_diff *diff, const char *name, bool is_executed,
                        struct otter_diff_cause *best)
{
    const struct otter_diff_table *table = otter_diff_find_table(diff, name);
    struct replaced sums[OTTER_N_FINDINGS];
    struct otter_diff_cause inflation = {.is_executed = true, .is_inflation = true};
    size_t n = 0;
    for (uint32_t i = 0; table && i < table->rows.n; i++) {
        const struct otter_diff_row *row = &table->rows.items[i];
        const char *label = is_executed ? row->text : otter_diff_place_of(row->text);
        struct otter_diff_cause part = {
            .row = row, .is_executed = is_executed, .change = otter_diff_change(&row->values[0])};
        if (isnan(part.change) || row->values[0].verdict == OTTER_VERDICT_NOISE ||
            strcmp(row->text, otter_finding_name(OTTER_FINDING_NOISE)) == 0) {
            continue;
        }
        if (is_one_sided(diff, row, label)) {
            add_replaced(sums, &n, &part);
        } else {
            offer(best, part);
            if (is_executed && otter_diff_is_inflated(diff, row)) {
                add_inflation(&inflation, &part);
            }
        }
    }
    // If one label has half of the inflation, offer() has already compared this label by itself.
    if (inflation.row && 2 * otter_diff_change(&inflation.row->values[0]) < inflation.change) {
        offer(best, inflation);
    }
    for (size_t i = 0; i < n; i++) {
        offer_replaced(best, &sums[i]);
    }
}

struct otter_diff_cause otter_diff_find_cause(const struct otter_diff *diff)
{
    struct otter_diff_cause best = {.total = otter_diff_change(&diff->numbers[OTTER_DIFF_TOTAL])};
    offer_table(diff, "labels", true, &best);
    offer_table(diff, "causes", false, &best);
    if (fabs(best.change) < MIN_SHARE * fabs(best.total)) {
        best.row = NULL;
    }
    return best;
}
