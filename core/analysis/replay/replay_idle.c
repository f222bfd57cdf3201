// Divides the time of idle threads among the nodes that are executed meanwhile.
#include "analysis/replay/replay_state.h"

static unsigned group_of(const struct otter_replay *replay, uint32_t node)
{
    return node < replay->analysis->graph->n_nodes && replay->is_first[node];
}

void otter_replay_begin_running(struct otter_replay_schedule *schedule, uint32_t index)
{
    struct otter_replay_context *context = &schedule->contexts[index];
    schedule->threads[context->thread].running = index;
    if (schedule->replay->idle) {
        unsigned group = group_of(schedule->replay, context->node);
        schedule->n_running[group]++;
        context->idle_before = schedule->idle[group];
    }
}

void otter_replay_stop_running(struct otter_replay_schedule *schedule, uint32_t index)
{
    const struct otter_replay_context *context = &schedule->contexts[index];
    const struct otter_replay *replay = schedule->replay;
    uint32_t node = context->node;
    schedule->threads[context->thread].running = OTTER_NONE;
    if (!replay->idle) {
        return;
    }
    unsigned group = group_of(replay, node);
    schedule->n_running[group]--;
    if (node < schedule->graph->n_nodes) {
        double work = (double)otter_slim_get(&replay->analysis->pieces.work, node);
        double share = work / (double)otter_slim_get(&replay->durations, node); // without latency
        replay->idle[node] +=
            (share < 1 ? share : 1) * (schedule->idle[group] - context->idle_before);
    }
}

void otter_replay_pass(struct otter_replay_schedule *schedule, uint64_t time)
{
    unsigned group = schedule->n_running[1] > 0;
    double n = schedule->n_running[group], all = n + schedule->n_running[!group];
    double idle = schedule->replay->n_threads - all - schedule->n_blocked;
    schedule->idle[group] += n > 0 && idle > 0 ? (double)(time - schedule->time) * idle / n : 0;
    schedule->time = time;
}
