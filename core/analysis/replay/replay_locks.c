// Lists and numbers the locks of a replay.
#include <stdlib.h>

#include "analysis/replay/replay_plan.h"
#include "base/order.h"

static int compare(const void *a, const void *b)
{
    return OTTER_COMPARE(*(const uint32_t *)a, *(const uint32_t *)b);
}

void otter_replay_sort(uint32_t *numbers, uint32_t n)
{
    if (n > 1) {
        qsort(numbers, n, sizeof *numbers, compare);
    }
}

static void sort_ids(struct otter_replay_ids *ids)
{
    uint32_t n = 0;
    otter_replay_sort(ids->items, ids->n);
    for (uint32_t i = 0; i < ids->n; i++) {
        if (n == 0 || ids->items[n - 1] != ids->items[i]) {
            ids->items[n++] = ids->items[i];
        }
    }
    ids->n = n;
}

uint32_t otter_replay_index_of(const struct otter_replay_ids *ids, uint32_t lock)
{
    const uint32_t *found =
        ids->n ? bsearch(&lock, ids->items, ids->n, sizeof *ids->items, compare) : NULL;
    return found ? (uint32_t)(found - ids->items) : OTTER_NONE;
}

// Lists the locks of all acquisitions, or of those with a dropped label.
static bool list_locks(const struct otter_replay *replay, struct otter_replay_ids *ids,
                       bool is_of_dropped)
{
    const struct otter_marks *marks = &replay->analysis->marks;
    for (size_t i = 0; i < marks->definitions->n_locations; i++) {
        for (uint32_t k = 0; k < marks->locations[i].n; k++) {
            const struct otter_mark *mark = &marks->locations[i].items[k];
            bool is_listed = mark->kind == OTTER_MARK_ACQUIRE &&
                             (!is_of_dropped || otter_replay_drops(replay, mark->region));
            if (is_listed && (ids->n == 0 || ids->items[ids->n - 1] != mark->value) &&
                !OTTER_VECTOR_ADD(ids, mark->value)) {
                return false;
            }
        }
    }
    sort_ids(ids);
    return true;
}

bool otter_replay_list_locks(struct otter_replay *replay)
{
    return list_locks(replay, &replay->locks, false);
}

// If any of a lock's acquisitions has a dropped label, the lock is always free.
bool otter_replay_list_dropped(const struct otter_replay *replay, struct otter_replay_ids *dropped)
{
    return !replay->has_drops || list_locks(replay, dropped, true);
}

// A lock without recorded acquisitions is released without effect. Its acquisitions may be in a
// pause, or on a location whose events are lost.
void otter_replay_number_locks(struct otter_replay *replay)
{
    for (uint32_t i = 0; i < replay->actions.n; i++) {
        struct otter_action *action = &replay->actions.items[i];
        if (action->kind != OTTER_ACTION_ACQUIRE && action->kind != OTTER_ACTION_RELEASE) {
            continue;
        }
        uint32_t lock = otter_replay_index_of(&replay->locks, (uint32_t)action->value);
        *action = lock == OTTER_NONE ? (struct otter_action){.kind = OTTER_ACTION_COMPUTE}
                                     : (struct otter_action){.value = lock, .kind = action->kind};
    }
}
