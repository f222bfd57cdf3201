// Constructs that begin and end on one thread, and their parameters.
#include <inttypes.h>

#include "otter/record.h"
#include "record/entry/call.h"
#include "record/entry/quick.h"
#include "record/process/output.h"
#include "record/thread/label.h"
#include "record/thread/leave.h"
#include "record/thread/recent.h"
#include "record/thread/region.h"
#include "record/thread/unnumbered.h"
#include "trace/schema.h"

static bool is_work(uint16_t construct)
{
    return construct >= OTTER_CONSTRUCT_LOOP && construct <= OTTER_CONSTRUCT_TASKLOOP;
}

// *Returns* whether the construct distributes work: such constructs cannot be closely nested in
// each other, and cannot contain a barrier.
static bool is_worksharing(uint16_t construct)
{
    return construct >= OTTER_CONSTRUCT_LOOP && construct <= OTTER_CONSTRUCT_WORKSHARE;
}

static bool is_wait(enum otter_construct construct)
{
    return construct >= OTTER_CONSTRUCT_BARRIER && construct <= OTTER_CONSTRUCT_SYNC_UNKNOWN;
}

// LLVM's runtime never reports the end of a `single` or a loop of GCC's code, nor of a cancelled
// dynamic loop. So they are ended by the next construct that cannot be nested in them (quirks
// 'endless single', 'endless loop').
OTTER_COLD static void close_work(struct otter_thread *thread, uint64_t time)
{
    const struct otter_frame *frame = otter_top_frame(thread);
    while (thread->n_open > frame->first_open &&
           is_work(thread->open[thread->n_open - 1].construct)) {
        thread->n_repaired += otter_leave_down_to(thread, time, thread->n_open - 1);
    }
}

// *Returns* how many constructs may be open around a barrier. At the barrier that ends a region, a
// member has only the region open.
static uint32_t n_around(const struct otter_thread *thread, enum otter_construct barrier)
{
    const struct otter_frame *frame = &thread->frames[thread->n_frames - 1];
    bool is_last =
        frame->kind == OTTER_FRAME_IMPLICIT &&
        (barrier == OTTER_CONSTRUCT_BARRIER_PARALLEL || barrier == OTTER_CONSTRUCT_BARRIER_TEAMS);
    return is_last ? frame->first_open + 1 : UINT32_MAX;
}

// Only implicit tasks encounter barriers, and a barrier is never inside another barrier or a work
// share. *Returns* false if the encountering task is not recorded.
OTTER_COLD static bool close_for_barrier(struct otter_thread *thread, uint64_t time,
                                         enum otter_construct construct)
{
    while (otter_top_frame(thread)->kind == OTTER_FRAME_EXPLICIT) {
        otter_leave_task(thread, time);
        otter_write_pending(thread, time);
    }
    if (otter_top_frame(thread)->kind == OTTER_FRAME_HIDDEN) {
        return false;
    }
    thread->n_repaired += otter_leave_down_to(thread, time, n_around(thread, construct));
    close_work(thread, time);
    if (thread->n_open > otter_top_frame(thread)->first_open &&
        otter_construct_is_barrier(thread->open[thread->n_open - 1].construct)) {
        thread->n_repaired += otter_leave_down_to(thread, time, thread->n_open - 1);
    }
    return true;
}

// *Returns* whether a construct is open inside the current region.
static bool is_within(const struct otter_thread *thread)
{
    const struct otter_frame *frame = &thread->frames[thread->n_frames - 1];
    return thread->n_open > frame->first_open + 1 || frame->kind == OTTER_FRAME_EXPLICIT;
}

