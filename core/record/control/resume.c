// Ends a thread's pause. The bottom frames and constructs, up to the first without a mark, were
// open throughout.
#include "record/control/pause.h"
#include "record/control/region_totals.h"
#include "record/thread/pending.h"
#include "record/thread/unnumbered.h"
#include "trace/schema.h"

// How many frames and constructs, counted from the bottom, were open throughout the pause.
struct common {
    uint32_t n_frames, n_open;
    bool has_fork; // the fork above these frames is open too
};

// *Returns* the region that this thread forked and then began as a member with `frame`; 0: none.
static uint64_t fork_of(const struct otter_thread *thread, const struct otter_frame *frame)
{
    bool is_forker = frame->kind == OTTER_FRAME_IMPLICIT && otter_id_number(frame->parallel) &&
                     otter_id_location(frame->parallel) == thread->location;
    return is_forker ? frame->parallel : 0;
}

// *Returns* the region that the thread had forked above its first `n` frames when the pause began
// (written_fork), or has forked there now (open_fork); 0: none.
static uint64_t written_fork(const struct otter_thread *thread, uint32_t n)
{
    const struct otter_pause *pause = thread->pause;
    return n < pause->n_frames ? fork_of(thread, &pause->frames[n].frame) : pause->fork;
}

static uint64_t open_fork(const struct otter_thread *thread, uint32_t n)
{
    return n < thread->n_frames ? fork_of(thread, &thread->frames[n])
                                : otter_pause_top_fork(thread);
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

// ---- the pause ends: record what ended

static void end_task(struct otter_thread *thread, uint64_t time,
                     const struct otter_written_frame *written, const struct otter_frame *below)
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
    const struct otter_written_frame *written = &thread->pause->frames[i];
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

// Ends constructs from the top down to those that were open throughout.
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

// ---- the pause ends: record what began

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

// Begins the constructs above those that were open throughout, up to the top.
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
        if (otter_construct_is_barrier(open->construct) && !open->is_written) {
            return true;
        }
    }
    return false;
}

// All members of a team encounter the same barriers, so a barrier is identified by how many precede
// it.
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

// A region that the thread was in only during the pause is not recorded.
static void forget_late_member(struct otter_thread *thread)
{
    if (otter_pause_is_late_member(otter_top_frame(thread)) &&
        !otter_top_frame(thread)->is_written) {
        thread->n_open = otter_top_frame(thread)->first_open;
        otter_pause_hide_member(thread);
    }
}

void otter_pause_end(struct otter_thread *thread)
{
    forget_late_member(thread);
    // otter_pause_end writes the current task itself
    thread->pending &= ~(uint32_t)OTTER_PENDING_RESUME;
    otter_write_pending_except(thread, thread->last_time, OTTER_PENDING_ACQUIRE);
    resume_writing(thread);
    thread->is_paused = false;
    uint64_t time = otter_stamp(thread);
    thread->acquire.time = thread->acquire.last_time = time; // a pending acquire starts here
    struct common common = find_common(thread);
    otter_write_measurement(thread->writer, time, true);
    otter_region_totals_resume(thread, time);
    if (thread->n_parallels >
        thread->pause->n_parallels) { // the number of the next region follows this one
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
