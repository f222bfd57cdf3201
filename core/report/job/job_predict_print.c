// Prints the predictions for a job as text and as JSON.
#include <inttypes.h>
#include <stdlib.h>

#include "base/text/print.h"
#include "report/job/job_predict.h"
#include "report/form/json.h"
#include "base/text/number.h"
#include "report/form/wrap.h"

enum { WIDTH = 80, MAX_RANKS = 20 };

static double middle(const struct otter_job_prediction *item)
{
    return ((double)item->least + (double)item->most) / 2;
}

static double error_of(const struct otter_job_predictions *predictions)
{
    double wall = (double)predictions->wall;
    return wall > 0 ? middle(&predictions->items.items[0]) / wall - 1 : 0;
}

static double change_of(const struct otter_job_predictions *predictions,
                        const struct otter_job_prediction *item)
{
    double before = middle(&predictions->items.items[0]);
    return before > 0 ? middle(item) / before - 1 : 0;
}

// ---- text

static void print_ticks(FILE *out, const struct otter_job_predictions *predictions, int width,
                        uint64_t ticks)
{
    char text[OTTER_MAX_NUMBER];
    otter_print(out, "%*s", width, otter_duration_text((double)ticks * predictions->tick, text));
}

static void print_item(FILE *out, const struct otter_job_predictions *predictions, const char *name,
                       const struct otter_job_prediction *item)
{
    char threads[OTTER_MAX_NUMBER] = "as run";
    if (item->n_threads > 0) {
        snprintf(threads, sizeof threads, "%" PRIu32, item->n_threads);
    }
    otter_print(out, "%-9s %16s", name, threads);
    print_ticks(out, predictions, 10, item->least);
    otter_print(out, " to ");
    print_ticks(out, predictions, 8, item->most);
}

static uint64_t difference(const struct otter_job_predictions *predictions, uint32_t rank)
{
    const struct otter_job_prediction *items = predictions->items.items;
    uint64_t before = items[0].times[rank].outside;
    uint64_t then = items[predictions->items.n - 1].times[rank].outside;
    return before > then ? before - then : then - before;
}

struct change {
    uint64_t difference;
    uint32_t rank; // index
};

static int by_difference(const void *left, const void *right)
{
    const struct change *a = left, *b = right;
    return a->difference != b->difference ? (a->difference < b->difference ? 1 : -1)
                                          : (a->rank > b->rank) - (a->rank < b->rank);
}

// Prints the ranks that change most in the last prediction.
static void print_ranks(FILE *out, const struct otter_job_predictions *predictions,
                        const struct otter_job *job)
{
    const struct otter_job_prediction *items = predictions->items.items;
    uint32_t n = job->ranks.n;
    struct change *changes = calloc(n + (size_t)1, sizeof *changes);
    for (uint32_t i = 0; i < n; i++) {
        changes[i] = (struct change){difference(predictions, i), i};
    }
    qsort(changes, n, sizeof *changes, by_difference);
    otter_print(out, "\n%6s %15s %10s %17s %10s %12s\n", "rank", "outside of MPI", "then",
                "waits for ranks", "then", "end then");
    for (uint32_t i = 0; i < n && i < MAX_RANKS; i++) {
        const struct otter_rank_times *now = &items[0].times[changes[i].rank];
        const struct otter_rank_times *then =
            &items[predictions->items.n - 1].times[changes[i].rank];
        otter_print(out, "%6" PRIu32, job->ranks.items[changes[i].rank].number);
        print_ticks(out, predictions, 16, now->outside);
        print_ticks(out, predictions, 11, then->outside);
        print_ticks(out, predictions, 18, now->waited);
        print_ticks(out, predictions, 11, then->waited);
        print_ticks(out, predictions, 13, then->end);
        otter_print(out, "\n");
    }
    if (n > MAX_RANKS) {
        otter_print(out, "       and %" PRIu32 " more, which change less\n", n - MAX_RANKS);
    }
    free(changes);
}

