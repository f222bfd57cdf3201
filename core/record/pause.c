// A pause of one thread. At its begin the open frames and constructs are copied and marked. Later
// ones have no mark. At the end, the marks that are left, from the bottom, show what was open all
// the time.
#include "record/pause.h"

#include <string.h>
#include <sys/mman.h>

#include "record/parallel.h"
#include "record/region_totals.h"

struct written_frame {
    struct otter_frame frame;
    enum otter_fate fate;
};

struct otter_pause {
    size_t size;                          // of this struct and the arrays behind it
    struct otter_location_writer *writer; // of the location
    uint64_t n_repaired, n_unbegun;
    uint64_t fork; // open above all frames: not begun yet, or ended already; 0: none
    uint32_t n_open, n_frames, n_held, n_parallels;
    struct otter_held held[OTTER_MAX_HELD];
    struct written_frame *frames;
    struct otter_open *open;
};

// The part of the written state that is still open.
struct common {
    uint32_t n_frames, n_open;
    bool has_fork; // the fork above these frames is open too
};

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

// ---- open regions

// *Returns* the region that this thread forked and then began as a member with `frame`; 0: none.
static uint64_t fork_of(const struct otter_thread *thread, const struct otter_frame *frame)
{
    bool is_forker = frame->kind == OTTER_FRAME_IMPLICIT && otter_id_number(frame->parallel) &&
                     otter_id_location(frame->parallel) == thread->location;
    return is_forker ? frame->parallel : 0;
}

// *Returns* the region that is open on this thread above all frames.
static uint64_t top_fork(const struct otter_thread *thread)
{
    uint64_t fork = thread->forked ? thread->forked : thread->joined;
    return otter_id_number(fork) ? fork : 0;
}

// *Returns* the region whose fork is above the first `n` frames: in the written state, in the
// present state.
static uint64_t written_fork(const struct otter_thread *thread, uint32_t n)
{
    const struct otter_pause *pause = thread->pause;
    return n < pause->n_frames ? fork_of(thread, &pause->frames[n].frame) : pause->fork;
}

static uint64_t open_fork(const struct otter_thread *thread, uint32_t n)
{
    return n < thread->n_frames ? fork_of(thread, &thread->frames[n]) : top_fork(thread);
}

static struct common find_common(const struct otter_thread *thread)
{
    struct common common = {0};
    while (common.n_frames < thread->n_frames && thread->frames[common.n_frames].is_written) {
        common.n_frames++;
    }
    while (common.n_open < thread->n_open && thread->open[common.n_open].is_written) {
        common.n_open++;
    }
    uint64_t fork = written_fork(thread, common.n_frames);
    common.has_fork = fork && fork == open_fork(thread, common.n_frames);
    return common;
}

// ---- the pause begins

// *Returns* the thread's copy with room for all that is open now; NULL without memory.
static struct otter_pause *make_room(struct otter_thread *thread)
{
    struct otter_pause *pause = thread->pause;
    size_t frames = thread->n_frames * sizeof(struct written_frame);
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
    pause->frames = (struct written_frame *)(pause + 1);
    pause->open = (struct otter_open *)(pause->frames + thread->n_frames);
    return pause;
}

static void copy(struct otter_thread *thread, struct otter_pause *pause)
{
    pause->writer = thread->writer;
    pause->n_repaired = thread->n_repaired;
    pause->n_unbegun = thread->n_unbegun;
    pause->fork = top_fork(thread);
    pause->n_open = thread->n_open;
    pause->n_frames = thread->n_frames;
    pause->n_held = thread->n_held;
    pause->n_parallels = thread->n_parallels;
    memcpy(pause->held, thread->held, sizeof(pause->held));
    for (uint32_t i = 0; i < thread->n_frames; i++) {
        pause->frames[i] = (struct written_frame){.frame = thread->frames[i]};
        thread->frames[i].is_written = true;
    }
    for (uint32_t i = 0; i < thread->n_open; i++) {
        pause->open[i] = thread->open[i];
        thread->open[i].is_written = true;
    }
}

