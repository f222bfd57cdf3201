// Replays a run with changes, and on other numbers of threads.
#include "report/predict/predict.h"

#include <stdlib.h>

#include "base/log.h"
#include "report/predict/predict_labels.h"

// Replays the run with the changes.
static void replay_changed(const struct otter_predictions *predictions, struct otter_replay *replay,
                           uint32_t n_threads, struct otter_replay_times *times)
{
    const struct otter_prediction *run =
        predictions->is_quiet ? &predictions->quiet : &predictions->observed;
    otter_replay_run(replay, n_threads, times);
    otter_replay_widen(replay, run->times.least, times);
}

static void add(struct otter_predictions *predictions, struct otter_replay *replay,
                uint32_t n_threads)
{
    struct otter_prediction item = {.n_threads = n_threads};
    replay_changed(predictions, replay, n_threads, &item.times);
    OTTER_VECTOR_APPEND(&predictions->items, item);
}

uint32_t otter_prediction_next(uint32_t n, uint32_t first, uint32_t last)
{
    uint32_t next = last - first < 16 || n < 8 ? n + 1 : 2 * n;
    return n < last && next > last ? last : next;
}

static void add_range(struct otter_predictions *predictions, struct otter_replay *replay,
                      uint32_t first, uint32_t last)
{
    for (uint32_t n = first; n <= last; n = otter_prediction_next(n, first, last)) {
        add(predictions, replay, n);
    }
}

// Widens the predictions so that they include those with `factors`, an end of the sampling error.
static void widen(struct otter_predictions *predictions, struct otter_replay *replay,
                  const struct otter_change_arrays *arrays, const double *factors)
{
    struct otter_replay_changes changes = otter_changes_of(arrays);
    changes.factors = factors;
    otter_replay_change(replay, &changes);
    for (uint32_t i = 0; i < predictions->items.n; i++) {
        struct otter_prediction *item = &predictions->items.items[i];
        struct otter_replay_times end, *times = &item->times;
        replay_changed(predictions, replay, item->n_threads, &end);
        for (unsigned k = 0; k < OTTER_N_REPLAY_POLICIES; k++) {
            uint64_t least = end.of[k].least, most = end.of[k].most;
            times->of[k].least = least < times->of[k].least ? least : times->of[k].least;
            times->of[k].most = most > times->of[k].most ? most : times->of[k].most;
        }
        otter_replay_join(times);
        times->lower = end.lower < times->lower ? end.lower : times->lower;
        times->upper = end.upper > times->upper ? end.upper : times->upper;
    }
}

// Uses one replay for both the unchanged and the changed run.
static void replay_all(const struct otter_report *report, const struct otter_change_arrays *arrays,
                       uint32_t first, uint32_t last, struct otter_predictions *predictions)
{
    struct otter_replay *replay = otter_replay_create(report->analysis, NULL);
    struct otter_replay_changes changes = otter_changes_of(arrays);
    predictions->observed.n_threads = report->analysis->timeline.n_lines;
    otter_replay_run(replay, predictions->observed.n_threads, &predictions->observed.times);
    predictions->is_quiet =
        predictions->has_changes && otter_replay_preempted(report->analysis) >= OTTER_PREEMPTED;
    if (predictions->is_quiet || first < last) { // the rows are comparable
        uint32_t n_threads = predictions->observed.n_threads;
        otter_replay_be_quiet(replay, predictions->is_quiet && first == last && first == n_threads);
    }
    if (predictions->is_quiet) {
        predictions->quiet.n_threads = predictions->observed.n_threads;
        otter_replay_run(replay, predictions->quiet.n_threads, &predictions->quiet.times);
    }
    if (predictions->has_changes) {
        otter_replay_change(replay, &changes);
    }
    predictions->undivided = otter_replay_undivided(replay);
    add_range(predictions, replay, first, last);
    if (arrays->at_least) {
        widen(predictions, replay, arrays, arrays->at_least);
        widen(predictions, replay, arrays, arrays->at_most);
    }
    otter_replay_destroy(replay);
}

static enum otter_status complain(const struct otter_report *report, const unsigned char *uses,
                                  const struct otter_what_if *change)
{
    struct otter_known_labels known = {0};
    otter_change_list_labels(&known, report, uses, change);
    otter_change_complain(&known, change);
    otter_known_labels_finish(&known);
    return OTTER_NOT_FOUND;
}

static enum otter_status apply_all(const struct otter_report *report,
                                   const struct otter_what_if *changes, size_t n,
                                   struct otter_change_arrays *arrays)
{
    unsigned char *uses = otter_region_uses_of(report);
    enum otter_status status = OTTER_OK;
    bool is_rank = report->archive && otter_archive_property(report->archive, "OTTER::RANK");
    uint32_t known = 0, rank = is_rank
                                   ? (uint32_t)otter_archive_number(report->archive, "OTTER::RANK")
                                   : OTTER_NONE;
    for (size_t i = 0; i < n; i++) {
        bool is_known = otter_change_labels(arrays, report, uses, &changes[i], rank);
        known |= (uint32_t)is_known << i;
    }
    otter_change_functions(arrays, report, changes, n, rank, &known);
    for (size_t i = 0; i < n && !status; i++) {
        status = known >> i & 1 ? OTTER_OK : complain(report, uses, &changes[i]);
    }
    free(uses);
    return status;
}

enum otter_status otter_predict(const struct otter_report *report,
                                const struct otter_what_if *changes, size_t n, uint32_t first,
                                uint32_t last, struct otter_predictions *predictions)
{
    struct otter_change_arrays arrays;
    *predictions = (struct otter_predictions){.has_changes = n > 0};
    otter_change_arrays_init(&arrays, report);
    first = first > 0 ? first : report->analysis->timeline.n_lines;
    last = last > 0 ? last : first;
    enum otter_status status = apply_all(report, changes, n, &arrays);
    predictions->has_functions = arrays.at_least;
    predictions->least_share = arrays.least_share;
    predictions->most_share = arrays.most_share;
    if (!status) {
        replay_all(report, &arrays, first, last, predictions);
    }
    otter_change_arrays_finish(&arrays);
    return status;
}

enum otter_status otter_predictions_check(const struct otter_predictions *predictions)
{
    bool is_good = otter_replay_is_in_bounds(&predictions->observed.times) &&
                   (!predictions->is_quiet || otter_replay_is_in_bounds(&predictions->quiet.times));
    for (uint32_t i = 0; i < predictions->items.n; i++) {
        is_good = is_good && otter_replay_is_in_bounds(&predictions->items.items[i].times);
    }
    return is_good ? OTTER_OK : OTTER_DEFECT;
}

void otter_predictions_finish(struct otter_predictions *predictions)
{
    free(predictions->items.items);
    *predictions = (struct otter_predictions){0};
}