OTTER_APART static void enter(enum otter_construct construct, uint32_t detail, const void *code,
                              struct otter_thread *thread)
{
    thread = otter_record_begin_on(thread, false);
    if (!thread) {
        return;
    }
    uint64_t time = otter_stamp(thread);
    otter_write_pending(thread, time);
    uint16_t top =
        thread->n_open > 0 ? thread->open[thread->n_open - 1].construct : OTTER_CONSTRUCT_UNKNOWN;
    bool is_barrier = otter_construct_is_barrier(construct);
    if (is_worksharing((uint16_t)construct) && is_worksharing(top)) {
        close_work(thread, time);
    } else if (is_barrier && is_within(thread) && !close_for_barrier(thread, time, construct)) {
        otter_record_end(thread);
        return;
    }
    otter_top_frame(thread)->n_barriers += is_barrier;
    uint32_t region = otter_region(thread, construct, detail, code);
    otter_write_enter(thread->writer, time, region);
    otter_open_push(thread, (struct otter_open){.region = region,
                                                .construct = (uint16_t)construct,
                                                .is_wait = is_wait(construct)});
    otter_record_end(thread);
}

OTTER_APART static void enter_rarely(enum otter_construct construct, uint32_t detail,
                                     const void *code, struct otter_thread *thread)
{
    bool is_unnumbered_wait =
        construct == OTTER_CONSTRUCT_TASKWAIT && otter_unnumbered_runs(thread);
    if (is_unnumbered_wait && otter_unnumbered_begin_wait(thread, code)) {
        return;
    }
    if (!otter_is_hidden_on(thread)) {
        enter(construct, detail, code, thread);
    }
}

// Enters a construct that ends no other construct. *Returns* false if the call must take the slow
// path.
static inline bool enter_quickly(struct otter_thread *thread, enum otter_construct construct,
                                 uint32_t detail, const void *code)
{
    uint32_t region;
    if (!otter_region_is_cached(thread, construct, detail, code, &region) ||
        thread->n_open == thread->open_room) {
        return false;
    }
    uint64_t time;
    uint8_t *at = otter_quick_stamp(thread, &time);
    if (!at) {
        return false;
    }
    otter_records_end(thread->writer, time, otter_put_region(at, RECORD_ENTER, region), 1);
    thread->open[thread->n_open++] = (struct otter_open){
        .region = region, .construct = (uint16_t)construct, .is_wait = is_wait(construct)};
    return true;
}

void otter_enter(enum otter_construct construct, uint32_t detail, const void *code)
{
    struct otter_thread *thread = otter_current_thread;
    bool ends_others = otter_construct_is_barrier(construct) || is_worksharing((uint16_t)construct);
    if (OTTER_LIKELY(!ends_others && !otter_is_hidden_on(thread) && otter_quick_begin(thread, 0))) {
        bool is_done = enter_quickly(thread, construct, detail, code);
        otter_record_end(thread);
        if (OTTER_LIKELY(is_done)) {
            return;
        }
    }
    enter_rarely(construct, detail, code, thread);
}

static bool may_be_late(enum otter_construct construct)
{
    return construct >= OTTER_CONSTRUCT_BARRIER_IMPLICIT &&
           construct <= OTTER_CONSTRUCT_BARRIER_IMPLEMENTATION;
}

OTTER_APART static void leave(enum otter_construct construct, struct otter_thread *thread)
{
    thread = otter_record_begin_on(thread, false);
    if (!thread) {
        return;
    }
    uint64_t time = may_be_late(construct) ? otter_stamp_end(thread) : otter_stamp(thread);
    otter_write_pending(thread, time);
    otter_leave_innermost(thread, time, construct);
    otter_record_end(thread);
}

OTTER_APART static void leave_rarely(enum otter_construct construct, struct otter_thread *thread)
{
    bool is_unnumbered_wait =
        construct == OTTER_CONSTRUCT_TASKWAIT && otter_unnumbered_runs(thread);
    if (is_unnumbered_wait && otter_unnumbered_end_wait(thread)) {
        return;
    }
    if (!otter_is_hidden_on(thread)) {
        leave(construct, thread);
    }
}

