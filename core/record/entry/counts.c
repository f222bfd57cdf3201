// Adds up the counts of a session.
#include "record/entry/counts.h"

#include "record/control/limits.h"

void otter_counts_add(struct otter_counts *to, const struct otter_thread *thread)
{
    to->n_tasks += otter_thread_n_created(thread);
    to->n_unrecorded += thread->n_unrecorded;
    // A failure counts as a loss even if no event follows.
    bool has_failed = atomic_load(&thread->has_failed) && !otter_limits_is_full();
    to->n_lost += thread->n_lost == 0 && has_failed ? 1 : thread->n_lost;
    to->n_lost += thread->n_lost_in_handlers;
    to->n_lost_in_handlers += thread->n_lost_in_handlers;
    to->n_repaired += thread->n_repaired;
    to->n_unbegun += thread->n_unbegun;
    to->n_unfinished += thread->n_unfinished;
}

// A construct remains in the array of open constructs until another one replaces it.
void otter_counts_add_thread(struct otter_counts *to, const struct otter_thread *thread)
{
    to->n_threads += thread->writer && thread->open[0].construct != OTTER_CONSTRUCT_UNKNOWN;
}

void otter_counts_add_all(struct otter_counts *to, const struct otter_counts *from)
{
    to->n_tasks += from->n_tasks;
    to->n_lost += from->n_lost;
    to->n_repaired += from->n_repaired;
    to->n_unbegun += from->n_unbegun;
    to->n_unrecorded += from->n_unrecorded;
    to->n_unfinished += from->n_unfinished;
    to->n_lost_in_handlers += from->n_lost_in_handlers;
    to->n_threads += from->n_threads;
}