static void print_notes(FILE *out, const struct otter_job_predictions *predictions)
{
    otter_print(out, "\n");
    otter_print_wrapped_at(out, WIDTH, 0,
                           "An interval spans the results of three scheduling policies. Each rank "
                           "is replayed between its MPI calls. The waits of these calls for "
                           "other ranks are computed again; otherwise, the calls take as long as "
                           "in the run. The error of the replay shows how far to trust the other "
                           "numbers. The replay does not model "
                           "memory bandwidth.");
    if (predictions->first > 0 && predictions->undivided > 0.01 * predictions->work) {
        char text[300];
        snprintf(text, sizeof text,
                 "%.0f %% of the work is code in parallel regions outside of loops and tasks: "
                 "the prediction keeps it divided among as many threads as were recorded.",
                 100 * predictions->undivided / predictions->work);
        otter_print_wrapped_at(out, WIDTH, 0, text);
    }
}

void otter_job_predictions_print(FILE *out, const struct otter_job_predictions *predictions,
                                 const struct otter_job *job)
{
    const struct otter_job_prediction *items = predictions->items.items;
    otter_print(out, "          threads per rank     time of the job\n%-9s %16s", "observed",
                "as run");
    print_ticks(out, predictions, 10, predictions->wall);
    otter_print(out, "\n");
    print_item(out, predictions, "replayed", &items[0]);
    otter_print(out, "  error %+.1f %%\n", 100 * error_of(predictions));
    for (uint32_t i = 1; i < predictions->items.n; i++) {
        print_item(out, predictions, predictions->n_changes > 0 ? "what if" : "predicted",
                   &items[i]);
        otter_print(out, "  %+.1f %%\n", 100 * change_of(predictions, &items[i]));
    }
    print_ranks(out, predictions, job);
    print_notes(out, predictions);
}

// ---- JSON

static void set_ticks(json_t *object, const struct otter_job_predictions *predictions,
                      const char *name, uint64_t ticks)
{
    otter_json_set(object, name, json_real((double)ticks * predictions->tick));
}

static json_t *item_json(const struct otter_job_predictions *predictions,
                         const struct otter_job *job, const struct otter_job_prediction *item)
{
    json_t *object = json_object(), *ranks = json_array();
    otter_json_set(object, "threads",
                   item->n_threads > 0 ? otter_json_number(item->n_threads) : json_null());
    set_ticks(object, predictions, "least_s", item->least);
    set_ticks(object, predictions, "most_s", item->most);
    for (uint32_t i = 0; i < job->ranks.n; i++) {
        json_t *rank = json_object();
        otter_json_set_number(rank, "rank", job->ranks.items[i].number);
        set_ticks(rank, predictions, "outside_mpi_s", item->times[i].outside);
        set_ticks(rank, predictions, "waits_s", item->times[i].waited);
        set_ticks(rank, predictions, "end_s", item->times[i].end);
        json_array_append_new(ranks, rank);
    }
    otter_json_set(object, "ranks", ranks);
    return object;
}

json_t *otter_job_predictions_json(const struct otter_job_predictions *predictions,
                                   const struct otter_job *job)
{
    const struct otter_job_prediction *items = predictions->items.items;
    json_t *root = json_object(), *list = json_array();
    json_t *replayed = item_json(predictions, job, &items[0]);
    set_ticks(root, predictions, "observed_s", predictions->wall);
    otter_json_set(replayed, "error", json_real(error_of(predictions)));
    otter_json_set(root, "replayed", replayed);
    otter_json_set(
        root, "undivided",
        json_real(predictions->work > 0 ? predictions->undivided / predictions->work : 0));
    for (uint32_t i = 1; i < predictions->items.n; i++) {
        json_t *item = item_json(predictions, job, &items[i]);
        otter_json_set(item, "change", json_real(change_of(predictions, &items[i])));
        json_array_append_new(list, item);
    }
    otter_json_set(root, predictions->n_changes > 0 ? "what_if" : "predicted", list);
    return root;
}
