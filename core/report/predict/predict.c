// Replays a run with changes, and on other numbers of threads.
#include "report/predict/predict.h"

#include <stdlib.h>

#include "report/predict/predict_labels.h"

static enum otter_status add(struct otter_predictions *predictions, struct otter_replay *replay,
                             uint32_t n_threads)
{
    if (!OTTER_VECTOR_RESERVE(&predictions->items)) {
        return OTTER_NO_MEMORY;
    }
    struct otter_prediction *item = &predictions->items.items[predictions->items.n++];
    item->n_threads = n_threads;
    return otter_replay_run(replay, n_threads, &item->times);
}

uint32_t otter_prediction_next(uint32_t n, uint32_t first, uint32_t last)
{
    uint32_t next = last - first < 16 || n < 8 ? n + 1 : 2 * n;
    return n < last && next > last ? last : next;
}

static enum otter_status add_range(struct otter_predictions *predictions,
                                   struct otter_replay *replay, uint32_t first, uint32_t last)
{
    enum otter_status status = OTTER_OK;
    for (uint32_t n = first; n <= last && !status; n = otter_prediction_next(n, first, last)) {
        status = add(predictions, replay, n);
    }
    return status;
}

// One replay serves both the unchanged and the changed run. `changes`: NULL: none.
static enum otter_status replay_both(const struct otter_report *report,
                                     const struct otter_replay_changes *changes, uint32_t first,
                                     uint32_t last, struct otter_predictions *predictions)
{
    struct otter_replay *replay = otter_replay_create(report->analysis, NULL);
    if (!replay) {
        return OTTER_NO_MEMORY;
    }
    predictions->observed.n_threads = report->analysis->account.n_threads;
    enum otter_status status =
        otter_replay_run(replay, predictions->observed.n_threads, &predictions->observed.times);
    status = !status && changes ? otter_replay_change(replay, changes) : status;
    predictions->undivided = status ? 0 : otter_replay_undivided(replay);
    OTTER_THEN(status, add_range(predictions, replay, first, last));
    otter_replay_destroy(replay);
    return status;
}

static enum otter_status apply_all(const struct otter_report *report,
                                   const struct otter_what_if *changes, size_t n,
                                   struct otter_change_arrays *arrays)
{
    unsigned char *uses = otter_region_uses_of(report);
    enum otter_status status = uses ? OTTER_OK : OTTER_NO_MEMORY;
    bool is_rank = report->archive && otter_archive_property(report->archive, "OTTER::RANK");
    uint32_t rank =
        is_rank ? (uint32_t)otter_archive_number(report->archive, "OTTER::RANK") : OTTER_NONE;
    for (size_t i = 0; i < n && !status; i++) {
        if (!otter_change_labels(arrays, report, uses, &changes[i], rank)) {
            otter_change_complain(report, uses, &changes[i]);
            status = OTTER_NOT_FOUND;
        }
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
    enum otter_status status = otter_change_arrays_init(&arrays, report);
    if (status) {
        return status;
    }
    first = first > 0 ? first : report->analysis->account.n_threads;
    last = last > 0 ? last : first;
    status = apply_all(report, changes, n, &arrays);
    struct otter_replay_changes all = otter_changes_of(&arrays);
    OTTER_THEN(status, replay_both(report, n > 0 ? &all : NULL, first, last, predictions));
    otter_change_arrays_finish(&arrays);
    if (status) {
        otter_predictions_finish(predictions);
    }
    return status;
}

enum otter_status otter_predictions_check(const struct otter_predictions *predictions)
{
    bool is_good = otter_replay_is_in_bounds(&predictions->observed.times);
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
