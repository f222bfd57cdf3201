// Prints predictions as text and as JSON.
#include <math.h>

#include "base/text/print.h"
#include "report/form/json.h"
#include "base/text/number.h"
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
    double least, most;
    otter_prediction_changes(predictions, prediction, &least, &most);
    return (least + most) / 2;
}

void otter_prediction_changes(const struct otter_predictions *predictions,
                              const struct otter_prediction *prediction, double *least,
                              double *most)
{
    *least = INFINITY;
    *most = -INFINITY;
    const struct otter_replay_times *run =
        predictions->is_quiet ? &predictions->quiet.times : &predictions->observed.times;
    for (unsigned i = 0; i < OTTER_N_REPLAY_POLICIES; i++) {
        double before = (double)run->of[i].least;
        double lower = before > 0 ? (double)prediction->times.of[i].least / before - 1 : 0;
        double upper = before > 0 ? (double)prediction->times.of[i].most / before - 1 : 0;
        *least = fmin(*least, lower);
        *most = fmax(*most, upper);
    }
}

const char *otter_prediction_change_text(double least, double most, char text[OTTER_CHANGE_SIZE])
{
    if (most - least < 0.01) {
        snprintf(text, OTTER_CHANGE_SIZE, "%+.1f %%", 100 * (least + most) / 2);
    } else {
        snprintf(text, OTTER_CHANGE_SIZE, "%+.1f to %+.1f %%", 100 * least, 100 * most);
    }
    return text;
}

// Returns whether tasks create tasks, as in a search.
static bool has_recursion(const struct otter_report *report)
{
    const struct otter_graph *graph = report->analysis->graph;
    for (uint32_t i = 0; graph && i < graph->n_tasks; i++) {
        uint32_t creator = graph->tasks[i].creator;
        if (graph->tasks[i].kind == OTTER_TASK_KIND_EXPLICIT && creator < graph->n_tasks &&
            graph->tasks[creator].kind == OTTER_TASK_KIND_EXPLICIT) {
            return true;
        }
    }
    return false;
}

static void print_ticks(FILE *out, const struct otter_report *report, int width, uint64_t ticks)
{
    char text[OTTER_MAX_NUMBER];
    otter_print(out, "%*s", width, otter_duration_text(otter_report_seconds(report, ticks), text));
}

// Returns false if there is no number to print.
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
    if (predictions->is_quiet && print_times(out, report, "quiet", &predictions->quiet)) {
        otter_print(out, "\n");
    }
}

static bool has_tasks(const struct otter_report *report)
{
    const struct otter_graph *graph = report->analysis->graph;
    uint32_t i = 0;
    while (graph && i < graph->n_tasks && graph->tasks[i].kind != OTTER_TASK_KIND_EXPLICIT) {
        i++;
    }
    return graph && i < graph->n_tasks;
}

static bool has_chunks(const struct otter_report *report)
{
    const struct otter_marks *marks = &report->analysis->marks;
    for (uint32_t i = 0; marks->locations && i < marks->definitions->n_locations; i++) {
        for (uint32_t k = 0; k < marks->locations[i].n; k++) {
            if (marks->locations[i].items[k].kind == OTTER_MARK_CHUNK) {
                return true;
            }
        }
    }
    return false;
}

// Prints what a prediction from one thread to several, or from several to one, does not include.
static void print_note_on_sharing(FILE *out, const struct otter_report *report)
{
    char text[500], taking[OTTER_MAX_NUMBER], tasks[120] = "", chunks[120] = "";
    double seconds = otter_report_seconds(report, otter_replay_taking(report->analysis));
    bool was_alone = report->analysis->timeline.n_lines == 1;
    otter_duration_text(seconds, taking);
    if (has_tasks(report)) {
        snprintf(tasks, sizeof tasks, ", and each task %s longer for each other thread", taking);
    }
    if (has_chunks(report)) {
        snprintf(chunks, sizeof chunks,
                 ", and that each chunk of a loop is %s shorter for each thread that is dropped",
                 taking);
    }
    snprintf(text, sizeof text,
             was_alone ? "A run with one thread does not show how threads slow each other down. "
                         "The longest time assumes that work takes %.1f times as long%s: the "
                         "largest values of the programs that were tried."
                       : "On one thread, work may be faster, since threads share caches and "
                         "memory: the shortest time assumes that work is %.1f times as fast%s.",
             OTTER_REPLAY_SHARING, was_alone ? tasks : chunks);
    otter_print_wrapped_at(out, WIDTH, 0, text);
}

static void print_notes_on_threads(FILE *out, const struct otter_report *report,
                                   const struct otter_predictions *predictions, bool is_shared)
{
    if (is_shared) {
        print_note_on_sharing(out, report);
    }
    if (has_recursion(report)) {
        otter_print_wrapped_at(out, WIDTH, 0,
                               "The prediction uses the tasks of this run. A search that is pruned "
                               "by its best result so far may create different tasks with a "
                               "different number of threads.");
    }
    if (predictions->undivided > 0.01) {
        char text[300];
        snprintf(text, sizeof text,
                 "%.0f %% of the work is code in parallel regions outside of loops and tasks: "
                 "the prediction keeps it divided among as many threads as were recorded.",
                 100 * predictions->undivided);
        otter_print_wrapped_at(out, WIDTH, 0, text);
    }
}