// Writes the pending records, except for a mutex that is being acquired, whose outcome is not
// known.
static void write_pending(struct otter_thread *thread, uint64_t time)
{
    otter_write_pending_except(thread, time, OTTER_PENDING_ACQUIRE);
}

// *Returns* whether the region is over. A worker reports its end only at its next use.
static bool is_late_member(const struct otter_frame *frame)
{
    return frame->kind == OTTER_FRAME_IMPLICIT && frame->thread_num &&
           otter_parallel_end_time(frame) != UINT64_MAX;
}

// The member's end, and the end of its barrier, are not recorded when they are reported.
static void hide_member(struct otter_thread *thread)
{
    otter_top_frame(thread)->kind = OTTER_FRAME_HIDDEN;
    atomic_store_explicit(&thread->is_hidden, true, memory_order_relaxed);
}

static void end_late_member(struct otter_thread *thread)
{
    if (!is_late_member(otter_top_frame(thread))) {
        return;
    }
    uint64_t time = otter_stamp_end(thread);
    const struct otter_frame *frame = otter_top_frame(thread);
    write_pending(thread, time);
    otter_leave_down_to(thread, time, frame->first_open);
    otter_write_team_end(thread->writer, time, frame->team);
    hide_member(thread);
}

void otter_pause_begin(struct otter_thread *thread)
{
    struct otter_pause *pause = make_room(thread);
    if (!pause) {
        otter_thread_fail(thread);
        return;
    }
    end_late_member(thread);
    uint64_t time = otter_stamp(thread);
    if (thread->writer->n_events > 0) { // a new thread's records all begin in the pause
        write_pending(thread, time);
    }
    otter_write_measurement(thread->writer, time, false);
    otter_region_totals_pause(thread, time);
    if (thread->pending & OTTER_PENDING_FLUSH) {
        write_pending(thread, otter_stamp(thread));
    }
    copy(thread, pause);
    thread->writer = &nowhere;
    thread->is_paused = true;
}

void otter_pause_note(struct otter_thread *thread, enum otter_fate fate)
{
    uint32_t top = thread->n_frames - 1;
    if (thread->is_paused && thread->frames[top].is_written) {
        thread->pause->frames[top].fate = fate;
    }
}

// ---- the pause ends: ended constructs

static void end_task(struct otter_thread *thread, uint64_t time,
                     const struct written_frame *written, const struct otter_frame *below)
{
    uint64_t task = written->frame.task;
    if (written->fate == OTTER_FATE_COMPLETE) {
        otter_write_task_complete(thread->writer, time, otter_id_location(task),
                                  otter_id_number(task));
    } else if (written->fate == OTTER_FATE_DETACHED) {
        otter_write_parameter(thread->writer, time, OTTER_PARAMETER_TASK_DETACHED,
                              otter_id_public(task));
    }
    otter_write_task_switch(thread->writer, time,
                            below->task ? otter_id_location(below->task) : thread->location,
                            otter_id_number(below->task));
}

static void leave(struct otter_thread *thread, uint64_t time, uint32_t *n_open, uint32_t down_to)
{
    const struct otter_pause *pause = thread->pause;
    for (; *n_open > down_to; --*n_open) {
        const struct otter_open *open = &pause->open[*n_open - 1];
        if (open->transfer) {
            otter_write_transfer_end(thread, time, open);
        }
        otter_write_leave(thread->writer, time, open->region);
    }
}

static void end_frame(struct otter_thread *thread, uint64_t time, uint32_t i)
{
    const struct written_frame *written = &thread->pause->frames[i];
    switch (written->frame.kind) {
    case OTTER_FRAME_IMPLICIT:
        otter_write_team_end(thread->writer, time, written->frame.team);
        break;
    case OTTER_FRAME_EXPLICIT: end_task(thread, time, written, &written[-1].frame); break;
    case OTTER_FRAME_OUTSIDE:
    case OTTER_FRAME_INITIAL:
    case OTTER_FRAME_TRANSPARENT:
    case OTTER_FRAME_HIDDEN: break;
    }
}