// Leaves the innermost construct of the current task. *Returns* false if the call must take the
// slow path.
static inline bool leave_quickly(struct otter_thread *thread, enum otter_construct construct)
{
    const struct otter_frame *frame = otter_top_frame(thread);
    const struct otter_open *top = &thread->open[thread->n_open - 1];
    if (thread->n_open <= frame->first_open || top->construct != construct) {
        return false;
    }
    struct otter_location_writer *writer = thread->writer;
    uint64_t time;
    uint8_t *at = otter_quick_stamp(thread, &time);
    if (!at) {
        return false;
    }
    bool is_resumed = thread->pending;
    at = is_resumed ? otter_quick_put_resumed(thread, at, frame->task) : at;
    at = otter_put_region(at, RECORD_LEAVE, top->region);
    otter_records_end(writer, time, at, is_resumed ? 2 : 1);
    thread->pending = 0;
    thread->n_open--;
    return true;
}

void otter_leave(enum otter_construct construct)
{
    struct otter_thread *thread = otter_current_thread;
    if (OTTER_LIKELY(!may_be_late(construct) && !otter_is_hidden_on(thread) &&
                     otter_quick_begin(thread, OTTER_PENDING_RESUME))) {
        bool is_done = leave_quickly(thread, construct);
        otter_record_end(thread);
        if (OTTER_LIKELY(is_done)) {
            return;
        }
    }
    leave_rarely(construct, thread);
}

static bool is_single(uint16_t construct)
{
    return construct == OTTER_CONSTRUCT_SINGLE || construct == OTTER_CONSTRUCT_SINGLE_OTHER;
}

// *Returns* false if no phase is open, or if it is not innermost. A `single` open inside the phase
// is ignored, since the runtime may never report its end (quirk 'endless single').
OTTER_COLD static bool leave_phase(struct otter_thread *thread, uint64_t time)
{
    uint32_t n = otter_find_open(thread, OTTER_CONSTRUCT_PHASE);
    uint32_t n_buffered = thread->n_open;
    while (n != UINT32_MAX && n_buffered > n + 1 &&
           is_single(thread->open[n_buffered - 1].construct)) {
        n_buffered--;
    }
    if (n == UINT32_MAX || n_buffered > n + 1) {
        return false;
    }
    thread->n_repaired += otter_leave_down_to(thread, time, n) - 1;
    return true;
}

bool otter_leave_phase(void)
{
    struct otter_thread *thread = otter_record_begin_on(otter_current_thread, false);
    if (!thread) {
        return false;
    }
    uint64_t time = otter_stamp(thread);
    otter_write_pending(thread, time);
    bool is_closed = leave_phase(thread, time);
    otter_record_end(thread);
    return is_closed;
}

bool otter_is_innermost(enum otter_construct construct)
{
    struct otter_thread *thread = otter_current_thread;
    thread = otter_is_recording(thread) ? otter_record_begin_again() : NULL;
    if (!thread) {
        return true;
    }
    bool is_innermost =
        thread->n_open > 0 && thread->open[thread->n_open - 1].construct == construct;
    otter_record_end(thread);
    return is_innermost;
}

// Identifies an instance by its position among the open constructs, which differs for all instances
// that are open at the same time.
static uint64_t instance_of(const struct otter_thread *thread, uint32_t region)
{
    return otter_id_make(thread->location, region, thread->n_open);
}

OTTER_APART static uint64_t label_begin(enum otter_construct construct, const char *label,
                                        const char *qualifier)
{
    uint64_t time;
    struct otter_thread *thread = otter_record_begin_at(&time);
    if (!thread) {
        return 0;
    }
    uint32_t region = otter_label_region(thread, construct, label, qualifier);
    otter_write_enter(thread->writer, time, region);
    otter_open_push(thread,
                    (struct otter_open){.region = region, .construct = (uint16_t)construct});
    uint64_t instance = instance_of(thread, region);
    otter_record_end(thread);
    return instance;
}

