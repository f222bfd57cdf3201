// Sums up the time of a thread in each state.
#include "check/states.h"

#include "trace/schema.h"

void otter_states_begin(struct otter_states *states, uint64_t time)
{
    *states = (struct otter_states){.since = time};
}

void otter_states_pass(struct otter_states *states, uint64_t time, bool has_open,
                       enum otter_construct innermost, bool is_forking)
{
    struct otter_check_times *times = &states->times;
    if (time < states->since) {
        return; // otter_check_time() reports the wrong clock
    }
    uint64_t passed = time - states->since;
    states->since = time;
    if (is_forking) {
        times->forking += passed;
    } else if (!has_open) {
        times->outside += passed;
    } else if (otter_construct_waits(innermost) || otter_construct_is_mpi(innermost)) {
        times->waiting[innermost] += passed;
    } else if (otter_construct_locks(innermost)) {
        times->locks += passed;
    } else {
        times->running += passed;
    }
}

void otter_states_pause(struct otter_states *states, uint64_t time)
{
    if (time >= states->since) {
        states->times.paused += time - states->since;
        states->since = time;
    }
}

void otter_states_was_forking(struct otter_states *states, uint64_t running)
{
    states->times.forking += states->times.running - running;
    states->times.running = running;
}

static uint64_t sum_of(const struct otter_check_times *times)
{
    uint64_t sum = times->running + times->locks + times->outside + times->forking + times->paused;
    for (unsigned i = 0; i < OTTER_N_CONSTRUCTS; i++) {
        sum += times->waiting[i];
    }
    return sum;
}

uint64_t otter_states_sum(const struct otter_states *states)
{
    return sum_of(&states->times);
}

uint64_t otter_states_of_fragments(const struct otter_states *states)
{
    return states->times.running + states->times.locks;
}

void otter_states_add(struct otter_check_times *sum, const struct otter_states *states,
                      uint64_t wall)
{
    const struct otter_check_times *times = &states->times;
    sum->wall += wall;
    sum->running += times->running;
    sum->locks += times->locks;
    sum->outside += times->outside;
    sum->forking += times->forking;
    sum->paused += times->paused;
    for (unsigned i = 0; i < OTTER_N_CONSTRUCTS; i++) {
        sum->waiting[i] += times->waiting[i];
    }
}