static void join(struct otter_thread *thread, uint64_t time, uint32_t n_frames,
                 const struct common *common)
{
    bool is_open = n_frames == common->n_frames && common->has_fork;
    if (written_fork(thread, n_frames) && !is_open) {
        otter_write_join(thread->writer, time);
    }
}

// Ends constructs from the top down to what was open all the time.
static void end_what_ended(struct otter_thread *thread, uint64_t time, const struct common *common)
{
    const struct otter_pause *pause = thread->pause;
    uint32_t n_open = pause->n_open;
    for (uint32_t i = pause->n_frames; i > common->n_frames; i--) {
        join(thread, time, i, common);
        leave(thread, time, &n_open, pause->frames[i - 1].frame.first_open);
        end_frame(thread, time, i - 1);
    }
    join(thread, time, common->n_frames, common);
    leave(thread, time, &n_open, common->n_open);
}

static bool holds(const struct otter_held *held, uint32_t n, struct otter_held one)
{
    for (uint32_t i = 0; i < n; i++) {
        if (held[i].mutex == one.mutex && held[i].order == one.order) {
            return true;
        }
    }
    return false;
}

static void release_locks(struct otter_thread *thread, uint64_t time)
{
    const struct otter_pause *pause = thread->pause;
    for (uint32_t i = 0; i < pause->n_held; i++) {
        if (!holds(thread->held, thread->n_held, pause->held[i])) {
            otter_write_lock_release(thread->writer, time, pause->held[i].mutex,
                                     pause->held[i].order);
        }
    }
}

// ---- the pause ends: begun constructs

static void begin_frame(struct otter_thread *thread, uint64_t time, const struct otter_frame *frame)
{
    if (frame->kind == OTTER_FRAME_IMPLICIT) {
        otter_write_team_begin(thread->writer, time, frame->team);
        otter_write_parameter(thread->writer, time, OTTER_PARAMETER_PARALLEL,
                              otter_id_public(frame->parallel));
    } else if (frame->kind == OTTER_FRAME_EXPLICIT) {
        otter_write_task_switch(thread->writer, time, otter_id_location(frame->task),
                                otter_id_number(frame->task));
    }
}

// Writes the fork above the first `n` frames.
static void fork(struct otter_thread *thread, uint64_t time, uint32_t n,
                 const struct common *common)
{
    uint64_t parallel = open_fork(thread, n);
    bool is_written = n == common->n_frames && common->has_fork;
    if (parallel && !is_written) {
        uint32_t top = thread->forked ? thread->forked_requested : thread->joined_requested;
        otter_write_fork(thread->writer, time,
                         n < thread->n_frames ? thread->frames[n].requested : top);
        otter_write_parameter(thread->writer, time, OTTER_PARAMETER_PARALLEL,
                              otter_id_public(parallel));
    }
}

// Begins constructs from what was open all the time up to the top.
static void begin_what_began(struct otter_thread *thread, uint64_t time,
                             const struct common *common)
{
    uint32_t n_open = common->n_open;
    for (uint32_t i = common->n_frames; i <= thread->n_frames; i++) {
        uint32_t n = i < thread->n_frames ? thread->frames[i].first_open : thread->n_open;
        for (; n_open < n; n_open++) {
            otter_write_enter(thread->writer, time, thread->open[n_open].region);
        }
        fork(thread, time, i, common);
        if (i < thread->n_frames) {
            begin_frame(thread, time, &thread->frames[i]);
        }
    }
}

static void acquire_locks(struct otter_thread *thread, uint64_t time)
{
    const struct otter_pause *pause = thread->pause;
    for (uint32_t i = 0; i < thread->n_held; i++) {
        if (!holds(pause->held, pause->n_held, thread->held[i])) {
            otter_write_lock_acquire(thread->writer, time, thread->held[i].mutex,
                                     thread->held[i].order);
        }
    }
}

