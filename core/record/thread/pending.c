// Writes the records that wait for the thread's next call.
#include "record/thread/pending.h"

#include "record/thread/region.h"
#include "record/thread/stack.h"
#include "record/thread/start.h"

static void write_initial(struct otter_thread *thread)
{
    uint32_t region = otter_region(thread, OTTER_CONSTRUCT_INITIAL_TASK, 0, NULL);
    otter_write_enter(thread->writer, thread->initial_time, region);
    otter_open_push(
        thread, (struct otter_open){.region = region, .construct = OTTER_CONSTRUCT_INITIAL_TASK});
}

// Called for an acquire without "acquired": the lock was not available (omp_test_lock), or this
// thread already holds it (nested locks).
static void write_acquire(struct otter_thread *thread)
{
    otter_write_enter(thread->writer, thread->acquire.time, thread->acquire.region);
    otter_write_leave(thread->writer, thread->acquire.last_time, thread->acquire.region);
}

void otter_thread_note_flush(struct otter_thread *thread, uint64_t begin, uint64_t end)
{
    thread->flush_begin = begin > thread->last_time ? begin : thread->last_time + 1;
    thread->flush_end = end > thread->flush_begin ? end : thread->flush_begin;
    thread->pending |= OTTER_PENDING_FLUSH;
}

static void write_flush(struct otter_thread *thread, uint64_t time)
{
    otter_write_flush(thread->writer, thread->flush_begin < time ? thread->flush_begin : time,
                      thread->flush_end);
}

void otter_write_resumed(struct otter_thread *thread, uint64_t time)
{
    uint64_t task = otter_top_frame(thread)->task;
    otter_write_task_switch(thread->writer, time, task ? otter_id_location(task) : thread->location,
                            otter_id_number(task));
}

void otter_write_all_pending(struct otter_thread *thread, uint64_t time)
{
    uint32_t pending = thread->pending;
    thread->pending = 0;
    if (pending & OTTER_PENDING_UNNUMBERED) {
        otter_number_current_task(thread, time);
    }
    if (pending & OTTER_PENDING_INITIAL) {
        write_initial(thread);
    }
    if (pending & OTTER_PENDING_ACQUIRE) {
        write_acquire(thread);
    }
    if (pending & OTTER_PENDING_FLUSH) {
        write_flush(thread, time);
    }
    if (pending & OTTER_PENDING_RESUME) {
        otter_write_resumed(thread, time);
    }
}

void otter_write_pending_except(struct otter_thread *thread, uint64_t time,
                                enum otter_pending except)
{
    uint32_t left = thread->pending & except;
    thread->pending &= ~(uint32_t)except;
    otter_write_pending(thread, time);
    thread->pending |= left;
}