// *Returns* 0 if the call must take the slow path.
static inline uint64_t label_begin_quickly(struct otter_thread *thread,
                                           enum otter_construct construct, const char *label,
                                           const char *qualifier)
{
    uint64_t time;
    uint32_t region = otter_label_cached(thread, construct, label, qualifier);
    uint8_t *at = region == OTTER_REGION_UNKNOWN || thread->n_open == thread->open_room
                      ? NULL
                      : otter_quick_stamp(thread, &time);
    if (!at) {
        return 0;
    }
    otter_records_end(thread->writer, time, otter_put_region(at, RECORD_ENTER, region), 1);
    thread->open[thread->n_open++] =
        (struct otter_open){.region = region, .construct = (uint16_t)construct};
    return instance_of(thread, region);
}

uint64_t otter_label_begin(enum otter_construct construct, const char *label, const char *qualifier)
{
    struct otter_thread *thread = otter_current_thread;
    if (OTTER_LIKELY(otter_quick_begin(thread, 0))) {
        uint64_t instance = label_begin_quickly(thread, construct, label, qualifier);
        otter_record_end(thread);
        if (OTTER_LIKELY(instance)) {
            return instance;
        }
    }
    return label_begin(construct, label, qualifier);
}

// Opens no location for a thread without records, since readers expect events in each location.
void otter_repaired(void)
{
    struct otter_thread *thread = otter_state_begin();
    if (thread) {
        thread->n_repaired++;
        otter_record_end(thread);
    }
}

void otter_unbegun(void)
{
    struct otter_thread *thread = otter_state_begin();
    if (thread) {
        thread->n_unbegun++;
        otter_record_end(thread);
    }
}

OTTER_COLD static bool has_no_location(void)
{
    const struct otter_thread *thread = otter_thread_self();
    return thread &&
           atomic_load_explicit(&thread->stop, memory_order_relaxed) == OTTER_STOP_UNOPENED;
}

OTTER_COLD static void end_below_top(struct otter_thread *thread, uint64_t time, uint64_t instance)
{
    uint32_t n = otter_id_number(instance);
    bool is_open = n > otter_top_frame(thread)->first_open && n <= thread->n_open &&
                   thread->open[n - 1].region == otter_id_region(instance) &&
                   thread->location == otter_id_location(instance);
    if (!is_open) {
        thread->n_unbegun++;
        return;
    }
    thread->n_repaired += otter_leave_down_to(thread, time, n - 1) - 1;
}

OTTER_APART static void label_end(uint64_t instance)
{
    uint64_t time;
    bool is_recorded =
        atomic_load_explicit(&otter_current_thread->stop, memory_order_relaxed) == OTTER_STOP_NONE;
    if (OTTER_UNLIKELY(!is_recorded) && instance && has_no_location()) {
        otter_unbegun();
        return;
    }
    struct otter_thread *thread = instance ? otter_record_begin() : NULL;
    if (!thread) {
        if (!instance) {
            otter_thread_count_lost();
        }
        return;
    }
    time = otter_stamp(thread);
    otter_write_pending(thread, time);
    const struct otter_open *top = &thread->open[thread->n_open - 1];
    if (OTTER_UNLIKELY(thread->n_open <= otter_top_frame(thread)->first_open ||
                       instance != instance_of(thread, top->region))) {
        end_below_top(thread, time, instance);
    } else {
        otter_write_leave(thread->writer, time, top->region);
        thread->n_open--;
    }
    otter_record_end(thread);
}

// *Returns* false if the call must take the slow path.
static inline bool label_end_quickly(struct otter_thread *thread, uint64_t instance)
{
    const struct otter_open *top = &thread->open[thread->n_open - 1];
    if (thread->n_open <= otter_top_frame(thread)->first_open ||
        instance != instance_of(thread, top->region)) {
        return false;
    }
    uint64_t time;
    uint8_t *at = otter_quick_stamp(thread, &time);
    if (at) {
        otter_records_end(thread->writer, time, otter_put_region(at, RECORD_LEAVE, top->region), 1);
        thread->n_open--;
    }
    return at;
}

