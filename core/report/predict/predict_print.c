// Prints predictions as text and as JSON.
#include "base/text/print.h"
#include "report/form/json.h"
#include "report/form/number.h"
#include "report/predict/predict.h"
#include "report/form/wrap.h"

enum { WIDTH = 80 };

static double middle(const struct otter_replay_times *times)
{
    return ((double)times->least + (double)times->most) / 2;
}

double otter_prediction_error(const struct otter_report *report,
                              const struct otter_predictions *predictions)
{
    double wall = (double)report->analysis->account.wall;
    return wall > 0 ? middle(&predictions->observed.times) / wall - 1 : 0;
}

double otter_prediction_change(const struct otter_predictions *predictions,
                               const struct otter_prediction *prediction)
{
    double before = middle(&predictions->observed.times);
    return before > 0 ? middle(&prediction->times) / before - 1 : 0;
}

static bool has_small_tasks(const struct otter_report *report)
{
    for (uint32_t i = 0; report->findings && i < report->findings->n; i++) {
        if (report->findings->items[i].kind == OTTER_FINDING_SMALL_TASKS) {
            return true;
        }
    }
    return false;
}

// A run of one thread does not show what it costs to take small tasks from another.
static bool is_at_best(const struct otter_report *report, const struct otter_prediction *prediction)
{
    return report->analysis->account.n_threads == 1 && prediction->n_threads > 1 &&
           has_small_tasks(report);
}

static void print_ticks(FILE *out, const struct otter_report *report, int width, uint64_t ticks)
{
    char text[OTTER_MAX_NUMBER];
    otter_print(out, "%*s", width, otter_duration_text(otter_report_seconds(report, ticks), text));
}

// Returns false if there is no time to print.
static bool print_times(FILE *out, const struct otter_report *report, const char *name,
                        const struct otter_prediction *prediction)
{
    otter_print(out, "%-9s %7u", name, prediction->n_threads);
    if (!otter_replay_is_in_bounds(&prediction->times)) {
        otter_print(out, "  outside of its bounds\n");
        return false;
    }
    print_ticks(out, report, 10, prediction->times.least);
    otter_print(out, " to ");
    print_ticks(out, report, 8, prediction->times.most);
    print_ticks(out, report, 11, prediction->times.lower);
    otter_print(out, " to ");
    print_ticks(out, report, 8, prediction->times.upper);
    return true;
}

static void print_observed(FILE *out, const struct otter_report *report,
                           const struct otter_predictions *predictions)
{
    otter_print(out, "          threads         time               bounds of the graph\n");
    otter_print(out, "%-9s %7u", "observed", predictions->observed.n_threads);
    print_ticks(out, report, 10, report->analysis->account.wall);
    otter_print(out, "\n");
    if (print_times(out, report, "replayed", &predictions->observed)) {
        otter_print(out, "  error %+.1f %%\n", 100 * otter_prediction_error(report, predictions));
    }
}

static void print_notes_on_tasks(FILE *out, const struct otter_report *report, bool is_limited)
{
    if (report->analysis->recording.is_grain_fine) {
        otter_print_wrapped_at(out, WIDTH, 0,
                               "The grain is below 10 times the cost of recording: times are upper "
                               "bounds.");
    }
    if (is_limited) {
        otter_print_wrapped_at(
            out, WIDTH, 0,
            "At best: a run of one thread does not show what it costs to take tasks from "
            "another. More threads may make tasks as small as these slower: "
            "record with two threads, too.");
    }
}

static void print_notes(FILE *out, const struct otter_report *report,
                        const struct otter_predictions *predictions)
{
    bool has_other = false, is_limited = false;
    for (uint32_t i = 0; i < predictions->items.n; i++) {
        has_other |= predictions->items.items[i].n_threads != predictions->observed.n_threads;
        is_limited |= is_at_best(report, &predictions->items.items[i]);
    }
    otter_print(out, "\n");
    otter_print_wrapped_at(out, WIDTH, 0,
                           "An interval is that of three scheduling policies. The error of the "
                           "replay tells how far to trust the rest. The memory bandwidth is not "
                           "part of the replay.");
    print_notes_on_tasks(out, report, is_limited);
    if (has_other && predictions->undivided > 0.01) {
        char text[300];
        snprintf(text, sizeof text,
                 "%.0f %% of the work is code of parallel regions outside of loops and tasks: on "
                 "other numbers of threads it stays one part for each recorded member.",
                 100 * predictions->undivided);
        otter_print_wrapped_at(out, WIDTH, 0, text);
    }
}

void otter_predictions_print(FILE *out, const struct otter_report *report,
                             const struct otter_predictions *predictions)
{
    double work = (double)report->analysis->span.work;
    print_observed(out, report, predictions);
    if (!predictions->has_changes) {
        otter_print(out, "\n%71s\n", "speed-up");
    }
    for (uint32_t i = 0; i < predictions->items.n; i++) {
        const struct otter_prediction *item = &predictions->items.items[i];
        const char *name = is_at_best(report, item)   ? "at best"
                           : predictions->has_changes ? "what if"
                                                      : "predicted";
        if (!print_times(out, report, name, item)) {
            continue;
        }
        if (predictions->has_changes) {
            otter_print(out, "  %+.1f %%\n", 100 * otter_prediction_change(predictions, item));
        } else {
            otter_print(out, "  %.2f to %.2f\n",
                        item->times.most ? work / (double)item->times.most : 0,
                        item->times.least ? work / (double)item->times.least : 0);
        }
    }
    print_notes(out, report, predictions);
}

// ---- JSON

static void set_ticks(json_t *object, const struct otter_report *report, const char *name,
                      uint64_t ticks)
{
    otter_json_set(object, name, json_real(otter_report_seconds(report, ticks)));
}

static json_t *prediction_json(const struct otter_report *report,
                               const struct otter_prediction *prediction)
{
    json_t *object = json_object();
    otter_json_set_number(object, "threads", prediction->n_threads);
    if (!otter_replay_is_in_bounds(&prediction->times)) {
        otter_json_set(object, "defect", json_string("outside of its bounds"));
        return object;
    }
    set_ticks(object, report, "least_s", prediction->times.least);
    set_ticks(object, report, "most_s", prediction->times.most);
    set_ticks(object, report, "lower_bound_s", prediction->times.lower);
    set_ticks(object, report, "upper_bound_s", prediction->times.upper);
    return object;
}

enum otter_status otter_predictions_print_json(FILE *out, const struct otter_report *report,
                                               const struct otter_predictions *predictions)
{
    json_t *root = json_object(), *list = json_array();
    json_t *replayed = prediction_json(report, &predictions->observed);
    set_ticks(root, report, "observed_s", report->analysis->account.wall);
    otter_json_set(replayed, "error", json_real(otter_prediction_error(report, predictions)));
    otter_json_set(root, "replayed", replayed);
    otter_json_set(root, "undivided", json_real(predictions->undivided));
    for (uint32_t i = 0; i < predictions->items.n; i++) {
        json_t *item = prediction_json(report, &predictions->items.items[i]);
        if (predictions->has_changes && !json_object_get(item, "defect")) {
            otter_json_set(
                item, "change",
                json_real(otter_prediction_change(predictions, &predictions->items.items[i])));
        }
        if (is_at_best(report, &predictions->items.items[i])) {
            otter_json_set(item, "at_best", json_true());
        }
        json_array_append_new(list, item);
    }
    otter_json_set(root, predictions->has_changes ? "what_if" : "predicted", list);
    return otter_json_print(out, root);
}
