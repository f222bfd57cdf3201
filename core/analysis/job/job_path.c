// Walks back from the last end of all ranks, from rank to rank.
#include "analysis/job/job.h"

struct walk {
    struct otter_job *job;
    uint32_t rank; // index
    // the call at whose start the path in this rank begins; OTTER_NONE: at the rank's end
    uint32_t from;
    uint64_t time; // the path is known from this time to the end
    bool is_short_of_memory;
};

static uint32_t node_of(const struct walk *walk, uint32_t call)
{
    return call != OTTER_NONE ? otter_job_calls(walk->job, walk->rank)->calls.items[call].node
                              : OTTER_NONE;
}

static void end_stay(struct walk *walk, uint64_t begin)
{
    struct otter_job *job = walk->job;
    if (begin >= walk->time) {
        return;
    }
    if (!OTTER_VECTOR_RESERVE(&job->stays)) {
        walk->is_short_of_memory = true;
        return;
    }
    struct otter_way_part way = {begin, walk->time, node_of(walk, walk->from)};
    job->stays.items[job->stays.n++] = (struct otter_job_stay){walk->rank, way};
    job->ranks.items[walk->rank].on_path += walk->time - begin;
    walk->time = begin;
}

// *Returns* the next call on the path back that waited for another rank before the walk's time, or
// OTTER_NONE.
static uint32_t find_wait(const struct walk *walk)
{
    const struct otter_rank_calls *calls = otter_job_calls(walk->job, walk->rank);
    uint32_t at = walk->from != OTTER_NONE ? calls->calls.items[walk->from].before : calls->last;
    for (uint32_t n = 0; at != OTTER_NONE && n < calls->calls.n; n++) {
        const struct otter_mpi_call *call = &calls->calls.items[at];
        if (call->cause != OTTER_CAUSE_NONE &&
            otter_job_calls(walk->job, call->cause_rank)->calls.items[call->cause_call].begin <
                walk->time) {
            return at;
        }
        at = call->before;
    }
    return OTTER_NONE;
}

// A rank without MPI calls comes after all others, since no path leaves it.
static bool is_later(const struct otter_rank_calls *calls, const struct otter_rank_calls *other)
{
    bool has_calls = calls->calls.n > 0, has_other = other->calls.n > 0;
    return has_calls != has_other ? has_calls : calls->end > other->end;
}

static uint32_t last_rank(const struct otter_job *job)
{
    uint32_t last = 0;
    for (uint32_t i = 1; i < job->ranks.n; i++) {
        last = is_later(otter_job_calls(job, i), otter_job_calls(job, last)) ? i : last;
    }
    return last;
}

// Each change of rank leads back in time, so the search ends.
enum otter_status otter_job_find_path(struct otter_job *job)
{
    struct walk walk = {.job = job, .from = OTTER_NONE, .time = job->end};
    if (job->ranks.n == 0) {
        return OTTER_OK;
    }
    walk.rank = last_rank(job);
    for (uint32_t to; (to = find_wait(&walk)) != OTTER_NONE && !walk.is_short_of_memory;) {
        const struct otter_mpi_call *call = &otter_job_calls(job, walk.rank)->calls.items[to];
        uint32_t rank = call->cause_rank, from = call->cause_call;
        end_stay(&walk, otter_job_calls(job, rank)->calls.items[from].begin);
        walk.rank = rank;
        walk.from = from;
    }
    end_stay(&walk, job->begin);
    return walk.is_short_of_memory ? OTTER_NO_MEMORY : OTTER_OK;
}