void otter_label_end(uint64_t instance)
{
    struct otter_thread *thread = otter_current_thread;
    if (OTTER_LIKELY(otter_quick_begin(thread, 0))) {
        bool is_done = label_end_quickly(thread, instance);
        otter_record_end(thread);
        if (OTTER_LIKELY(is_done)) {
            return;
        }
    }
    label_end(instance);
}

// Viewers show markers where a region without duration would be too small to see. A limited number
// of marks suffices.
OTTER_COLD static void note_mark(const struct otter_thread *thread, uint64_t time,
                                 enum otter_construct construct, const char *label)
{
    static _Atomic unsigned n_marks;
    char encoded[512];
    if (atomic_load(&n_marks) < OTTER_MAX_MARKS &&
        atomic_fetch_add(&n_marks, 1) < OTTER_MAX_MARKS) {
        otter_output_define("mark %" PRIu32 " %" PRIu64 " %s %d", thread->location, time,
                            otter_journal_encode(label, encoded, sizeof(encoded)), (int)construct);
    }
}

void otter_label_mark(enum otter_construct construct, const char *label, const char *qualifier)
{
    uint64_t time;
    struct otter_thread *thread = otter_record_begin_mark(&time);
    if (!thread) {
        return;
    }
    uint32_t region = otter_label_region(thread, construct, label, qualifier);
    otter_write_enter(thread->writer, time, region);
    otter_write_leave(thread->writer, time, region);
    if (construct == OTTER_CONSTRUCT_KOKKOS_EVENT || construct == OTTER_CONSTRUCT_MARK) {
        note_mark(thread, time, construct, label);
    }
    otter_record_end(thread);
}

void otter_section(const char *label, bool is_start)
{
    uint64_t time;
    struct otter_thread *thread = otter_record_begin_mark(&time);
    if (!thread) {
        return;
    }
    otter_write_parameter(thread->writer, time,
                          is_start ? OTTER_PARAMETER_SECTION_START : OTTER_PARAMETER_SECTION_STOP,
                          otter_label_region(thread, OTTER_CONSTRUCT_KOKKOS_SECTION, label, NULL));
    otter_record_end(thread);
}

void otter_mark(enum otter_construct construct, uint32_t detail, const void *code)
{
    if (otter_is_hidden()) {
        return;
    }
    uint64_t time;
    struct otter_thread *thread = otter_record_begin_mark(&time);
    if (!thread) {
        return;
    }
    uint32_t region = otter_region(thread, construct, detail, code);
    otter_write_enter(thread->writer, time, region);
    otter_write_leave(thread->writer, time, region);
    if (construct == OTTER_CONSTRUCT_CONTROL_TOOL) {
        char command[32];
        note_mark(thread, time, construct,
                  otter_construct_detail_text(construct, detail, command, sizeof(command)));
    }
    otter_record_end(thread);
}

void otter_remark(enum otter_parameter parameter, uint64_t value)
{
    uint64_t time;
    struct otter_thread *thread = otter_record_begin_mark(&time);
    if (!thread) {
        return;
    }
    otter_write_parameter(thread->writer, time, parameter, value);
    otter_record_end(thread);
}

void otter_parameter(enum otter_parameter parameter, uint64_t value)
{
    struct otter_thread *thread = otter_record_begin_again();
    if (!thread) {
        return;
    }
    if (OTTER_UNLIKELY(thread->pending)) {
        otter_write_pending_except(thread, thread->last_time, OTTER_PENDING_UNNUMBERED);
    }
    otter_write_parameter(thread->writer, thread->last_time, parameter, value);
    otter_record_end(thread);
}
