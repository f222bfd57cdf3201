// Prints the ranges of several recordings, as text and as JSON.
#include <inttypes.h>

#include "base/text/print.h"
#include "base/text/utf8.h"
#include "report/diff/diff_data.h"
#include "report/form/plain.h"
#include "report/runs/runs.h"
#include "report/form/wrap.h"

enum { NAME = 24, NUMBER = 12, COST = 8, MIN_TEXT = 30, SENTENCE = 640 };

// ---- text

static void print_cells(FILE *out, enum otter_column_kind kind, const struct otter_spread *spread,
                        int width)
{
    const double values[] = {spread->median, spread->min, spread->max};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char text[OTTER_CELL_SIZE];
        otter_print(out, " %*s", width, otter_sheet_number(kind, values[i], text));
    }
}

static void print_numbers(FILE *out, const struct otter_runs *runs)
{
    otter_print(out, "\n  %-*s %*s %*s %*s\n", NAME, "", NUMBER, "median", NUMBER, "least", NUMBER,
                "most");
    for (unsigned i = 0; i < OTTER_N_DIFF_NUMBERS; i++) {
        if (runs->numbers[otter_diff_shown_by(i)].max != 0) {
            int indent = otter_diff_indent(i);
            otter_print(out, "  %*s%-*s", indent, "", NAME - indent, otter_diff_column(i)->head);
            print_cells(out, otter_diff_column(i)->kind, &runs->numbers[i], NUMBER);
            otter_print(out, "\n");
        }
    }
}

static void print_finding(FILE *out, const struct otter_runs_finding *finding, unsigned width)
{
    unsigned used = 2 + 2 * (NUMBER / 2 + 1) + 3 * (COST + 1) + 2;
    otter_print(out, "  %*" PRIu32 " %*" PRIu32, NUMBER / 2, finding->n, NUMBER / 2,
                finding->n_first);
    print_cells(out, OTTER_COLUMN_PERCENT, &finding->cost, COST);
    otter_print(out, "  ");
    otter_plain_print(out, finding->text, width > used + MIN_TEXT ? width - used : MIN_TEXT);
    otter_print(out, "\n");
}

static void print_findings(FILE *out, const struct otter_runs *runs, unsigned width)
{
    if (runs->findings.n == 0) {
        otter_print(out, "\n  No recording has a finding.\n");
        return;
    }
    otter_print(out, "\n  Findings, the recordings that have them, and their share of the thread "
                     "time\n");
    otter_print(out, "  %*s %*s %*s %*s %*s\n", NUMBER / 2, "named", NUMBER / 2, "first", COST,
                "median", COST, "least", COST, "most");
    for (uint32_t i = 0; i < runs->findings.n; i++) {
        print_finding(out, &runs->findings.items[i], width);
    }
}

// Returns the finding that is first in most recordings, or NULL.
static const struct otter_runs_finding *usual_first(const struct otter_runs *runs)
{
    const struct otter_runs_finding *usual = NULL;
    for (uint32_t i = 0; i < runs->findings.n; i++) {
        const struct otter_runs_finding *finding = &runs->findings.items[i];
        usual = finding->n_first > (usual ? usual->n_first : 0) ? finding : usual;
    }
    return usual;
}

static const char *sentence_on_first(const struct otter_runs *runs, char text[SENTENCE])
{
    const struct otter_runs_finding *first = usual_first(runs);
    if (first && first->n_first == runs->n) {
        snprintf(text, SENTENCE, "All recordings have the same first finding.");
    } else if (first) {
        snprintf(text, SENTENCE,
                 "The first finding differs: '%.*s' is first in %" PRIu32 " of %" PRIu32
                 " recordings.",
                 OTTER_UTF8_CUT(first->text, 400), first->n_first, runs->n);
    } else {
        *text = '\0';
    }
    return text;
}

static void print_sentences(FILE *out, const struct otter_runs *runs, unsigned width)
{
    char text[SENTENCE];
    otter_print(out, "\n");
    if (*sentence_on_first(runs, text)) {
        otter_print_wrapped_at(out, (int)width, 2, text);
    }
    otter_print_wrapped_at(out, (int)width, 2,
                           runs->has_one_graph
                               ? "All recordings have the same task graph."
                               : "The task graphs differ: 'otter diff' with two of the recordings "
                                 "shows where.");
    if (runs->n_incomplete > 0) {
        snprintf(text, sizeof text,
                 "%" PRIu32 " of the recordings %s incomplete, so all ranges are estimates.",
                 runs->n_incomplete, runs->n_incomplete == 1 ? "is" : "are");
        otter_print_wrapped_at(out, (int)width, 2, text);
    }
}

void otter_runs_print(FILE *out, const struct otter_runs *runs, unsigned width)
{
    static const char head[] = "recordings of ";
    otter_print(out, "%" PRIu32 " %s", runs->n, head);
    const char *program = runs->runs[0].program;
    otter_plain_print(out, *program ? program : "a program without a recorded command line",
                      width > 2 * sizeof head ? width - sizeof head - 2 : sizeof head);
    otter_print(out, "\n");
    print_numbers(out, runs);
    print_findings(out, runs, width);
    print_sentences(out, runs, width);
}

// ---- JSON

static json_t *finding_json(const struct otter_runs_finding *finding)
{
    json_t *object = json_object();
    otter_json_set_text(object, "finding", finding->text);
    otter_json_set(object, "recordings", json_integer(finding->n));
    otter_json_set(object, "first_in", json_integer(finding->n_first));
    otter_json_set(object, "cost_percent", otter_spread_json(&finding->cost));
    return object;
}

json_t *otter_runs_json(const struct otter_runs *runs)
{
    json_t *root = json_object(), *archives = json_array(), *numbers = json_object();
    json_t *findings = json_array();
    for (uint32_t i = 0; i < runs->n; i++) {
        json_array_append_new(archives, otter_json_text(runs->runs[i].path));
    }
    for (unsigned i = 0; i < OTTER_N_DIFF_NUMBERS; i++) {
        otter_json_set(numbers, otter_diff_column(i)->name, otter_spread_json(&runs->numbers[i]));
    }
    for (uint32_t i = 0; i < runs->findings.n; i++) {
        json_array_append_new(findings, finding_json(&runs->findings.items[i]));
    }
    otter_json_set_text(root, "command_line", runs->runs[0].program);
    otter_json_set(root, "archives", archives);
    otter_json_set(root, "incomplete", json_integer(runs->n_incomplete));
    otter_json_set(root, "has_one_graph", json_boolean(runs->has_one_graph));
    otter_json_set(root, "numbers", numbers);
    otter_json_set(root, "findings", findings);
    return root;
}
