// The end of a recording thread: leaves its constructs, completes its file, frees its memory.
#include "record/thread_end.h"

#include "record/control/pause.h"
#include "record/control/region_totals.h"
#include "record/entry/call.h"
#include "record/entry/opening.h"
#include "record/process/schedstat.h"
#include "record/thread/recent.h"
#include "record/thread/stack.h"

void otter_thread_leave_all(struct otter_thread *thread, uint64_t now)
{
    if (thread->is_paused) {
        otter_pause_finish(thread, now);
    }
    uint64_t time = thread->last_time + 1;
    otter_write_pending(thread, time);
    for (;;) {
        const struct otter_frame *frame = otter_top_frame(thread);
        uint64_t end = otter_parallel_end_time(frame);
        bool has_ended = end != UINT64_MAX;
        uint64_t wanted = has_ended ? end : now;
        time = wanted > time ? wanted : time;
        uint32_t n = otter_leave_down_to(thread, time, frame->first_open);
        thread->n_unfinished += has_ended ? 0 : n;
        if (frame->kind == OTTER_FRAME_IMPLICIT) {
            otter_write_team_end(thread->writer, time, frame->team);
        }
        if (thread->n_frames == 1) {
            return;
        }
        thread->n_frames--;
    }
}

// Resets everything that the next thread to use this struct must not inherit.
static void recycle(struct otter_thread *thread)
{
    otter_region_totals_release(thread);
    thread->writer = NULL;
    thread->pending = 0;
    thread->last_time = thread->forked = thread->joined = thread->undeferred = 0;
    thread->n_unrecorded = thread->n_uncreated = 0;
    thread->is_paused = false;
    thread->unnumbered = NULL;
    thread->n_tasks = thread->n_parallels = thread->n_operations = thread->n_held = 0;
    thread->n_lost = thread->n_repaired = thread->n_unbegun = thread->n_unfinished = 0;
    thread->n_lost_in_handlers = 0;
    thread->has_failed = false;
    thread->team_slot = NULL;
    otter_thread_release(thread);
}

// Sets `busy`, so that the closing thread waits for this thread's end. *Returns* false if the
// session has closed first, or if the thread is writing a record (pthread_exit() in a signal
// handler).
static bool begin_to_end(struct otter_thread *thread)
{
    if (otter_is_recording(thread)) {
        return otter_record_begin();
    }
    if (atomic_load_explicit(&thread->busy, memory_order_relaxed)) {
        return false;
    }
    atomic_store_explicit(&thread->busy, 1, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    if (otter_is_in_use(atomic_load(&thread->stop))) {
        return true;
    }
    otter_record_end(thread);
    return false;
}

// Completes the thread's file and frees its memory, so that memory depends only on the number of
// living threads.
void otter_thread_end(void)
{
    struct otter_thread *thread = otter_current_thread;
    if (!otter_is_in_use(atomic_load(&thread->stop)) || !begin_to_end(thread)) {
        return;
    }
    if (!thread->has_failed && thread->writer) {
        otter_thread_leave_all(thread, otter_clock_now());
    }
    if (thread->writer) {
        otter_schedstat_describe(thread->location, thread->os_thread);
    }
    otter_region_totals_end(thread);
    if (otter_session_end_thread(thread)) {
        recycle(thread);
    } else {
        otter_record_end(thread);
    }
}
