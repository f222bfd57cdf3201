// Executes the actions of a node: locks, loops and their chunks.
#include "analysis/replay/replay_state.h"

static void resume(struct otter_replay_schedule *schedule, uint32_t index)
{
    schedule->contexts[index].is_blocked = false;
    schedule->n_blocked--;
    schedule->contexts[index].can_resume = true;
    schedule->contexts[index].action++;
    otter_replay_touch(schedule, schedule->contexts[index].thread);
}

// Waiters acquire a lock in the order in which they arrived.
void otter_replay_release(struct otter_replay_schedule *schedule, struct otter_replay_lock *lock)
{
    uint32_t first = lock->first;
    lock->is_held = first != OTTER_NONE;
    if (first != OTTER_NONE) {
        lock->first = schedule->contexts[first].next_waiter;
        resume(schedule, first);
    }
}

// Returns false if the context has to wait.
static bool acquire(struct otter_replay_schedule *schedule, struct otter_replay_lock *lock,
                    uint32_t index)
{
    struct otter_replay_context *context = &schedule->contexts[index];
    if (!lock->is_held) {
        lock->is_held = true;
        context->action++;
        return true;
    }
    *(lock->first == OTTER_NONE ? &lock->first : &schedule->contexts[lock->last].next_waiter) =
        index;
    lock->last = index;
    context->next_waiter = OTTER_NONE;
    context->is_blocked = true;
    schedule->n_blocked++;
    otter_replay_stop_running(schedule, index);
    otter_replay_touch(schedule, context->thread);
    return false;
}

static void take_chunk(struct otter_replay_schedule *schedule, struct otter_replay_context *context)
{
    const struct otter_loop *loop = &schedule->replay->loops.items[context->loop];
    uint32_t *next = &schedule->next_chunk[context->loop];
    if (*next < loop->n_chunks) {
        context->action = schedule->replay->chunks[loop->first_chunk + (*next)++].action + 1;
    } else {
        context->action = context->back;
        context->loop = OTTER_NONE;
    }
}

// Returns the ticks of the member's new part, if the part has no actions of its own.
static uint64_t begin_loop(struct otter_replay_schedule *schedule,
                           struct otter_replay_context *context, const struct otter_action *action)
{
    const struct otter_replay *replay = schedule->replay;
    uint32_t index = (uint32_t)action->value;
    const struct otter_loop *loop = &replay->loops.items[index];
    context->action++;
    if (loop->mode == OTTER_LOOP_KEPT) {
        return 0;
    }
    context->back = action->jump;
    if (loop->mode == OTTER_LOOP_QUEUED) {
        context->loop = index;
        return 0;
    }
    uint32_t member = otter_replay_member_of(schedule, context->node);
    context->action = context->back;
    if (loop->parts == OTTER_NONE) {
        return otter_replay_part(replay, loop, member);
    }
    if (member < replay->teams[loop->team].n_threads) {
        context->loop = index;
        context->action = replay->parts.items[loop->parts + member];
    }
    return 0;
}

static void end_part(struct otter_replay_schedule *schedule, struct otter_replay_context *context)
{
    if (context->loop == OTTER_NONE) {
        context->action++;
    } else if (schedule->replay->loops.items[context->loop].mode == OTTER_LOOP_QUEUED) {
        take_chunk(schedule, context);
    } else {
        context->action = context->back;
        context->loop = OTTER_NONE;
    }
}

// Executes actions up to one that takes time or has to wait.
void otter_replay_advance(struct otter_replay_schedule *schedule, uint32_t index)
{
    struct otter_replay_context *context = &schedule->contexts[index];
    for (uint64_t ticks = 0; ticks == 0;) {
        const struct otter_action *action = &schedule->replay->actions.items[context->action];
        switch (action->kind) {
        case OTTER_ACTION_END: otter_replay_end_piece(schedule, index); return;
        case OTTER_ACTION_COMPUTE:
            ticks = action->value;
            context->action++;
            break;
        case OTTER_ACTION_HAND_OVER:
            ticks = schedule->takes_locks ? action->value : 0;
            context->action++;
            break;
        case OTTER_ACTION_ACQUIRE:
            if (!acquire(schedule, &schedule->locks[action->value], index)) {
                return;
            }
            break;
        case OTTER_ACTION_RELEASE:
            otter_replay_release(schedule, &schedule->locks[action->value]);
            context->action++;
            break;
        case OTTER_ACTION_LOOP: ticks = begin_loop(schedule, context, action); break;
        case OTTER_ACTION_CHUNK:
        case OTTER_ACTION_LOOP_END: end_part(schedule, context); break;
        }
        if (ticks > 0) {
            otter_replay_push(schedule, schedule->time + ticks, context->thread);
        }
    }
}

void otter_replay_start(struct otter_replay_schedule *schedule, uint32_t index, uint32_t task)
{
    struct otter_replay_context *context = &schedule->contexts[index];
    uint32_t node = schedule->pending[task];
    bool is_recorded = node < schedule->graph->n_nodes;
    schedule->pending[task] = OTTER_NONE;
    context->node = node;
    otter_replay_begin_running(schedule, index);
    context->loop = OTTER_NONE;
    context->action = is_recorded ? otter_replay_actions_of(schedule->replay, node)
                                  : schedule->replay->phases
                                        .items[schedule->phase_of[node - schedule->graph->n_nodes]]
                                        .actions;
    uint64_t duration =
        context->action == OTTER_NONE ? otter_slim_get(&schedule->replay->durations, node) : 0;
    if (context->action != OTTER_NONE) {
        otter_replay_advance(schedule, index);
    } else if (duration > 0) {
        otter_replay_push(schedule, schedule->time + duration, context->thread);
    } else {
        otter_replay_end_piece(schedule, index);
    }
}
