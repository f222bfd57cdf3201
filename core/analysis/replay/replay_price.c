// Sets the costs of taking tasks in a replay, for a number of threads.
#include <stdlib.h>

#include "analysis/path/scaled.h"
#include "analysis/replay/replay_plan.h"

// With each additional thread, a task costs more, by at most this many times the cost of an event:
// the largest value in 14 programs of BOTS on LLVM 19. If the cost of an event is unknown, 0.8 us
// are used.
enum { EVENTS_OF_TAKING = 30, TAKINGS_PER_S = 1200000 };
// On two threads, a region with its barriers took at most the cost of this many events longer: the
// largest value of CG, MG, LULESH and miniFE. Runtimes fork and join along a tree.
enum { EVENTS_OF_FORKING = 200, FORKINGS_PER_S = 180000 };

// Returns the share of their time that threads spend taking tasks.
static double share_of_taking(const struct otter_replay *replay)
{
    const struct otter_account *account = &replay->analysis->account;
    double taking = (double)replay->latencies.taking;
    double all = taking + (double)(account->executing + account->creating);
    return all > 0 ? taking / all : 0;
}

static bool is_taken(const struct otter_replay *replay, uint32_t node)
{
    enum otter_latency_kind kind = replay->latencies.kinds[node];
    return kind == OTTER_LATENCY_BEGIN || kind == OTTER_LATENCY_CONTINUE;
}

// A run of one thread defers no task, so no task has a latency.
static bool begins_task(const struct otter_replay *replay, uint32_t node)
{
    const struct otter_graph *graph = replay->analysis->graph;
    const struct otter_graph_task *task = &graph->tasks[graph->nodes[node].task];
    return task->kind == OTTER_TASK_KIND_EXPLICIT && task->first_node == node &&
           otter_replay_cut_of(replay, node) != OTTER_CUT_AT_ONCE;
}

// Returns the cost of `n` events in ticks. If it is unknown, returns a second divided by `per_s`.
static uint64_t events(const struct otter_analysis *analysis, uint64_t n, uint64_t per_s)
{
    double event = analysis->recording.event;
    uint64_t ticks =
        event > 0 ? otter_scaled(n, event) : analysis->definitions->clock.resolution / per_s;
    return ticks < UINT32_MAX ? ticks : UINT32_MAX; // larger only in a damaged archive
}

uint64_t otter_replay_taking(const struct otter_analysis *analysis)
{
    return events(analysis, EVENTS_OF_TAKING, TAKINGS_PER_S);
}

static uint64_t forking(const struct otter_replay *replay, uint32_t n_threads)
{
    uint64_t levels = 0;
    for (; n_threads > 1; n_threads -= n_threads / 2) {
        levels++;
    }
    return levels * events(replay->analysis, EVENTS_OF_FORKING, FORKINGS_PER_S);
}

// Threads that take tasks at the same time hinder each other, so the part of a task's cost above
// the low quantile grows with the number of threads.
static uint64_t with_contention(const struct otter_replay *replay, uint32_t node,
                                uint32_t n_threads, double share)
{
    uint64_t ticks = replay->latencies.ticks[node], least = replay->analysis->costs.scheduling;
    bool is_contended = is_taken(replay, node) && ticks > least && ticks <= replay->latencies.most;
    double contention = is_contended ? (double)(ticks - least) : 0;
    double more = (n_threads - 1.0) / (replay->analysis->timeline.n_lines - 1.0) - 1;
    return (uint64_t)((double)ticks + contention * more * share);
}

// On one thread, the runtime executes each task immediately, which costs at most as much as another
// creation.
static uint64_t on_one_thread(const struct otter_replay *replay, uint32_t node, bool is_at_worst)
{
    uint64_t ticks = replay->latencies.ticks[node], most = replay->analysis->costs.creation;
    return !is_at_worst || !is_taken(replay, node) ? 0 : ticks < most ? ticks : most;
}

static uint64_t price_of(const struct otter_replay *replay, uint32_t node, uint32_t n_threads,
                         bool is_at_worst, double share)
{
    uint32_t n = replay->analysis->timeline.n_lines;
    uint64_t ticks = otter_replay_has_latency(replay, node) ? replay->latencies.ticks[node] : 0;
    if (n < 2 && is_at_worst && replay->latencies.kinds[node] == OTTER_LATENCY_FORK) {
        return ticks + forking(replay, n_threads);
    }
    if (n < 2) {
        bool is_dear = is_at_worst && n_threads > 1 && begins_task(replay, node);
        return ticks + (is_dear ? (n_threads - 1) * otter_replay_taking(replay->analysis) : 0);
    }
    if (n_threads == n || ticks == 0) {
        return ticks;
    }
    return n_threads > 1 ? with_contention(replay, node, n_threads, share)
                         : on_one_thread(replay, node, is_at_worst);
}

// Returns the ticks that it takes to acquire the node's free locks.
static uint64_t locks_of(const struct otter_replay *replay, uint32_t node)
{
    uint64_t ticks = 0;
    uint32_t first = otter_replay_actions_of(replay, node);
    if (first != OTTER_NONE) {
        const struct otter_action *action = &replay->actions.items[first];
        for (; action->kind != OTTER_ACTION_END; action++) {
            ticks += action->kind == OTTER_ACTION_HAND_OVER ? action->value : 0;
        }
    }
    return ticks;
}

void otter_replay_price(struct otter_replay *replay, uint32_t n_threads)
{
    const struct otter_ready *ready = &replay->analysis->ready;
    bool is_at_worst = replay->is_at_worst, was_at_worst = replay->is_priced_at_worst;
    if (n_threads == replay->priced_threads && is_at_worst == was_at_worst) {
        return;
    }
    double share = share_of_taking(replay);
    int locks = replay->locks.n == 0 ? 0
                                     : otter_replay_takes_locks(replay, n_threads) -
                                           otter_replay_takes_locks(replay, replay->priced_threads);
    for (uint32_t i = 0; i < ready->n_order; i++) {
        uint32_t node = ready->order[i];
        uint64_t before = price_of(replay, node, replay->priced_threads, was_at_worst, share);
        uint64_t duration = otter_slim_get(&replay->durations, node);
        before = before < duration ? before : duration;
        // wraps around if the price falls
        uint64_t more = price_of(replay, node, n_threads, is_at_worst, share) - before;
        uint32_t first = otter_replay_actions_of(replay, node);
        if (first != OTTER_NONE) {
            replay->actions.items[first].value += more;
        }
        more += locks != 0 ? (uint64_t)locks * locks_of(replay, node) : 0;
        otter_slim_set(&replay->durations, node, duration + more);
        replay->work += otter_node_is_piece(&replay->analysis->graph->nodes[node]) ? more : 0;
    }
    replay->priced_threads = n_threads;
    replay->is_priced_at_worst = is_at_worst;
}
