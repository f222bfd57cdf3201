// Parallel regions and implicit tasks.
#include "record/entry/call.h"
#include "record/thread/leave.h"
#include "record/thread/recent.h"
#include "record/thread/region.h"
#include "record/thread/team.h"
#include "record/thread/unnumbered.h"

// The id of regions that are not recorded: regions of the runtime's own threads, and the region
// that a runtime puts around a teams construct.
static const uint64_t transparent_parallel = OTTER_ID_VALID;

// *Returns* whether the current task is a team's initial task without an open construct. The next
// region is then the runtime's own (quirk 'teams region').
static bool is_in_teams(const struct otter_thread *thread)
{
    const struct otter_frame *frame = &thread->frames[thread->n_frames - 1];
    return frame->kind == OTTER_FRAME_IMPLICIT && thread->n_open == frame->first_open + 1 &&
           thread->open[thread->n_open - 1].construct == OTTER_CONSTRUCT_TEAMS &&
           !otter_unnumbered_runs(thread);
}

otter_parallel otter_parallel_begin(enum otter_construct construct, unsigned requested,
                                    const void *code)
{
    struct otter_thread *thread = otter_record_begin();
    if (!thread) {
        return 0;
    }
    if (!code && is_in_teams(thread)) {
        thread->forked = transparent_parallel;
        otter_record_end(thread);
        return transparent_parallel;
    }
    uint32_t region = otter_region(thread, construct, 0, code);
    uint64_t time = otter_stamp(thread);
    otter_write_pending(thread, time);
    uint32_t number = otter_next_number(thread, &thread->n_parallels);
    uint64_t id = otter_id_make(thread->location, region, number);
    id |= thread->is_paused ? OTTER_ID_FORKED_IN_PAUSE : 0;
    otter_recent_add(id, otter_top_frame(thread)->team);
    thread->forked = id;
    thread->joined = 0;
    thread->forked_requested = requested;
    otter_write_fork(thread->writer, time, requested);
    otter_record_end(thread);
    return id;
}

// *Returns* whether the end of the region was already reported.
static bool has_ended(uint64_t parallel)
{
    return otter_parallel_end_time(&(struct otter_frame){.parallel = parallel}) != UINT64_MAX;
}

// *Returns* the region that ends on this thread, which is the region of the implicit task that has
// just ended here. LLVM's runtime reads the reported id from a freed team, so the id may be 0, or
// that of an enclosing region or of another thread's region (quirk 'freed team').
static uint64_t which_ends(uint64_t reported)
{
    const struct otter_thread *thread = otter_current_thread;
    return otter_id_number(thread->joined) > 0 ? thread->joined : reported;
}

void otter_parallel_end(otter_parallel parallel)
{
    parallel = which_ends(parallel);
    if (!otter_id_number(parallel)) {
        otter_thread_count_lost();
        if (!parallel && otter_is_recording(otter_current_thread)) {
            otter_unbegun();
        }
        return;
    }
    if (OTTER_UNLIKELY(has_ended(parallel))) {
        otter_unbegun();
        return;
    }
    uint64_t time;
    struct otter_thread *thread = otter_record_begin_at(&time);
    if (!thread) {
        return;
    }
    otter_write_join(thread->writer, time);
    thread->forked = thread->joined = 0;
    otter_recent_end(parallel, thread->is_paused ? otter_clock_now() : time);
    otter_record_end(thread);
}

static void begin_recorded(uint64_t parallel, unsigned team_size, unsigned thread_num)
{
    uint64_t time;
    struct otter_thread *thread = otter_record_begin_at(&time);
    if (!thread) {
        return;
    }
    struct otter_team_key key = {.parent = otter_recent_parent_team(parallel),
                                 .forker = otter_id_location(parallel),
                                 .size = team_size};
    uint32_t team = otter_team_join(thread, key, thread_num);
    uint32_t region = otter_id_region(parallel);
    otter_write_team_begin(thread->writer, time, team);
    if (OTTER_UNLIKELY(parallel & OTTER_ID_FORKED_IN_PAUSE)) {
        otter_write_parameter(thread->writer, time, OTTER_PARAMETER_PARALLEL,
                              otter_id_public(parallel));
    }
    otter_write_enter(thread->writer, time, region);
    struct otter_frame *frame = otter_frame_push(thread, OTTER_FRAME_IMPLICIT);
    if (frame) {
        thread->forked = 0;
        frame->parallel = parallel;
        frame->team = team;
        frame->thread_num = thread_num;
        frame->requested = thread->forked_requested;
        otter_open_push(thread,
                        (struct otter_open){.region = region,
                                            .construct = (uint16_t)otter_region_construct(region)});
    }
    otter_record_end(thread);
}

