// Begins a thread's pause: copies and marks its frames and open constructs. Frames and constructs
// that begin later have no mark.
#include "record/control/pause.h"

#include <string.h>
#include <sys/mman.h>

#include "record/control/region_totals.h"
#include "record/thread/pending.h"
#include "record/thread/recent.h"

// A writer without room refuses all records and counts none as lost.
static struct otter_location_writer nowhere;

static bool make_no_room(struct otter_location_writer *location)
{
    return false;
}

static struct otter_location_writer nowhere = {
    .at = (uint8_t *)&nowhere + 1,
    .last = (uint8_t *)&nowhere,
    .time = OTTER_TIME_OF_NONE,
    .make_room = make_no_room,
};

uint64_t otter_pause_top_fork(const struct otter_thread *thread)
{
    uint64_t fork = thread->forked ? thread->forked : thread->joined;
    return otter_id_number(fork) ? fork : 0;
}

// *Returns* the memory of the thread's copy, with room for all that is open now; NULL if out of
// memory.
static struct otter_pause *make_room(struct otter_thread *thread)
{
    struct otter_pause *pause = thread->pause;
    size_t frames = thread->n_frames * sizeof(struct otter_written_frame);
    size_t size = sizeof(*pause) + frames + thread->n_open * sizeof(struct otter_open);
    if (!pause || pause->size < size) {
        size_t wanted = 2 * size;
        void *memory =
            mmap(NULL, wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) {
            return NULL;
        }
        if (pause) {
            munmap(pause, pause->size);
        }
        pause = memory;
        pause->size = wanted;
        thread->pause = pause;
    }
    pause->frames = (struct otter_written_frame *)(pause + 1);
    pause->open = (struct otter_open *)(pause->frames + thread->n_frames);
    return pause;
}

static void copy(struct otter_thread *thread, struct otter_pause *pause)
{
    pause->writer = thread->writer;
    pause->n_repaired = thread->n_repaired;
    pause->n_unbegun = thread->n_unbegun;
    pause->fork = otter_pause_top_fork(thread);
    pause->n_open = thread->n_open;
    pause->n_frames = thread->n_frames;
    pause->n_held = thread->n_held;
    pause->n_parallels = thread->n_parallels;
    memcpy(pause->held, thread->held, sizeof(pause->held));
    for (uint32_t i = 0; i < thread->n_frames; i++) {
        pause->frames[i] = (struct otter_written_frame){.frame = thread->frames[i]};
        thread->frames[i].is_written = true;
    }
    for (uint32_t i = 0; i < thread->n_open; i++) {
        pause->open[i] = thread->open[i];
        thread->open[i].is_written = true;
    }
}

bool otter_pause_is_late_member(const struct otter_frame *frame)
{
    return frame->kind == OTTER_FRAME_IMPLICIT && frame->thread_num &&
           otter_parallel_end_time(frame) != UINT64_MAX;
}

void otter_pause_hide_member(struct otter_thread *thread)
{
    otter_top_frame(thread)->kind = OTTER_FRAME_HIDDEN;
    atomic_store_explicit(&thread->is_hidden, true, memory_order_relaxed);
}

static void end_late_member(struct otter_thread *thread)
{
    if (!otter_pause_is_late_member(otter_top_frame(thread))) {
        return;
    }
    uint64_t time = otter_stamp_end(thread);
    const struct otter_frame *frame = otter_top_frame(thread);
    otter_write_pending_except(thread, time, OTTER_PENDING_ACQUIRE);
    otter_leave_down_to(thread, time, frame->first_open);
    otter_write_team_end(thread->writer, time, frame->team);
    otter_pause_hide_member(thread);
}

// Writes the failed tests of a thread that spins for a lock. The last test may still acquire the
// lock, so an acquire stays pending.
static void write_failed_tests(struct otter_thread *thread)
{
    bool is_spin =
        thread->pending & OTTER_PENDING_ACQUIRE && thread->acquire.last_time > thread->acquire.time;
    if (is_spin && thread->writer->n_events > 0) {
        otter_write_pending(thread, otter_stamp(thread));
        thread->pending |= OTTER_PENDING_ACQUIRE;
    }
}

void otter_pause_begin(struct otter_thread *thread)
{
    struct otter_pause *pause = make_room(thread);
    if (!pause) {
        otter_thread_fail(thread);
        return;
    }
    write_failed_tests(thread);
    end_late_member(thread);
    uint64_t time = otter_stamp(thread);
    if (thread->writer->n_events > 0) { // all records of a new thread belong to the pause
        otter_write_pending_except(thread, time, OTTER_PENDING_ACQUIRE);
    }
    otter_write_measurement(thread->writer, time, false);
    otter_region_totals_pause(thread, time);
    if (thread->pending & OTTER_PENDING_FLUSH) {
        otter_write_pending_except(thread, otter_stamp(thread), OTTER_PENDING_ACQUIRE);
    }
    copy(thread, pause);
    thread->writer = &nowhere;
    thread->is_paused = true;
}