// *Returns* whether the last of the first `n` frames is in a barrier whose Enter was just written.
static bool is_in_new_barrier(const struct otter_thread *thread, uint32_t n)
{
    uint32_t end = n < thread->n_frames ? thread->frames[n].first_open : thread->n_open;
    for (uint32_t i = thread->frames[n - 1].first_open; i < end; i++) {
        const struct otter_open *open = &thread->open[i];
        if (otter_is_barrier(open->construct) && !open->is_written) {
            return true;
        }
    }
    return false;
}

// All members of a team encounter the same barriers, so their count identifies each barrier.
static void write_barriers(struct otter_thread *thread, uint64_t time, const struct common *common)
{
    uint64_t depth = 0;
    for (uint32_t i = 0; i < thread->n_frames; i++) {
        const struct otter_frame *frame = &thread->frames[i];
        if (frame->kind != OTTER_FRAME_IMPLICIT) {
            continue;
        }
        uint32_t before = i < common->n_frames ? thread->pause->frames[i].frame.n_barriers : 0;
        uint32_t n = frame->n_barriers - before - is_in_new_barrier(thread, i + 1);
        if (n > 0) {
            otter_write_parameter(thread->writer, time, OTTER_PARAMETER_BARRIERS_PASSED,
                                  depth << 32 | n);
        }
        depth++;
    }
}

// ---- the pause ends

// Restores the writer. Open constructs have no marks, so the next pause sets its own.
static void resume_writing(struct otter_thread *thread)
{
    thread->writer = thread->pause->writer;
    thread->n_repaired = thread->pause->n_repaired;
    thread->n_unbegun = thread->pause->n_unbegun;
}

static void unmark(struct otter_thread *thread)
{
    for (uint32_t i = 0; i < thread->n_frames; i++) {
        thread->frames[i].is_written = false;
    }
    for (uint32_t i = 0; i < thread->n_open; i++) {
        thread->open[i].is_written = false;
    }
}

// A region that the thread was in only during the pause leaves no record.
static void forget_late_member(struct otter_thread *thread)
{
    if (is_late_member(otter_top_frame(thread)) && !otter_top_frame(thread)->is_written) {
        thread->n_open = otter_top_frame(thread)->first_open;
        hide_member(thread);
    }
}

void otter_pause_end(struct otter_thread *thread)
{
    forget_late_member(thread);
    thread->pending &= ~(uint32_t)OTTER_PENDING_RESUME; // the current task is written below
    write_pending(thread, thread->last_time);
    resume_writing(thread);
    thread->is_paused = false;
    uint64_t time = otter_stamp(thread);
    thread->acquire.time = time; // of an acquire that is pending
    struct common common = find_common(thread);
    otter_write_measurement(thread->writer, time, true);
    otter_region_totals_resume(thread, time);
    if (thread->n_parallels >
        thread->pause->n_parallels) { // the number of the next region continues from this one
        otter_write_parameter(thread->writer, time, OTTER_PARAMETER_PARALLEL,
                              (uint64_t)thread->location << 32 | thread->n_parallels);
    }
    release_locks(thread, time);
    end_what_ended(thread, time, &common);
    begin_what_began(thread, time, &common);
    acquire_locks(thread, time);
    write_barriers(thread, time, &common);
    unmark(thread);
}

void otter_pause_finish(struct otter_thread *thread, uint64_t now)
{
    const struct otter_pause *pause = thread->pause;
    struct common common = find_common(thread);
    resume_writing(thread);
    thread->pending = 0;
    thread->last_time = now > thread->last_time ? now : thread->last_time + 1;
    otter_region_totals_resume(thread, thread->last_time);
    if (pause->n_open > 0 || pause->fork) {
        otter_write_measurement(thread->writer, thread->last_time, true);
        release_locks(thread, thread->last_time);
        end_what_ended(thread, thread->last_time, &common);
    }
    thread->n_frames = common.n_frames;
    thread->n_open = common.n_open;
}