// A thread that has just forked a region becomes a member of that region, whichever region the
// runtime reports (quirk 'old region').
void otter_implicit_task_begin(otter_parallel parallel, unsigned team_size, unsigned thread_num)
{
    struct otter_thread *thread = otter_state_begin();
    if (!thread) {
        return;
    }
    if (thread->forked) {
        parallel = thread->forked;
    }
    bool is_recorded = otter_id_number(parallel) > 0;
    if (!is_recorded) {
        thread->forked = 0;
        otter_frame_push(thread, parallel ? OTTER_FRAME_TRANSPARENT : OTTER_FRAME_HIDDEN);
    }
    otter_record_end(thread);
    if (is_recorded) {
        begin_recorded(parallel, team_size, thread_num);
    }
}

// Delays the record until the thread's first other record, so that a thread without other records
// gets no location. If labels are open, the program began to use OpenMP late, and the labels end in
// this task.
static void begin_initial(struct otter_thread *thread)
{
    struct otter_frame *frame = otter_frame_push(thread, OTTER_FRAME_INITIAL);
    if (!frame) {
        return;
    }
    if (thread->n_open > 0) {
        frame->first_open = 0;
        return;
    }
    thread->initial_time = otter_stamp(thread);
    thread->pending |= OTTER_PENDING_INITIAL;
}

void otter_initial_task_begin(void)
{
    struct otter_thread *thread = otter_state_begin();
    if (!thread) {
        return;
    }
    uint64_t forked = thread->forked;
    if (!forked) {
        begin_initial(thread);
    }
    otter_record_end(thread);
    if (forked) {
        otter_implicit_task_begin(forked, 1, 0);
    }
}

// Keeps the region open on this thread until the region's end is reported.
static void note_joined(struct otter_thread *thread, const struct otter_frame *frame)
{
    if (otter_id_location(frame->parallel) == thread->location) {
        thread->joined = frame->parallel;
        thread->joined_requested = frame->requested;
    }
}

static void end_recorded(void)
{
    struct otter_thread *thread = otter_record_begin();
    if (!thread) {
        return;
    }
    uint64_t time = otter_stamp_end(thread);
    otter_write_pending(thread, time);
    const struct otter_frame *frame = otter_top_frame(thread);
    uint32_t n = otter_leave_down_to(thread, time, frame->first_open);
    thread->n_repaired += n > 0 ? n - 1 : 0;
    if (frame->kind == OTTER_FRAME_IMPLICIT) {
        otter_write_team_end(thread->writer, time, frame->team);
        note_joined(thread, frame);
    }
    otter_frame_pop(thread);
    otter_record_end(thread);
}

// Leaves explicit tasks above an implicit one that never ended; they are not completed.
OTTER_COLD static void leave_explicit(struct otter_thread *thread)
{
    uint64_t time = otter_stamp(thread);
    otter_write_pending(thread, time);
    while (otter_top_frame(thread)->kind == OTTER_FRAME_EXPLICIT) {
        otter_leave_task(thread, time);
        otter_write_pending(thread, time);
    }
}

// Ends the current task if its end is not recorded. *Returns* true if the end must be recorded.
static bool end_unrecorded(struct otter_thread *thread)
{
    otter_unnumbered_stop(thread);
    if (OTTER_UNLIKELY(otter_top_frame(thread)->kind == OTTER_FRAME_EXPLICIT)) {
        leave_explicit(thread);
    }
    switch (otter_top_frame(thread)->kind) {
    case OTTER_FRAME_OUTSIDE: thread->n_unbegun += thread->writer != NULL; return false;
    case OTTER_FRAME_INITIAL:
        if (!(thread->pending & OTTER_PENDING_INITIAL)) {
            return true;
        }
        thread->pending &= ~(uint32_t)OTTER_PENDING_INITIAL;
        otter_frame_pop(thread);
        return false;
    case OTTER_FRAME_IMPLICIT: return true;
    case OTTER_FRAME_TRANSPARENT:
    case OTTER_FRAME_HIDDEN:
    case OTTER_FRAME_EXPLICIT: otter_frame_pop(thread); return false;
    }
    return false;
}

void otter_implicit_task_end(void)
{
    struct otter_thread *thread = otter_state_begin();
    if (!thread) {
        return;
    }
    bool is_recorded = end_unrecorded(thread);
    otter_record_end(thread);
    if (is_recorded) {
        end_recorded();
    }
}