// A replay with another number of threads assumes a processor for each thread.
static void print_note_on_processors(FILE *out, const struct otter_report *report,
                                     uint32_t n_threads)
{
    const struct otter_analysis *analysis = report->analysis;
    uint32_t n_processors = analysis->account.n_processors;
    double share = otter_replay_preempted(analysis);
    char text[300], has[80] = "", were[100] = "";
    if (n_processors > 0 && n_threads > n_processors) {
        snprintf(has, sizeof has, ", but this run had %u", n_processors);
    }
    if (share >= OTTER_PREEMPTED) {
        snprintf(were, sizeof were,
                 " In this run, threads waited for a processor for %.0f %% "
                 "of the time.",
                 100 * share);
    }
    if (*has || *were) {
        snprintf(text, sizeof text, "The prediction assumes a processor for each thread%s.%s", has,
                 were);
        otter_print_wrapped_at(out, WIDTH, 0, text);
    }
}

static void print_note_on_functions(FILE *out, const struct otter_predictions *predictions)
{
    char text[300];
    snprintf(text, sizeof text,
             "%.1f to %.1f %% of the execution is in the changed functions and in those that they "
             "call, according to the samples. The interval contains this sampling error. Each "
             "piece of a label changes by the same share.",
             100 * predictions->least_share, 100 * predictions->most_share);
    otter_print_wrapped_at(out, WIDTH, 0, text);
}

static void print_note_on_exclusions(FILE *out, const struct otter_analysis *analysis)
{
    uint32_t n = 0;
    for (uint32_t i = 0; analysis->exclusions.n > 0 && i < analysis->graph->n_tasks && n < 2; i++) {
        otter_exclusions_of(&analysis->exclusions, i, &n);
    }
    if (n > 1) {
        otter_print_wrapped_at(out, WIDTH, 0,
                               "Tasks name several addresses in mutexinoutset. If such a task "
                               "cannot begin, LLVM's runtime tries no task after it in the same "
                               "queue. The replay does, so its times may be too short.");
    }
}

static void print_notes(FILE *out, const struct otter_report *report,
                        const struct otter_predictions *predictions)
{
    bool has_other = false, is_shared = false;
    uint32_t most = 0;
    for (uint32_t i = 0; i < predictions->items.n; i++) {
        uint32_t n = predictions->items.items[i].n_threads;
        has_other |= n != predictions->observed.n_threads;
        most = n > most ? n : most;
        is_shared |= (n == 1) != (report->analysis->timeline.n_lines == 1);
    }
    otter_print(out, "\n");
    otter_print_wrapped_at(out, WIDTH, 0,
                           "An interval spans the results of three scheduling policies. The error "
                           "of the replay shows how far to trust the other numbers. The replay "
                           "does not model memory bandwidth.");
    if (predictions->is_quiet) {
        otter_print_wrapped_at(out, WIDTH, 0,
                               "The line 'quiet' is the same run if no thread loses its processor "
                               "to other processes; for other numbers of threads, if each thread "
                               "has a processor. Changes are relative to it.");
    }
    if (predictions->has_functions) {
        print_note_on_functions(out, predictions);
    }
    if (report->analysis->recording.is_grain_fine) {
        otter_print_wrapped_at(out, WIDTH, 0,
                               "Many pieces last less than 10 times what recording them costs: "
                               "without recording, all times are shorter.");
    }
    print_note_on_exclusions(out, report->analysis);
    if (has_other) {
        print_note_on_processors(out, report, most);
        print_notes_on_threads(out, report, predictions, is_shared);
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
        if (!print_times(out, report, predictions->has_changes ? "what if" : "predicted", item)) {
            continue;
        }
        if (predictions->has_changes) {
            double least, most;
            char change[OTTER_CHANGE_SIZE];
            otter_prediction_changes(predictions, item, &least, &most);
            otter_print(out, "  %s\n", otter_prediction_change_text(least, most, change));
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
    if (predictions->is_quiet) {
        otter_json_set(root, "quiet", prediction_json(report, &predictions->quiet));
    }
    otter_json_set(root, "undivided", json_real(predictions->undivided));
    for (uint32_t i = 0; i < predictions->items.n; i++) {
        json_t *item = prediction_json(report, &predictions->items.items[i]);
        if (predictions->has_changes && !json_object_get(item, "defect")) {
            otter_json_set(
                item, "change",
                json_real(otter_prediction_change(predictions, &predictions->items.items[i])));
        }
        json_array_append_new(list, item);
    }
    if (predictions->has_functions) {
        otter_json_set(root, "functions_least", json_real(predictions->least_share));
        otter_json_set(root, "functions_most", json_real(predictions->most_share));
    }
    otter_json_set(root, predictions->has_changes ? "what_if" : "predicted", list);
    return otter_json_print(out, root);
}
